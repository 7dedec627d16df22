/* eslint-disable no-control-regex -- control characters are what this is about */

/**
 * A terminal as plain as can be: a grid of cells, one sequence after the
 * other. It knows the letters of the test's alphabet only, and has no limits.
 */
export class ReferenceTerminal {
  play(tokens: readonly string[]): string {
    tokens.forEach(token => this._token(token));
    return this._rows.map(row => row.join('')).join('\n');
  }

  private _token(token: string): void {
    const csi = /^(?:\u001b\[|\u009b)([\d;]*)([@-~])$/.exec(token);
    if (csi) {
      const [first, second] = csi[1].split(';').map(Number);
      this._csi(csi[2], first, second ?? 0);
    } else if (token === '\n' || token === '\u001bE') {
      this._move(this._r + 1, 0);
      this._row();
    } else if (token === '\r') {
      this._c = 0;
    } else if (token === '\b') {
      this._move(this._r, this._c - 1);
    } else if (token === '\u001bM' || token === '\u008d') {
      this._move(this._r - 1, this._c);
    } else if (token === '\u001bD') {
      this._move(this._r + 1, this._c);
    } else if (token === '\u001b7') {
      this._saved = [this._r, this._c];
    } else if (token === '\u001b8') {
      this._move(...this._saved);
    } else if (token === '\t') {
      const stop = this._c - (this._c % 8) + 8;
      if (this._c >= this._row().length) {
        this._put('\t', stop - this._c);
      }
      this._c = stop;
    } else if (token === '\u0301') {
      this._mark();
    } else if (!/^[\u0000-\u001f\u007f-\u009f]/.test(token)) {
      const width = '日😀👩‍🌾'.includes(token) ? 2 : 1;
      this._put(token, width);
      this._c += width;
    }
  }

  private _csi(letter: string, first: number, second: number): void {
    const n = Math.max(1, first);
    const row = this._rows[this._r];
    const moves: { [letter: string]: [number, number] } = {
      A: [this._r - n, this._c],
      B: [this._r + n, this._c],
      C: [this._r, this._c + n],
      D: [this._r, this._c - n],
      E: [this._r + n, 0],
      F: [this._r - n, 0],
      G: [this._r, n - 1],
      H: [n - 1, Math.max(1, second) - 1],
      d: [n - 1, this._c]
    };
    if (moves[letter]) {
      this._move(...moves[letter]);
    } else if (letter === 'J') {
      this._eraseDisplay(first);
    } else if (letter === 'K' && row && first <= 2) {
      this._eraseLine(row, first);
    } else if (letter === 'X' && row) {
      this._erase(row, this._c, this._c + n);
    } else if (letter === 'P' && row) {
      this._whole(row, this._c);
      this._whole(row, this._c + n);
      row.splice(this._c, n);
    } else if (letter === '@' && row && this._c < row.length) {
      this._whole(row, this._c);
      row.splice(this._c, 0, ...Array<string>(n).fill(' '));
    } else if (letter === 'L' || letter === 'M') {
      if (row) {
        const blank = Array.from({ length: n }, () => []);
        this._rows.splice(this._r, letter === 'M' ? n : 0);
        this._rows.splice(this._r, 0, ...(letter === 'L' ? blank : []));
      }
      this._c = 0;
    }
  }

  private _eraseDisplay(mode: number): void {
    const row = this._rows[this._r];
    if (mode > 0) {
      for (let i = 0; i < this._r && i < this._rows.length; i++) {
        this._rows[i] = [];
      }
    }
    if (row) {
      this._eraseLine(row, mode);
    }
    if (mode !== 1) {
      this._rows.splice(this._r + 1);
    }
  }

  private _eraseLine(row: string[], mode: number): void {
    const end = mode === 1 ? this._c + 1 : Infinity;
    this._erase(row, mode === 0 ? this._c : 0, end);
  }

  private _erase(row: string[], from: number, to: number): void {
    this._whole(row, from);
    this._whole(row, to);
    if (to >= row.length) {
      row.splice(from);
    } else {
      row.fill(' ', from, to);
    }
  }

  private _move(r: number, c: number): void {
    this._r = Math.max(0, r);
    this._c = Math.max(0, c);
  }

  private _row(): string[] {
    while (this._rows.length <= this._r) {
      this._rows.push([]);
    }
    return this._rows[this._r];
  }

  private _put(grapheme: string, width: number): void {
    const row = this._row();
    while (row.length < this._c) {
      row.push(' ');
    }
    this._whole(row, this._c);
    this._whole(row, this._c + width);
    row[this._c] = grapheme;
    for (let i = 1; i < width; i++) {
      row[this._c + i] = '';
    }
  }

  private _mark(): void {
    const row = this._row();
    while (row.length < this._c) {
      row.push(' ');
    }
    if (this._c === 0) {
      this._put('\u0301', 1);
      this._c++;
      return;
    }
    let at = this._c - 1;
    while (row[at] === '') {
      at--;
    }
    row[at] += '\u0301';
  }

  /** Blanks a grapheme that lies on both sides of a border. */
  private _whole(row: string[], at: number): void {
    if (row[at] !== '') {
      return;
    }
    let start = at;
    while (row[start] === '') {
      row[start--] = ' ';
    }
    row[start] = ' ';
    for (let end = at + 1; row[end] === ''; end++) {
      row[end] = ' ';
    }
  }

  private _rows: string[][] = [[]];
  private _r = 0;
  private _c = 0;
  private _saved: [number, number] = [0, 0];
}
