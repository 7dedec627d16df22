import { cutAfter, cutBefore, isHigh, isLow } from './graphemes';

/** In what a result is measured: characters of its JSON, or their UTF-8 bytes. */
export type Unit = 'characters' | 'bytes';

/** `utf8` is a text's own bytes, as they are outside of JSON. */
type Cost = Unit | 'utf8';

/** Half a surrogate pair: in a `u` regexp only a lone one matches. */
const LONE = /\p{Surrogate}/gu;

const toWellFormed: unknown = Reflect.get(String.prototype, 'toWellFormed');

/** The text with each lone surrogate replaced by U+FFFD. */
export function wellFormed(text: string): string {
  if (typeof toWellFormed === 'function') {
    const formed: unknown = Reflect.apply(toWellFormed, text, []);
    if (typeof formed === 'string') {
      return formed;
    }
  }
  return text.replace(LONE, '\ufffd');
}

/** Up to this length looking at each unit is quicker than a search. */
const SHORT = 80;

/**
 * Whether a short text holds nothing but printable ASCII, tabs and newlines.
 * Of a longer one it is not known.
 */
export function isSimple(text: string): boolean {
  if (text.length > SHORT) {
    return false;
  }
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if ((code < 0x20 && code !== 9 && code !== 10) || code >= 0x7f) {
      return false;
    }
  }
  return true;
}

/** A text whose middle was left out. */
export interface IMiddleCut {
  readonly text: string;
  /** Characters left out. */
  readonly omitted: number;
  /** Characters kept at the beginning. */
  readonly head: number;
}

/**
 * Keeps at most `keep` characters at each end (R, Bounding), or bytes of
 * them; null when the text is too short for that to be worth it.
 */
export function cutMiddle(
  text: string,
  keep: number,
  unit: Unit = 'characters'
): IMiddleCut | null {
  const longest = 2 * keep + 40;
  if (unit === 'characters') {
    return text.length > longest
      ? joinEnds(
          text,
          cutBefore(text, keep),
          cutAfter(text, text.length - keep)
        )
      : null;
  }
  return costOf(text, 'utf8', longest) > longest
    ? joinEnds(
        text,
        fittingHead(text, keep, 'utf8'),
        fittingTail(text, keep, 'utf8')
      )
    : null;
}

function joinEnds(text: string, head: number, tail: number): IMiddleCut {
  const omitted = tail - head;
  return {
    text: `${text.slice(0, head)}\n[... ${omitted} characters omitted ...]\n${text.slice(tail)}`,
    omitted,
    head
  };
}

/** What the unit at `at` costs inside a JSON string; a pair's is on its first. */
function cost(text: string, at: number, unit: Cost): number {
  const code = text.charCodeAt(at);
  if (code < 0x80) {
    if (unit === 'utf8') {
      return 1;
    }
    if (code >= 0x20) {
      return code === 0x22 || code === 0x5c ? 2 : 1;
    }
    return code >= 8 && code <= 13 && code !== 11 ? 2 : 6;
  }
  if (code >= 0xd800 && code < 0xe000) {
    if (isHigh(code) && isLow(text.charCodeAt(at + 1))) {
      return unit === 'characters' ? 1 : 4;
    }
    if (isLow(code) && at > 0 && isHigh(text.charCodeAt(at - 1))) {
      return unit === 'characters' ? 1 : 0;
    }
    return 6;
  }
  return unit === 'characters' ? 1 : code < 0x800 ? 2 : 3;
}

/**
 * What the text costs inside JSON without its quotes. Stops counting once
 * the sum is above `enough`.
 */
export function costOf(text: string, unit: Cost, enough = Infinity): number {
  if (text.length > enough) {
    return text.length;
  }
  if (unit === 'characters') {
    return text.length > SHORT ? costInPieces(text, enough) : costOfShort(text);
  }
  let sum = 0;
  for (let i = 0; i < text.length && sum <= enough; i++) {
    sum += cost(text, i, unit);
  }
  return sum;
}

function costOfShort(text: string): number {
  let sum = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code === 0x22 || code === 0x5c || code >= 0xd800) {
      sum += cost(text, i, 'characters') - 1;
    }
  }
  return sum;
}

/** Characters that are written at once to be counted. */
const PIECE = 65_536;

/** The cost in characters of a long text: writing JSON is quicker than looking. */
function costInPieces(text: string, enough: number): number {
  let sum = 0;
  for (let from = 0; from < text.length && sum <= enough;) {
    let to = from + PIECE;
    if (isHigh(text.charCodeAt(to - 1))) {
      to++;
    }
    sum += JSON.stringify(text.slice(from, to)).length - 2;
    from = to;
  }
  return sum;
}

/** The length of the longest beginning that costs at most `room` inside JSON. */
export function fittingHead(text: string, room: number, unit: Cost): number {
  let left = room;
  for (let i = 0; i < text.length; i++) {
    left -= cost(text, i, unit);
    if (left < 0) {
      return cutBefore(text, i);
    }
  }
  return text.length;
}

/** Where the longest end that costs at most `room` inside JSON begins. */
function fittingTail(text: string, room: number, unit: Cost): number {
  let left = room;
  for (let i = text.length - 1; i >= 0; i--) {
    left -= cost(text, i, unit);
    if (left < 0) {
      return cutAfter(text, i + 1);
    }
  }
  return 0;
}

/**
 * The text, or as much of its two ends as costs at most `room` inside JSON.
 * `room` must hold the note of what was left out: 64 are enough.
 */
export function fitMiddle(text: string, room: number, unit: Unit): string {
  if (costOf(text, unit, room) <= room) {
    return text;
  }
  const each = Math.max(0, Math.floor((room - 64) / 2));
  return joinEnds(
    text,
    fittingHead(text, each, unit),
    fittingTail(text, each, unit)
  ).text;
}

/** A part of a text, as it was asked for. */
export interface IPart {
  readonly text: string;
  /** Where the part begins: at or before what was asked for. */
  readonly offset: number;
}

/**
 * The part of a text that a range names (contract: Results on the MCP
 * surface). An offset inside a pair or a grapheme moves to its start, an end
 * likewise; so ranges that follow each other join to the whole. A length of 1
 * or more gives at least one grapheme while there is one.
 */
export function sliceRange(
  text: string,
  offset: number,
  length = Infinity
): IPart {
  const start = cutBefore(text, offset);
  let end = cutBefore(text, Math.min(text.length, offset + length));
  if (end <= start && length > 0) {
    end = cutAfter(text, start + 1);
  }
  return { text: text.slice(start, end), offset: start };
}
