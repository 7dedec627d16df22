import type { IJsonObject } from './json';
import { parsePath, type Path, valueAt } from './path';

/** The text that a tool reads in parts, as it stands in one of its results. */
export interface IOwnText {
  readonly path: Path;
  readonly text: string;
  /** Where in the whole text it begins; in characters, as `total`. */
  readonly offset: number;
  readonly total: number;
  readonly revision: string | null;
}

/** The text at `field`, a path; null where the result has none. */
export function ownText(whole: IJsonObject, field = ''): IOwnText | null {
  const path = parsePath(field) ?? [];
  const text = path.length > 0 ? valueAt(whole, path) : undefined;
  if (typeof text !== 'string') {
    return null;
  }
  const number = (key: string, otherwise: number) => {
    const value = valueAt(whole, ['range', key]);
    return typeof value === 'number' ? value : otherwise;
  };
  const { revision } = whole;
  const offset = number('offset', 0);
  return {
    path,
    text,
    offset,
    total: number('total', offset + text.length),
    revision: typeof revision === 'string' ? revision : null
  };
}
