/* eslint-disable no-control-regex -- control characters are what this module is about */
import { isLow } from './graphemes';
import { type IShown, firstOf, lastOf } from './parts';
import type { Redact } from './redact';
import { cleanText } from './terminal';
import { wellFormed } from './text';

/** Characters that are told at once. */
const TOLD = 500;
/** Characters that are played out for that: enough for a progress bar. */
const GATHERED = 8192;
/** How many times as much is gathered before the rest is let go. */
const SPARE = 8;
/** Units of a control sequence at a place where the text is cut. */
const LONGEST = 64;
/** The beginning of a sequence, or of a pair, whose end has not come yet. */
const UNFINISHED = /(?:(?:\x1b\[?|\x9b)[\x20-\x3f]{0,40}|[\ud800-\udbff])$/;

/** Of a huge text an end is played out: more would take too long. */
const PLAYED = 20000;

/**
 * What code prints, gathered until it is told: the last of it, as a terminal
 * shows it and without secrets. Of one that is printed in two parts, neither
 * is told.
 */
export class Printed {
  add(text: string): void {
    this._text += text;
    if (this._text.length > SPARE * GATHERED) {
      // Not for each of many small pieces.
      this._text = rawEnd(this._text, GATHERED);
    }
  }

  /** What came since it was taken last, its last 500 characters. */
  take(redact: Redact): string {
    const text = rawEnd(this._text, GATHERED);
    const whole = finished(text);
    this._text = text.slice(whole.length);
    return lastOf(played(whole), TOLD, redact, 'both').text;
  }

  private _text = '';
}

/** At most `keep` units of the beginning of an output's text, as a terminal shows it. */
export function firstPrinted(
  text: string,
  keep: number,
  redact: Redact
): IShown {
  if (text.length <= PLAYED) {
    return firstOf(played(text), keep, redact);
  }
  const beginning = played(finished(text.slice(0, PLAYED)));
  const shown = firstOf(beginning, keep, redact, 'end');
  return { ...shown, total: text.length };
}

/** At most `keep` units of the end of an output's text, as a terminal shows it. */
export function lastPrinted(
  text: string,
  keep: number,
  redact: Redact
): IShown {
  if (text.length <= PLAYED) {
    return lastOf(played(text), keep, redact);
  }
  const shown = lastOf(played(rawEnd(text, PLAYED)), keep, redact, 'start');
  return { ...shown, total: text.length };
}

function played(text: string): string {
  return wellFormed(cleanText(text));
}

function finished(text: string): string {
  return text.slice(0, UNFINISHED.exec(text)?.index);
}

/** The end of a text, not from the middle of a sequence or a pair on. */
function rawEnd(text: string, most: number): string {
  if (text.length <= most) {
    return text;
  }
  const from = text.length - most;
  const sequence = text.slice(from - LONGEST, from).lastIndexOf('\x1b');
  return text.slice(
    sequence >= 0
      ? from - LONGEST + sequence
      : from + (isLow(text.charCodeAt(from)) ? 1 : 0)
  );
}
