import { cutAfter, cutBefore } from './graphemes';
import { CUT } from './quoted';
import type { Redact, Torn } from './redact';

/*
 * The ends of a text as agents are shown them. Secrets are replaced before
 * anything is cut, because nobody knows a piece of one afterwards.
 */

/** A part of a text without its secrets. */
export interface IShown {
  readonly text: string;
  /** Units of the whole, without its secrets. */
  readonly total: number;
}

/** At most `keep` units of the beginning. */
export function firstOf(
  text: string,
  keep: number,
  redact: Redact,
  torn?: Torn
): IShown {
  const shown = redact(text, torn);
  return { text: shown.slice(0, cutBefore(shown, keep)), total: shown.length };
}

/** At most `keep` units of the end. */
export function lastOf(
  text: string,
  keep: number,
  redact: Redact,
  torn?: Torn
): IShown {
  const shown = redact(text, torn);
  const from = cutAfter(shown, Math.max(0, shown.length - keep));
  return { text: shown.slice(from), total: shown.length };
}

/** The text, or as much of its beginning as fits with the mark of a cut. */
export function shortened(text: string, width: number, redact: Redact): string {
  const shown = redact(text);
  return shown.length <= width
    ? shown
    : `${shown.slice(0, cutBefore(shown, width - CUT.length))}${CUT}`;
}
