import { wellFormed } from './text';

/** A shorter one could be a word of anybody's text. */
const SHORTEST = 8;

/** Up to this length a text is searched before it is replaced in. */
const SHORT = 200;

/** What stands in a secret's place (contract: Policy). */
export const REDACTED = '[redacted]';

/** Replaces secrets in a text, in one pass. */
export type Redact = (text: string) => string;

/**
 * A function that replaces the given secrets, also as they stand in a URL.
 * Shorter ones than 8 characters are left alone. Where two begin at the same
 * place, the longer one counts.
 */
export function redactor(secrets: Iterable<string>): Redact {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (secret.length >= SHORTEST) {
      forms.add(wellFormed(secret));
      forms.add(encodeURIComponent(wellFormed(secret)));
    }
  }
  if (forms.size === 0) {
    return text => text;
  }
  const pattern = new RegExp(
    [...forms]
      .sort((a, b) => b.length - a.length)
      .map(form => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
      .join('|'),
    'g'
  );
  const searched = [...forms];
  const shortest = Math.min(...searched.map(form => form.length));
  // Nearly no text has one, and to look for each is quicker in a short text.
  const isIn = (text: string) =>
    text.length > SHORT || searched.some(form => text.includes(form));
  return text =>
    text.length < shortest || !isIn(text)
      ? text
      : text.replace(pattern, REDACTED);
}
