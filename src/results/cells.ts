import { graphemesOf } from './graphemes';

/**
 * What a terminal's rows draw on: the graphemes that take more than a code
 * point, and how much cursor and erase sequences may still do, so that time
 * and memory stay linear in what was printed.
 */
export class Supply {
  /** `size` is the length of what will be printed. */
  constructor(size: number) {
    this._blanks = size + 20_000;
    this._work = 64 * size + 1_000_000;
  }

  /** Blanks that cursor moves may still open up. */
  get blanks(): number {
    return this._blanks;
  }

  /** Takes blanks, or says that there are not as many. */
  open(blanks: number): boolean {
    if (this._blanks < blanks) {
      return false;
    }
    this._blanks -= blanks;
    return true;
  }

  /** Pays for cells or rows that are shifted or erased one by one. */
  spend(cells: number): boolean {
    if (this._work < cells) {
      return false;
    }
    this._work -= Math.max(0, cells);
    return true;
  }

  /** The number that stands for a grapheme in a cell. */
  code(grapheme: string): number {
    const point = grapheme.codePointAt(0) ?? 0;
    if (grapheme.length === (point > 0xffff ? 2 : 1)) {
      return point;
    }
    let index = this._index.get(grapheme);
    if (index === undefined) {
      index = LAST_POINT + this._clusters.push(grapheme);
      this._index.set(grapheme, index);
    }
    return index;
  }

  grapheme(code: number): string {
    return code > LAST_POINT
      ? this._clusters[code - LAST_POINT - 1]
      : String.fromCodePoint(code);
  }

  /** The text of a part of a row's cells, not too many. */
  text(cells: Int32Array): string {
    if (cells.every(code => code >= 0 && code <= LAST_POINT)) {
      return Reflect.apply(String.fromCodePoint, null, cells);
    }
    let text = '';
    for (const code of cells) {
      text += code === REST ? '' : this.grapheme(code);
    }
    return text;
  }

  private _blanks: number;
  private _work: number;
  private _clusters: string[] = [];
  private _index = new Map<string, number>();
}

/** A cell that the grapheme before it also covers. */
export const REST = -1;
/** Codes above it are no code points but graphemes of several. */
export const LAST_POINT = 0x10ffff;

/** Letters that take one cell and combine with nothing. */
const ONE =
  '\\x20-\\x7e\\xa0-\\u02ff\\u0370-\\u0482\\u048a-\\u052f\\u2010-\\u2027\\u2190-\\u2319\\u2400-\\u25fc\\u2800-\\u28ff';
/** Letters that take two and combine with nothing. */
const TWO =
  '\\u3041-\\u3096\\u30a1-\\u30fa\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff60\\u{1f400}-\\u{1f43e}\\u{1f44c}-\\u{1f4fc}\\u{1f600}-\\u{1f64f}\\u{1f680}-\\u{1f6c5}\\u{1f910}-\\u{1f93a}\\u{1f947}-\\u{1f9ff}';
/** Looked for rather than all others matched, which takes no stack. */
const NOT_NARROW = new RegExp(`[^${ONE}]`);
const NOT_SIMPLE = new RegExp(`[^${ONE}${TWO}]`, 'gu');
const TWO_SIMPLE = new RegExp(`([${ONE}${TWO}])[${ONE}${TWO}]`, 'gu');
const FIRST_OF_TWO = 0x3041;
/** Up to this length looking at each unit is quicker than a search. */
const NEAR = 24;

const WIDE =
  /[\p{Emoji_Presentation}\ufe0f\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u;
/** What joins the cell before it when it is printed on its own. */
const JOINS = /^(?!\xad)[\p{M}\p{Cf}\p{Emoji_Modifier}]/u;
/** A cell that marks have made this long takes no more. */
const LONGEST = 64;

/** Whether each unit of the text takes one cell. */
export function isNarrow(text: string): boolean {
  if (text.length > NEAR) {
    return !NOT_NARROW.test(text);
  }
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const isSure =
      (code >= 0x20 && code <= 0x7e) || (code >= 0x2400 && code <= 0x25fc);
    if (!isSure) {
      return !NOT_NARROW.test(text);
    }
  }
  return true;
}

/**
 * A text in pieces, in which each code point is a grapheme (`simple`, its
 * cells as `simpleWidth` says) or may not be. Between two simple letters
 * there is always a border.
 */
export function* piecesOf(
  text: string
): Generator<{ piece: string; simple: boolean }> {
  let at = 0;
  while (at < text.length) {
    NOT_SIMPLE.lastIndex = at;
    const other = NOT_SIMPLE.exec(text)?.index ?? text.length;
    // What follows may belong to the letter before it.
    const last =
      other < text.length ? other - lengthBefore(text, other) : other;
    const begin = Math.max(at, last);
    if (begin > at) {
      yield { piece: text.slice(at, begin), simple: true };
    }
    TWO_SIMPLE.lastIndex = other;
    const end = TWO_SIMPLE.exec(text);
    at = end ? end.index + end[1].length : text.length;
    if (begin < at) {
      yield { piece: text.slice(begin, at), simple: false };
    }
  }
}

function lengthBefore(text: string, at: number): number {
  const unit = text.charCodeAt(at - 1);
  return unit >= 0xdc00 && unit < 0xe000 ? 2 : 1;
}

/** The cells that a code point of simple text takes. */
export function simpleWidth(point: number): 1 | 2 {
  return point >= FIRST_OF_TWO ? 2 : 1;
}

/** The graphemes of a text with the cells that each takes; a tab says 0. */
export function* graphemes(
  text: string
): Generator<{ grapheme: string; width: 0 | 1 | 2; joins: boolean }> {
  for (const grapheme of graphemesOf(text)) {
    yield {
      grapheme,
      width: grapheme === '\t' ? 0 : WIDE.test(grapheme) ? 2 : 1,
      joins: JOINS.test(grapheme)
    };
  }
}

/** Whether a cell that holds `grapheme` takes marks that follow. */
export function takesMarks(grapheme: string): boolean {
  return grapheme.length < LONGEST;
}
