import { CUT, inQuotes } from '../results/quoted';
import type { IClient } from './types';

/** How many characters of a name that somebody else chose a message repeats. */
const SHOWN = 60;

/**
 * A name in double quotes, as messages repeat it: never long, and nothing in
 * it ends the quotes or turns the direction of the text. A secret in it is
 * replaced where the message is presented, also one that is cut off here: its
 * beginning is known by the mark behind it.
 */
export function quote(name: string): string {
  return quoteWhole(brief(name, SHOWN));
}

/** At most so many characters of a text, with a mark where it was cut. */
export function brief(text: string, most: number): string {
  const characters = [...text];
  return characters.length > most
    ? `${characters.slice(0, most - 1).join('')}${CUT}`
    : text;
}

/** As `quote`, of a name that is needed whole. */
export function quoteWhole(name: string): string {
  return inQuotes(name.toWellFormed());
}

/** A client by its name, and the number that tells it from others of that name. */
export function clientName({ name, number }: IClient): string {
  return `${name} (client ${number})`;
}

/** The first `most` of them, and how many there are beyond. */
export function list(items: readonly string[], most: number): string {
  const rest = items.length - most;
  return (
    items.slice(0, most).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
  );
}
