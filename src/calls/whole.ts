import { ToolError } from './errors';

/** Half of a surrogate pair: in a `u` regexp only a lone one matches. */
const HALF = /\p{Surrogate}/u;

/**
 * Whether a text, or any text in a value of plain JSON, holds half of a
 * surrogate pair: no file can hold it, and a kernel that is sent it never
 * answers.
 */
export function holdsHalf(value: unknown): boolean {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') {
      if (HALF.test(next)) {
        return true;
      }
    } else if (typeof next === 'object' && next !== null) {
      for (const [name, inner] of Object.entries(next)) {
        open.push(name, inner);
      }
    }
  }
  return false;
}

/**
 * Refuses a new text with half of a surrogate pair; what is there already may
 * stay.
 * @throws ToolError validation_failed
 */
export function assertWhole(text: string, before = ''): void {
  if (holdsHalf(text) && !holdsHalf(before)) {
    throw new ToolError(
      'validation_failed',
      'The new text holds half of a surrogate pair, which no file can hold. Send whole characters.'
    );
  }
}
