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
      index = CLUSTER + this._clusters.push(grapheme) - 1;
      this._index.set(grapheme, index);
    }
    return index;
  }

  grapheme(code: number): string {
    return code >= CLUSTER
      ? this._clusters[code - CLUSTER]
      : String.fromCodePoint(code);
  }

  private _blanks: number;
  private _work: number;
  private _clusters: string[] = [];
  private _index = new Map<string, number>();
}

/** Codes from here on are no code points but clusters. */
const CLUSTER = 0x110000;

/** Text whose length is its width. */
const NARROW =
  /^[\x20-\x7e\xa0-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2190-\u2319\u2400-\u25fc\u2800-\u28ff]*$/;
/** Text of letters two cells wide that combine with nothing. */
const CJK =
  /^[\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]*$/;
const WIDE =
  /[\p{Emoji_Presentation}\ufe0f\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u;
/** What joins the cell before it when it is printed on its own. */
const JOINS = /^(?!\xad)[\p{M}\p{Cf}\p{Emoji_Modifier}]/u;
/** A cell that marks have made this long takes no more. */
const LONGEST = 64;

let segmenter: Intl.Segmenter | null = null;

/**
 * The cells that each unit of the text takes, where it is the same for all
 * and no two of them belong together; else 0.
 */
export function plainWidth(text: string): 0 | 1 | 2 {
  return NARROW.test(text) ? 1 : CJK.test(text) ? 2 : 0;
}

/** The graphemes of a text with the cells that each takes; a tab says 0. */
export function* graphemes(
  text: string
): Generator<{ grapheme: string; width: 0 | 1 | 2; joins: boolean }> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(text)) {
    yield {
      grapheme: segment,
      width: segment === '\t' ? 0 : WIDE.test(segment) ? 2 : 1,
      joins: JOINS.test(segment)
    };
  }
}

/** Whether a cell that holds `grapheme` takes marks that follow. */
export function takesMarks(grapheme: string): boolean {
  return grapheme.length < LONGEST;
}
