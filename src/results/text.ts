/**
 * Strings: well-formedness, cuts that split nothing a reader sees as one
 * character, and what a string costs inside JSON.
 *
 * Lengths and offsets are in UTF-16 units. A grapheme is kept whole up to
 * `WHOLE` units; a longer one (a base letter under hundreds of marks) may be
 * cut, though never inside a surrogate pair.
 */

/** The longest grapheme, in units, that no cut splits. */
const WHOLE = 64;

/** In what a result is measured: characters of its JSON, or their UTF-8 bytes. */
export type Unit = 'characters' | 'bytes';

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

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

function splitsPair(text: string, at: number): boolean {
  return isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1));
}

/** Whether a regional indicator (half a flag) begins at `at`. */
function isRegional(text: string, at: number): boolean {
  const low = text.charCodeAt(at + 1);
  return text.charCodeAt(at) === 0xd83c && low >= 0xdde6 && low <= 0xddff;
}

/** Two neighbours that are always a grapheme each: Latin, but no CR LF. */
function plainBoundary(text: string, at: number): boolean {
  const left = text.charCodeAt(at - 1);
  const right = text.charCodeAt(at);
  return left < 0x300 && right < 0x300 && !(left === 13 && right === 10);
}

let segmenter: Intl.Segmenter | null = null;

/**
 * The grapheme around `at`, as start and end, seen through a window.
 *
 * Where a boundary lies depends on what is to its left in the same grapheme
 * only. So a window of the longest grapheme that matters finds every boundary
 * the whole text has, but for flags, which are counted from their run's start.
 */
function grapheme(text: string, at: number): { start: number; end: number } {
  let from = Math.max(0, at - WHOLE);
  if (from > 0 && splitsPair(text, from)) {
    from--;
  }
  if (from > 0 && isRegional(text, from)) {
    let run = from;
    while (run >= 2 && isRegional(text, run - 2)) {
      run -= 2;
    }
    if ((from - run) % 4 !== 0) {
      from -= 2;
    }
  }
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const found = segmenter
    .segment(text.slice(from, at + WHOLE + 1))
    .containing(at - from);
  const start = found ? from + found.index : at;
  return { start, end: start + (found ? found.segment.length : 0) };
}

function around(text: string, at: number): { start: number; end: number } {
  if (at <= 0 || at >= text.length || plainBoundary(text, at)) {
    const edge = Math.min(Math.max(at, 0), text.length);
    return { start: edge, end: edge };
  }
  const { start, end } = grapheme(text, at);
  if (start === at) {
    return { start: at, end: at };
  }
  if (end - start <= WHOLE) {
    return { start, end };
  }
  return splitsPair(text, at)
    ? { start: at - 1, end: at + 1 }
    : { start: at, end: at };
}

/** The last place at or before `at` where the text may be cut. */
export function cutBefore(text: string, at: number): number {
  return around(text, at).start;
}

/** The first place at or after `at` where the text may be cut. */
export function cutAfter(text: string, at: number): number {
  return around(text, at).end;
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
 * Keeps at most `keep` characters at each end (R, Bounding), or null when the
 * text is too short for that to be worth it.
 */
export function cutMiddle(text: string, keep: number): IMiddleCut | null {
  return text.length > 2 * keep + 40
    ? joinEnds(text, cutBefore(text, keep), cutAfter(text, text.length - keep))
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
function cost(text: string, at: number, unit: Unit): number {
  const code = text.charCodeAt(at);
  if (code < 0x80) {
    if (code >= 0x20) {
      return code === 0x22 || code === 0x5c ? 2 : 1;
    }
    return code >= 8 && code <= 13 && code !== 11 ? 2 : 6;
  }
  if (code >= 0xd800 && code < 0xe000) {
    if (isHigh(code) && isLow(text.charCodeAt(at + 1))) {
      return unit === 'bytes' ? 4 : 1;
    }
    if (isLow(code) && at > 0 && isHigh(text.charCodeAt(at - 1))) {
      return unit === 'bytes' ? 0 : 1;
    }
    return 6;
  }
  return unit === 'characters' ? 1 : code < 0x800 ? 2 : 3;
}

/**
 * What the text costs inside JSON without its quotes. Stops counting once
 * the sum is above `enough`.
 */
export function costOf(text: string, unit: Unit, enough = Infinity): number {
  if (text.length > enough) {
    return text.length;
  }
  let sum = 0;
  for (let i = 0; i < text.length && sum <= enough; i++) {
    sum += cost(text, i, unit);
  }
  return sum;
}

/** The length of the longest beginning that costs at most `room` inside JSON. */
export function fittingHead(text: string, room: number, unit: Unit): number {
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
function fittingTail(text: string, room: number, unit: Unit): number {
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
