import { fieldOf, type IJsonObject, type Json } from './json';

const PLAIN = 'text/plain';
/** Rich data up to this many characters stays beside its plain text. */
const RICH = 2000;

/** No type's name is longer. */
const LONGEST = 256;
const TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(?:;.*)?$/s;
const BINARY =
  /^(?:(?:image|audio|video)\/|application\/(?:pdf|octet-stream)$)/;
const JSON_TYPE = /^application\/(?:.*\+)?json$/;

/** The type without parameters, in small letters. */
function bareType(key: string): string {
  return key.split(';', 1)[0].trim().toLowerCase();
}

/** Whether this is a MIME bundle: an object whose keys are all MIME types. */
export function isBundle(object: IJsonObject): boolean {
  const keys = Object.keys(object);
  return keys.length > 0 && keys.every(isType);
}

function isType(key: string): boolean {
  return key.includes('/') && key.length <= LONGEST && TYPE.test(key);
}

/** Whether data of this type is JSON, where a list is a list and no text. */
export function isJsonType(key: string): boolean {
  return JSON_TYPE.test(bareType(key));
}

function isBinaryType(key: string): boolean {
  const type = bareType(key);
  return BINARY.test(type) && type !== 'image/svg+xml';
}

/** The text of a list of lines, as notebook files write one; else the value. */
export function joinLines(value: Json): Json {
  return Array.isArray(value) && value.every(line => typeof line === 'string')
    ? value.join('')
    : value;
}

/**
 * The placeholder for a bundle's field (R, Bounding, step 1), or null when
 * the field stays: binary data always goes, other rich data when it is long
 * and the bundle has plain text. The count is of the value itself, of its
 * JSON when it is no text. A placeholder stays what it is.
 */
export function placeholder(
  bundle: IJsonObject,
  key: string,
  measure: (value: Json) => number
): string | null {
  const value = key === PLAIN ? undefined : fieldOf(bundle, key);
  if (value === undefined) {
    return null;
  }
  const hasPlain = Object.hasOwn(bundle, PLAIN);
  const binary = isBinaryType(key);
  if (!binary && !hasPlain) {
    return null;
  }
  const data = isJsonType(key) ? value : joinLines(value);
  const length = typeof data === 'string' ? data.length : measure(data);
  const see = hasPlain ? '; see text/plain' : '';
  if (binary) {
    return isPlaceholder(data, key)
      ? null
      : `[omitted ${key} data, ${length} characters${see}]`;
  }
  return length > RICH
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
