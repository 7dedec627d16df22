import { type IJsonObject, type Json, keysOf } from './json';
import { costOf, type Unit } from './text';

/**
 * How long the value's JSON is, without making it. Stops counting once the
 * sum is above `enough`, and is then only known to be more.
 */
export function measure(value: Json, unit: Unit, enough = Infinity): number {
  switch (typeof value) {
    case 'string':
      return 2 + costOf(value, unit, enough);
    case 'number':
      return lengthOf(value);
    case 'boolean':
      return value ? 4 : 5;
    default:
      return value === null ? 4 : measureInside(value, unit, enough);
  }
}

function measureInside(
  value: Json[] | IJsonObject,
  unit: Unit,
  enough: number
): number {
  let sum = 2;
  if (Array.isArray(value)) {
    sum += Math.max(0, value.length - 1);
    for (let i = 0; i < value.length && sum <= enough;) {
      const texts = unit === 'characters' ? textsAt(value, i) : 0;
      sum +=
        texts > 1
          ? JSON.stringify(value.slice(i, i + texts)).length - texts - 1
          : measure(value[i], unit, enough - sum);
      i += Math.max(1, texts);
    }
    return sum;
  }
  const keys = keysOf(value);
  for (let i = 0; i < keys.length && sum <= enough; i++) {
    const key = keys[i];
    sum += (i === 0 ? 3 : 4) + costOf(key, unit, enough - sum);
    sum += measure(value[key], unit, enough - sum);
  }
  return sum;
}

/** Characters of neighbouring texts that are written at once to be counted. */
const PIECE = 65_536;

/** How many texts stand in a row and are together no longer than a piece. */
function textsAt(items: Json[], from: number): number {
  let left = PIECE;
  let at = from;
  for (; at < items.length; at++) {
    const item = items[at];
    if (typeof item !== 'string' || item.length > left) {
      break;
    }
    left -= item.length;
  }
  return at - from;
}

/** Characters of a number's JSON. */
function lengthOf(value: number): number {
  if (!Number.isInteger(value) || value < 0 || value >= 1e15) {
    return `${value}`.length;
  }
  let length = 1;
  for (let next = 10; value >= next; next *= 10) {
    length++;
  }
  return length;
}

/** Whether the value's JSON is at most `limit` long. */
export function fits(value: Json, unit: Unit, limit: number): boolean {
  return measure(value, unit, limit) <= limit;
}

/** How long the value's JSON is, and how it begins. */
export interface IWritten {
  readonly length: number;
  /** The first `length` characters. */
  beginning(length: number): string;
}

/** The value's JSON where both its length and its beginning are wanted. */
export function write(value: Json, stringify = JSON.stringify): IWritten {
  try {
    const json = stringify(value);
    return {
      length: json.length,
      beginning: length => json.slice(0, length)
    };
  } catch {
    // Longer than a string may be.
    return {
      length: measure(value, 'characters'),
      beginning: length => beginningOf(value, length)
    };
  }
}

/** The first `length` characters of the value's JSON, without making it all. */
function beginningOf(value: Json, length: number): string {
  const parts: string[] = [];
  let left = length;
  const put = (part: string) => {
    parts.push(part);
    left -= part.length;
  };
  const walk = (json: Json): void => {
    if (typeof json === 'string') {
      put(JSON.stringify(json.slice(0, Math.max(0, left))));
    } else if (typeof json !== 'object' || json === null) {
      put(JSON.stringify(json));
    } else if (Array.isArray(json)) {
      for (let i = 0; i < json.length && left > 0; i++) {
        put(i === 0 ? '[' : ',');
        walk(json[i]);
      }
      put(json.length === 0 ? '[]' : ']');
    } else {
      const keys = keysOf(json);
      for (let i = 0; i < keys.length && left > 0; i++) {
        put(i === 0 ? '{' : ',');
        walk(keys[i]);
        put(':');
        walk(json[keys[i]]);
      }
      put(keys.length === 0 ? '{}' : '}');
    }
  };
  walk(value);
  return parts.join('').slice(0, length);
}
