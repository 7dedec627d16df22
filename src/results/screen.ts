import { Supply } from './cells';
import { Row } from './row';

/** Rows that the cursor reaches; what is above them has scrolled away. */
const ROWS = 10_000;
/** Where moves to the right or down end, unless there is more text there. */
const EDGE = 1_000;

/**
 * The screen a terminal would show: rows that never wrap, and a cursor. Rows
 * and columns count from 0; row 0 of `toRow` is the uppermost in reach. A
 * sequence that would cost more than what was printed allows does nothing.
 */
export class Screen {
  /** `size` is the length of what will be printed. */
  constructor(size: number) {
    this._supply = new Supply(size);
    this._rows = [new Row(this._supply)];
  }

  /** Prints text that holds no control characters but tabs and newlines. */
  print(text: string): void {
    let start = text.length > 4 * ROWS ? this._scrollPast(text) : 0;
    let end = text.indexOf('\n', start);
    while (end >= 0) {
      this._write(text.slice(start, end));
      this.newline();
      start = end + 1;
      end = text.indexOf('\n', start);
    }
    this._write(text.slice(start));
  }

  newline(): void {
    this._row++;
    this._column = 0;
    this._current();
  }

  carriageReturn(): void {
    this._column = 0;
  }

  /** Moves the cursor; it stops at the edges. */
  move(rows: number, columns: number): void {
    this.toColumn(this._resolve() + columns);
    this._moveTo(this._row + rows);
  }

  toColumn(column: number): void {
    const most =
      column > EDGE ? Math.max(this._rows[this._row]?.width ?? 0, EDGE) : EDGE;
    this._column = Math.max(0, Math.min(column, most));
  }

  toRow(row: number): void {
    this._resolve();
    this._moveTo(this._top + row);
  }

  save(): void {
    this._saved = {
      row: this._scrolled + this._row,
      column: this._resolve()
    };
  }

  restore(): void {
    this._moveTo(this._saved.row - this._scrolled);
    this._column = this._saved.column;
  }

  reset(): void {
    this._row = this._top;
    this._column = 0;
    this.eraseDisplay(2);
  }

  /** 0: from the cursor on; 1: up to and with it; 2: all; 3: what scrolled away. */
  eraseDisplay(mode: number): void {
    if (mode === 3) {
      this._away = [];
      return;
    }
    const above = Math.min(this._row, this._rows.length) - this._top;
    if (mode !== 0 && this._supply.spend(above)) {
      for (let i = 0; i < above; i++) {
        this._rows[this._top + i] = new Row(this._supply);
      }
    }
    this.eraseLine(mode);
    if (mode !== 1 && this._rows.length > this._row + 1) {
      this._rows.length = this._row + 1;
    }
  }

  /** 0: from the cursor on; 1: up to and with it; 2: all. */
  eraseLine(mode: number): void {
    const row = this._rows[this._row];
    if (row) {
      const column = this._resolve();
      row.erase(mode === 0 ? column : 0, mode === 1 ? column + 1 : Infinity);
    }
  }

  eraseCharacters(count: number): void {
    const column = this._resolve();
    this._rows[this._row]?.erase(column, column + count);
  }

  deleteCharacters(count: number): void {
    this._rows[this._row]?.delete(this._resolve(), count);
  }

  insertCharacters(count: number): void {
    this._rows[this._row]?.insert(this._resolve(), Math.min(count, EDGE));
  }

  insertLines(count: number): void {
    const added = Math.min(count, EDGE);
    const below = this._rows.length - this._row;
    if (below > 0 && this._shift(below) && this._supply.open(added)) {
      const rows = Array.from({ length: added }, () => new Row(this._supply));
      this._rows.splice(this._row, 0, ...rows);
      this._scroll();
    }
    this._column = 0;
  }

  deleteLines(count: number): void {
    if (this._shift(this._rows.length - this._row)) {
      this._rows.splice(this._row, count);
    }
    this._column = 0;
  }

  /** What is on the screen and above it. */
  toString(): string {
    const text = this._away.join('') + textOf(this._rows);
    this._rows = [new Row(this._supply)];
    this._row = this._column = 0;
    return text;
  }

  /** Pays for moving rows, which costs more than moving cells. */
  private _shift(rows: number): boolean {
    return this._supply.spend(8 * rows);
  }

  private get _top(): number {
    return Math.max(0, this._rows.length - ROWS);
  }

  /** The cursor's column as a number, also at the end of a row. */
  private _resolve(): number {
    if (this._column === Infinity) {
      this._column = this._rows[this._row]?.width ?? 0;
    }
    return this._column;
  }

  private _moveTo(row: number): void {
    const last = this._rows.length - 1;
    const down = Math.min(EDGE, Math.max(1, this._supply.blanks));
    this._row = Math.max(this._top, Math.min(row, last + down));
  }

  private _write(text: string): void {
    if (text !== '') {
      this._column = this._current().write(this._column, text);
    }
  }

  /** The cursor's row, made when it is below the last one. */
  private _current(): Row {
    while (this._rows.length <= this._row) {
      this._supply.open(1);
      this._rows.push(new Row(this._supply));
    }
    this._scroll();
    return this._rows[this._row];
  }

  /** Puts rows away that are out of the cursor's reach, many at once. */
  private _scroll(): void {
    if (this._rows.length > 2 * ROWS) {
      this._putAway(this._rows.length - ROWS);
    }
  }

  private _putAway(count: number): void {
    this._away.push(`${textOf(this._rows.splice(0, count))}\n`);
    this._row = Math.max(0, this._row - count);
    this._scrolled += count;
  }

  /**
   * Puts all away at once that a long text scrolls out of reach, and says
   * where its rest begins.
   */
  private _scrollPast(text: string): number {
    const first = text.indexOf('\n');
    let from = text.length;
    for (let i = 0; i <= ROWS && from > first; i++) {
      from = text.lastIndexOf('\n', from - 1);
    }
    if (from <= first || this._row !== this._rows.length - 1) {
      return 0;
    }
    this._write(text.slice(0, first));
    this._putAway(this._rows.length);
    this._away.push(text.slice(first + 1, from + 1));
    this._rows = [new Row(this._supply)];
    this._column = 0;
    this._saved.row = -Infinity;
    return from + 1;
  }

  private _supply: Supply;
  /** Text of rows that scrolled out of reach, thousands at once. */
  private _away: string[] = [];
  private _rows: Row[];
  private _row = 0;
  private _column = 0;
  private _scrolled = 0;
  private _saved = { row: 0, column: 0 };
}

function textOf(rows: readonly Row[]): string {
  return rows.map(row => row.toString()).join('\n');
}
