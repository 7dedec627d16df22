import { ToolError } from '../calls/errors';
import { quote } from '../calls/words';

/**
 * The index of the button that is meant: by its label in any case, else by
 * its index from 0, in digits too.
 * @throws ToolError validation_failed with the buttons there are.
 */
export function findButton(
  labels: readonly string[],
  wanted: string | number
): number {
  const index =
    typeof wanted === 'number' ? wanted : findLabel(labels, wanted.trim());
  if (!Number.isInteger(index) || index < 0 || index >= labels.length) {
    const name = typeof wanted === 'number' ? String(wanted) : quote(wanted);
    throw new ToolError(
      'validation_failed',
      `The dialog has no button ${name}. Its buttons are ${named(labels)}.`
    );
  }
  return index;
}

function findLabel(labels: readonly string[], wanted: string): number {
  const alike = indices(labels, each => fold(each) === fold(wanted));
  if (alike.length === 0) {
    return /^\d{1,3}$/.test(wanted) ? Number(wanted) : -1;
  }
  // Labels that differ only in case are told apart by it.
  const same = indices(labels, each => each.trim() === wanted);
  const found = same.length > 0 ? same : alike;
  if (found.length > 1) {
    throw new ToolError(
      'validation_failed',
      `The dialog has ${found.length} buttons ${quote(wanted)}: give the index. Its buttons are ${named(labels)}.`
    );
  }
  return found[0];
}

function indices(
  labels: readonly string[],
  test: (label: string) => boolean
): number[] {
  return labels.flatMap((label, index) => (test(label) ? index : []));
}

function fold(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase();
}

function named(labels: readonly string[]): string {
  return labels.map((label, index) => `${index} ${quote(label)}`).join(', ');
}
