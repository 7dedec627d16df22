import {
  graphemes,
  isNarrow,
  piecesOf,
  REST,
  simpleWidth,
  type Supply,
  takesMarks
} from './cells';

const SPACE = 0x20;
const TABULATOR = 9;
const TAB_STOP = 8;
/** Up to this length a string is written anew rather than made cells. */
const SHORT = 256;
/** Cells that become text at once. */
const BLOCK = 8192;
const NONE = new Int32Array(0);

/**
 * A row of a terminal. A grapheme fills one cell, or two when it is wide; a
 * tab at the row's end fills the cells up to its stop. What is half written
 * over becomes blanks.
 *
 * As long as only its end is written to, a row is a plain string; the first
 * thing that needs cells makes them, once.
 */
export class Row {
  constructor(private readonly _supply: Supply) {}

  /** Columns up to the last cell that was written. */
  get width(): number {
    if (this._isText && !this._isNarrow) {
      this._toCells();
    }
    return this._isText ? this._text.length : this._width;
  }

  /**
   * Writes text without newlines at a column, `Infinity` for the row's end,
   * and gives the column behind it, `Infinity` again for the row's end.
   */
  write(column: number, text: string): number {
    if (this._isText) {
      if (this._text === '' && (column === 0 || column === Infinity)) {
        this._text = text;
        this._narrow = null;
        return Infinity;
      }
      const atEnd =
        column === Infinity || (column === this._text.length && this._isNarrow);
      if (atEnd) {
        this._narrow = this._isNarrow && isNarrow(text);
        this._text += text;
        return Infinity;
      }
      if (this._overwrites(column, text)) {
        const end = column + text.length;
        if (end < this._text.length || column > 0) {
          const { _text: row } = this;
          this._text = row.slice(0, column) + text + row.slice(end);
          return end < row.length ? end : Infinity;
        }
        // A progress bar's next frame.
        this._text = text;
        return Infinity;
      }
      this._toCells();
    }
    let start = Math.min(column, this._width);
    if (column !== Infinity && column > start) {
      start = this._supply.open(column - start) ? column : start;
      this._widen(start);
    }
    return this._put(start, text);
  }

  /** Blanks cells, or takes them away when they are the row's last. */
  erase(from: number, to: number): void {
    if (this._isText && from === 0 && to === Infinity) {
      this._text = '';
      this._narrow = true;
      return;
    }
    if (from >= this.width) {
      return;
    }
    if (this._isShort && to === Infinity) {
      this._text = this._text.slice(0, from);
      return;
    }
    this._toCells();
    const end = Math.min(to, this._width);
    this._unsplit(from);
    if (end === this._width) {
      this._width = from;
    } else if (end > from && this._supply.spend(end - from)) {
      this._unsplit(end);
      this._cells.fill(SPACE, from, end);
    }
  }

  /** Takes cells out; what is behind them moves up. */
  delete(column: number, count: number): void {
    if (column >= this.width || !this._supply.spend(this.width - column)) {
      return;
    }
    this._toCells();
    const end = Math.min(column + count, this._width);
    this._unsplit(column);
    this._unsplit(end);
    this._cells.copyWithin(column, end, this._width);
    this._width -= end - column;
  }

  /** Puts blanks in; what is behind them moves on. */
  insert(column: number, count: number): void {
    const shifted = this.width - column;
    if (
      shifted <= 0 ||
      !this._supply.spend(shifted) ||
      !this._supply.open(count)
    ) {
      return;
    }
    this._toCells();
    this._unsplit(column);
    this._reserve(this._width + count);
    this._cells.copyWithin(column + count, column, this._width);
    this._cells.fill(SPACE, column, column + count);
    this._width += count;
  }

  toString(): string {
    if (this._isText) {
      return this._text;
    }
    const blocks: string[] = [];
    for (let i = 0; i < this._width; i += BLOCK) {
      const end = Math.min(i + BLOCK, this._width);
      blocks.push(this._supply.text(this._cells.subarray(i, end)));
    }
    return blocks.join('');
  }

  /**
   * Whether the row stays a string when text is written into it: a progress
   * bar's next frame, or a part of a short row.
   */
  private _overwrites(column: number, text: string): boolean {
    const { length } = this._text;
    const covers = column === 0 && text.length >= length;
    return (
      column <= length &&
      this._isNarrow &&
      (covers || this._isShort) &&
      isNarrow(text)
    );
  }

  /** Whether it is a string that costs next to nothing to write anew. */
  private get _isShort(): boolean {
    return this._isText && this._text.length <= SHORT && this._isNarrow;
  }

  private get _isNarrow(): boolean {
    return (this._narrow ??= isNarrow(this._text));
  }

  private _toCells(): void {
    if (this._isText) {
      const text = this._text;
      this._isText = false;
      this._text = '';
      this._reserve(text.length);
      this._put(0, text);
    }
  }

  private _put(start: number, text: string): number {
    let column = start;
    for (const { piece, simple } of piecesOf(text)) {
      column = simple
        ? this._putSimple(column, piece)
        : this._putAny(column, piece);
    }
    return column;
  }

  private _putAny(start: number, text: string): number {
    let column = start;
    for (const { grapheme, width, joins } of graphemes(text)) {
      if (width === 0) {
        const stop = (Math.floor(column / TAB_STOP) + 1) * TAB_STOP;
        if (column >= this._width) {
          this._widen(column);
          this._set(column, TABULATOR, stop - column);
        }
        column = stop;
      } else if (!joins || !this._join(column, grapheme)) {
        this._widen(column);
        this._set(column, this._supply.code(grapheme), width);
        column += width;
      }
    }
    return column;
  }

  private _putSimple(start: number, text: string): number {
    let end = start;
    for (let i = 0; i < text.length; i++) {
      const point = text.codePointAt(i) ?? SPACE;
      i += point > 0xffff ? 1 : 0;
      end += simpleWidth(point);
    }
    this._widen(start);
    this._unsplit(start);
    this._unsplit(end);
    this._reserve(end);
    const cells = this._cells;
    for (let i = 0, column = start; i < text.length; i++) {
      const point = text.codePointAt(i) ?? SPACE;
      i += point > 0xffff ? 1 : 0;
      cells[column++] = point;
      if (simpleWidth(point) === 2) {
        cells[column++] = REST;
      }
    }
    this._width = Math.max(this._width, end);
    return end;
  }

  /** Joins a mark to the grapheme before the column, if there is one. */
  private _join(column: number, mark: string): boolean {
    if (column <= 0) {
      return false;
    }
    this._widen(column);
    let start = column - 1;
    while (this._cells[start] === REST) {
      start--;
    }
    const grapheme = this._supply.grapheme(this._cells[start]);
    if (!takesMarks(grapheme)) {
      return false;
    }
    this._cells[start] = this._supply.code(grapheme + mark);
    return true;
  }

  private _set(column: number, code: number, width: number): void {
    const end = column + width;
    this._unsplit(column);
    this._unsplit(end);
    this._reserve(end);
    this._cells[column] = code;
    this._cells.fill(REST, column + 1, end);
    this._width = Math.max(this._width, end);
  }

  /** Blanks what lies across the border before a cell. */
  private _unsplit(column: number): void {
    if (column >= this._width || this._cells[column] !== REST) {
      return;
    }
    let start = column;
    while (this._cells[start] === REST) {
      start--;
    }
    let end = column;
    while (end < this._width && this._cells[end] === REST) {
      end++;
    }
    this._cells.fill(SPACE, start, end);
  }

  /** Makes the row at least as wide, with blanks. */
  private _widen(width: number): void {
    if (width > this._width) {
      this._reserve(width);
      this._cells.fill(SPACE, this._width, width);
      this._width = width;
    }
  }

  private _reserve(width: number): void {
    if (this._cells.length < width) {
      const cells = new Int32Array(Math.max(16, width, 2 * this._cells.length));
      cells.set(this._cells.subarray(0, this._width));
      this._cells = cells;
    }
  }

  private _isText = true;
  private _text = '';
  /** Whether the text's length is its width; null until that matters. */
  private _narrow: boolean | null = true;
  private _cells = NONE;
  private _width = 0;
}
