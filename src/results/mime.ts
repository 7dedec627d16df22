import { type Json } from './json';

export const PLAIN = 'text/plain';
/** Rich data up to this many characters stays beside its plain text. */
const RICH = 2000;

/** No type's name is longer. */
const LONGEST = 256;
const TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(?:;.*)?$/s;
/** Before its parameters. */
const END = '\\s*(?:;|$)';
const BINARY = new RegExp(
  `^(?:(?:image|audio|video)/|application/(?:pdf|octet-stream)${END})`,
  'i'
);
const SVG = new RegExp(`^image/svg\\+xml${END}`, 'i');
const JSON_TYPE = new RegExp(`^application/(?:[^;]*\\+)?json${END}`, 'i');

/** What a MIME type says of its data. */
export interface IMimeType {
  /** Pictures but SVG, sound and the like. */
  readonly isBinary: boolean;
  /** Its data is JSON, where a list is a list and no text. */
  readonly isJson: boolean;
}

/** Types that are remembered: results have few, and many outputs. */
const REMEMBERED = 1000;
const known = new Map<string, IMimeType | null>();

/** What the key of a bundle says, or null where it is no MIME type. */
export function mimeType(key: string): IMimeType | null {
  if (!key.includes('/')) {
    return null;
  }
  const found = known.get(key);
  if (found !== undefined) {
    return found;
  }
  const type = readType(key);
  if (known.size >= REMEMBERED) {
    known.clear();
  }
  known.set(key, type);
  return type;
}

function readType(key: string): IMimeType | null {
  if (key.length > LONGEST || !TYPE.test(key)) {
    return null;
  }
  return {
    isBinary: BINARY.test(key) && !SVG.test(key),
    isJson: JSON_TYPE.test(key)
  };
}

/** A text, or a list of lines as notebook files write one; undefined for anything else. */
export function joinLines(value: unknown): string | undefined {
  if (typeof value === 'string') {
    return value;
  }
  return Array.isArray(value) && value.every(line => typeof line === 'string')
    ? value.join('')
    : undefined;
}

/**
 * The placeholder for a bundle's field that is not plain text (R, Bounding,
 * step 1), or null when the field stays: binary data always goes, other rich
 * data when it is long and the bundle has plain text. The count is of the
 * value itself, of its JSON when it is no text. A placeholder stays what it is.
 */
export function placeholder(
  key: string,
  data: Json,
  bundle: { readonly isBinary: boolean; readonly hasPlain: boolean },
  measure: (value: Json) => number
): string | null {
  const { isBinary, hasPlain } = bundle;
  if (isBinary ? isPlaceholder(data, key) : !hasPlain) {
    return null;
  }
  const length = typeof data === 'string' ? data.length : measure(data);
  const see = hasPlain ? '; see text/plain' : '';
  return isBinary || length > RICH
    ? `[omitted ${key} data, ${length} characters${see}]`
    : null;
}

function isPlaceholder(data: Json, key: string): boolean {
  return (
    typeof data === 'string' &&
    data.length < key.length + 80 &&
    data.startsWith(`[omitted ${key} data, `) &&
    /^\d+ characters(?:; see text\/plain)?\]$/.test(
      data.slice(`[omitted ${key} data, `.length)
    )
  );
}
