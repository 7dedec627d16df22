/*
 * What a reader sees as one character. Lengths and offsets are in UTF-16
 * units. A grapheme is kept whole up to `WHOLE` units; a longer one (a letter
 * under hundreds of marks) may be cut, though never inside a surrogate pair.
 */

/** The longest grapheme, in units, that no cut splits. */
const WHOLE = 64;

/** Units that are segmented at once: browsers take longer than linear time. */
const WINDOW = 512;

let shared: Intl.Segmenter | null = null;

function segmenter(): Intl.Segmenter {
  shared ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return shared;
}

/** Whether a unit is the first of a surrogate pair. */
export function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

/** Whether a unit is the second of a surrogate pair. */
export function isLow(unit: number): boolean {
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
  const found = segmenter()
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

/**
 * The graphemes of a text, in linear time. One that is longer than a window
 * comes in pieces.
 */
export function* graphemesOf(text: string): Generator<string> {
  let at = 0;
  while (at < text.length) {
    let end = Math.min(text.length, at + WINDOW);
    if (end < text.length && splitsPair(text, end)) {
      end++;
    }
    let next = at;
    for (const { segment } of segmenter().segment(text.slice(at, end))) {
      // The last one may go on behind the window.
      if (next + segment.length >= end && end < text.length && next > at) {
        break;
      }
      next += segment.length;
      yield segment;
    }
    at = next;
  }
}
