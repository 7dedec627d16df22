/** What stands where a text was cut off. */
export const CUT = '…';

/**
 * A text as JSON has it, where nothing in it ends the quotes or turns the
 * direction of the text: control and format characters are escaped as well.
 */
export function inQuotes(text: string): string {
  return JSON.stringify(text).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    character => `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`
  );
}
