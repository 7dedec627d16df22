import { JSONExt } from '@lumino/coreutils';
import { isRecord } from '../../protocol/values';
import { joinLines } from '../results/index';

/**
 * A notebook's JSON as JupyterLab holds it once it is loaded. Its copies make
 * the prototype of an object from what stands under the key `__proto__`, and
 * the next copy makes fields of its own from that; in attachments, of which it
 * takes own names only, it is lost.
 */
export function asLoaded(notebook: unknown, text: string): unknown {
  if (!/__proto__|\\u005f/i.test(text)) {
    return notebook;
  }
  const copy = copyOf(notebook);
  if (isRecord(copy) && Array.isArray(copy.cells)) {
    for (const cell of copy.cells) {
      if (isRecord(cell)) {
        cell.attachments = copiedOnce(cell.attachments);
        cell.execution_count = copiedOnce(cell.execution_count);
      }
    }
  }
  return copyOf(copy);
}

/** What is not copied again: own fields, or that it has no place in a shared map. */
function copiedOnce(value: unknown): unknown {
  if (!isRecord(value)) {
    return value;
  }
  return isStorable(value) ? { ...value } : { constructor: null };
}

/**
 * Whether the shared document of a notebook takes a value: it goes by the
 * constructor, for which it takes a field of that name.
 */
export function isStorable(value: unknown): boolean {
  return (
    !isRecord(value) ||
    value.constructor === Object ||
    value.constructor === Array
  );
}

/** JupyterLab's own copy, of a value that JSON.parse made. */
function copyOf(value: unknown): unknown {
  const { deepCopy }: { deepCopy(value: unknown): unknown } = JSONExt;
  return deepCopy(value);
}

/**
 * A cell's attachments as JupyterLab holds them, whichever way they were
 * loaded: the server joins lists of lines, and none is named "data".
 */
export function attachmentsOf(
  attachments: Readonly<Record<string, unknown>>
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(attachments).map(([name, bundle]) => {
      if (!isRecord(bundle)) {
        return [name, bundle];
      }
      const { data: _, ...types } = bundle;
      return [name, joinBundle(types)];
    })
  );
}

/** The number beside a code cell; JupyterLab shows none for 0. */
export function countOf(value: unknown): number | null {
  const count =
    typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && count !== 0 ? count : null;
}

/** A MIME bundle with its lists of lines joined, but for JSON. */
export function joinBundle(
  bundle: Readonly<Record<string, unknown>>
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(bundle).map(([type, value]) => [
      type,
      /^application\/(?:json|.*\+json)$/s.test(type)
        ? value
        : (joinLines(value) ?? value)
    ])
  );
}
