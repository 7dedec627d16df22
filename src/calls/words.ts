/** How many characters of a name that somebody else chose a message repeats. */
const SHOWN = 60;

/**
 * A name in double quotes, as messages repeat it: never long, and nothing in
 * it ends the quotes or turns the direction of the text.
 */
export function quote(name: string): string {
  const units = [...name];
  const cut =
    units.length > SHOWN ? `${units.slice(0, SHOWN - 1).join('')}…` : name;
  return quoteWhole(cut);
}

/** As `quote`, of a name that is needed whole. */
export function quoteWhole(name: string): string {
  return JSON.stringify(name.toWellFormed()).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    character => `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`
  );
}

/** The first `most` of them, and how many there are beyond. */
export function list(items: readonly string[], most: number): string {
  const rest = items.length - most;
  return (
    items.slice(0, most).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
  );
}
