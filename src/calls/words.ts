import { CUT, inQuotes } from '../results/quoted';

/** How many characters of a name that somebody else chose a message repeats. */
const SHOWN = 60;

/**
 * A name in double quotes, as messages repeat it: never long, and nothing in
 * it ends the quotes or turns the direction of the text. A secret in it is
 * replaced where the message is presented, also one that is cut off here: its
 * beginning is known by the mark behind it.
 */
export function quote(name: string): string {
  const units = [...name];
  const cut =
    units.length > SHOWN ? `${units.slice(0, SHOWN - 1).join('')}${CUT}` : name;
  return quoteWhole(cut);
}

/** As `quote`, of a name that is needed whole. */
export function quoteWhole(name: string): string {
  return inQuotes(name.toWellFormed());
}

/** The first `most` of them, and how many there are beyond. */
export function list(items: readonly string[], most: number): string {
  const rest = items.length - most;
  return (
    items.slice(0, most).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
  );
}
