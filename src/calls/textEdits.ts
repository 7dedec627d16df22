import { ToolError } from './errors';

/** A piece of text to put in place of `start` to `end` (UTF-16 units). */
export interface ITextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One replacement of a tool call. */
export interface IReplacement {
  readonly old: string;
  readonly new: string;
  /** Every occurrence; without it `old` must occur exactly once. */
  readonly all?: boolean;
}

/**
 * The smallest single edit that turns one text into the other; null when they
 * are equal. It cuts between characters, never inside a surrogate pair,
 * because a shared text cannot hold half of one.
 */
export function smallestEdit(from: string, to: string): ITextEdit | null {
  if (from === to) {
    return null;
  }
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from[start] === to[start]) {
    start++;
  }
  if (insidePair(from, start) || insidePair(to, start)) {
    start--;
  }
  let same = 0;
  while (
    same < shorter - start &&
    from[from.length - 1 - same] === to[to.length - 1 - same]
  ) {
    same++;
  }
  if (
    insidePair(from, from.length - same) ||
    insidePair(to, to.length - same)
  ) {
    same--;
  }
  return {
    start,
    end: from.length - same,
    text: to.slice(start, to.length - same)
  };
}

/**
 * Applies replacements one after the other. Each `old` must occur exactly
 * once in the text as the ones before it left it, unless `all` is set.
 *
 * Throws validation_failed, naming which one and how often it occurs.
 */
export function applyReplacements(
  text: string,
  replacements: readonly IReplacement[]
): string {
  return replacements.reduce((current, replacement, i) => {
    const name = `replacements[${i}].old`;
    if (replacement.old === '') {
      throw new ToolError(
        'validation_failed',
        `${name} is empty. Give the text that is to be replaced, or the whole new text as content.`
      );
    }
    const pieces = current.split(replacement.old);
    const found = pieces.length - 1;
    if (found === 0) {
      throw new ToolError(
        'validation_failed',
        `${name} does not occur in the text. It must match exactly, spaces and line ends included; read the text again and copy it from there.`
      );
    }
    const isAgain = current.includes(
      replacement.old,
      current.indexOf(replacement.old) + 1
    );
    if (isAgain && replacement.all !== true) {
      throw new ToolError(
        'validation_failed',
        `${name} occurs ${found > 1 ? `${found} times` : 'more than once, overlapping itself'}. Take in more of the text around the place that is meant, or set all to true.`
      );
    }
    return pieces.join(replacement.new);
  }, text);
}

/** Whether an offset lies between the two halves of a surrogate pair. */
function insidePair(text: string, offset: number): boolean {
  return (
    offset > 0 &&
    offset < text.length &&
    (text.charCodeAt(offset - 1) & 0xfc00) === 0xd800 &&
    (text.charCodeAt(offset) & 0xfc00) === 0xdc00
  );
}
