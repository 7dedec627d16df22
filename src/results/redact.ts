import { Overlaps } from './overlaps';
import { CUT, inQuotes } from './quoted';
import { wellFormed } from './text';

/** A shorter one, or a shorter piece of one, could be a word of anybody's text. */
const SHORTEST = 8;

/** Up to this length a text is searched before it is replaced in. */
const SHORT = 200;

/** What stands in a secret's place (contract: Policy). */
export const REDACTED = '[redacted]';

/** At which of its ends a text was torn off a longer one. */
export type Torn = 'start' | 'end' | 'both';

/**
 * Replaces secrets in a text, in one pass. Of a text that was torn off a
 * longer one also the piece of a secret at that end: best is to replace first
 * and cut then (parts.ts), but a stream comes in parts.
 */
export type Redact = (text: string, torn?: Torn) => string;

/**
 * A function that replaces the given secrets, also as they stand in a URL, in
 * JSON or in HTML, and the beginning of one in front of the mark of a cut.
 * Shorter ones than 8 characters are left alone. Where two begin at the same
 * place, the longer one counts. Its time grows with the text, whatever the
 * secrets are.
 */
export function redactor(secrets: Iterable<string>): Redact {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (secret.length >= SHORTEST) {
      formsOf(wellFormed(secret)).forEach(form => forms.add(form));
    }
  }
  if (forms.size === 0) {
    return text => text;
  }
  const known = new Redactor([...forms]);
  return (text, torn) => known.redact(text, torn);
}

/** A secret as it stands in texts, messages and what code prints of it. */
function formsOf(secret: string): string[] {
  const json = escaped(secret);
  return [
    secret,
    encodeURIComponent(secret),
    json,
    // A message in a result that is read as JSON.
    escaped(json),
    inQuotes(secret).slice(1, -1),
    json.replace(
      /[^\x20-\x7e]/g,
      unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
    ),
    // As Python repeats it.
    secret.replace(/\\/g, '\\\\'),
    secret.replace(/[\\']/g, '\\$&'),
    ...inHtml(secret)
  ];
}

/** As tables and other HTML have it: quotes as they are, or in one of two ways. */
function inHtml(secret: string): string[] {
  const html = secret
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;');
  return [
    html,
    html.replace(/"/g, '&quot;').replace(/'/g, '&#x27;'),
    html.replace(/"/g, '&#34;').replace(/'/g, '&#39;')
  ];
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** A way to write a secret. */
interface IForm {
  readonly text: string;
  readonly overlaps: Overlaps;
}

class Redactor {
  constructor(texts: readonly string[]) {
    this._forms = texts.map(text => ({ text, overlaps: new Overlaps(text) }));
    for (const form of this._forms) {
      const start = form.text.slice(0, SHORTEST);
      this._byStart.set(start, [...(this._byStart.get(start) ?? []), form]);
    }
    this._starts = [...this._byStart.keys()];
    const lengths = texts.map(({ length }) => length);
    this._shortest = Math.min(...lengths);
    this._longest = Math.max(...lengths);
    this._pattern = new RegExp(
      this._starts
        .map(start => start.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
        .join('|'),
      'g'
    );
  }

  redact(text: string, torn?: Torn): string {
    if (text.length <= SHORT && torn === undefined && !this._isNear(text)) {
      return text;
    }
    const tornEnd = torn === 'end' || torn === 'both';
    const tornStart = torn === 'start' || torn === 'both';
    let kept = tornStart ? this._endOfOne(text, tornEnd) : 0;
    let shown = kept > 0 ? REDACTED : '';
    this._forms.forEach(({ overlaps }) => overlaps.begin());
    for (let at = this._next(text, kept); at >= 0;) {
      const length = this._lengthAt(text, at, tornEnd);
      if (length > 0) {
        shown += text.slice(kept, at) + REDACTED;
        kept = at + length;
      }
      at = this._next(text, length > 0 ? kept : at + 1);
    }
    return kept === 0 ? text : shown + text.slice(kept);
  }

  /** Nearly no text has one, and to look for each is quicker in a short text. */
  private _isNear(text: string): boolean {
    if (text.length < this._shortest && !text.includes(CUT)) {
      return false;
    }
    for (const start of this._starts) {
      if (text.includes(start)) {
        return true;
      }
    }
    return false;
  }

  /** Where the next one may begin, or -1. */
  private _next(text: string, from: number): number {
    this._pattern.lastIndex = from;
    return this._pattern.exec(text)?.index ?? -1;
  }

  /** Units of a secret at this place, or of its beginning where the text was cut. */
  private _lengthAt(text: string, at: number, tornEnd: boolean): number {
    let longest = 0;
    for (const form of this._byStart.get(text.slice(at, at + SHORTEST)) ?? []) {
      const same = form.overlaps.lengthAt(text, at);
      const end = at + same;
      if (
        same === form.text.length ||
        text.startsWith(CUT, end) ||
        (tornEnd && end === text.length)
      ) {
        longest = Math.max(longest, same);
      }
    }
    return longest;
  }

  /** Units at the start of a text that are a secret, or the end or middle of one. */
  private _endOfOne(text: string, tornEnd: boolean): number {
    if (text.length < SHORTEST) {
      return 0;
    }
    const start = text.slice(0, SHORTEST);
    const beginning = new Overlaps(text.slice(0, this._longest));
    let longest = 0;
    for (const { text: form } of this._forms) {
      beginning.begin();
      let at = form.indexOf(start);
      while (at >= 0) {
        const same = beginning.lengthAt(form, at);
        if (at + same === form.length || (tornEnd && same === text.length)) {
          longest = Math.max(longest, same);
        }
        at = form.indexOf(start, at + 1);
      }
    }
    return longest;
  }

  private readonly _forms: readonly IForm[];
  private readonly _byStart = new Map<string, readonly IForm[]>();
  private readonly _starts: readonly string[];
  private readonly _shortest: number;
  private readonly _longest: number;
  private readonly _pattern: RegExp;
}
