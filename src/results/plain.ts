import { type IJsonObject, type Json, setField } from './json';

/** Levels of nesting that are told, so that no walk over a result goes deeper. */
const DEPTH = 500;
/** Objects and arrays that are told: getters can make more without end. */
const OBJECTS = 1_000_000;
/** Items of an array that are looked at: an empty one can have any length. */
const LONGEST = 5_000_000;
const DIGITS = 200;

/**
 * Any value as plain JSON that tells it as what it is (R, Shapes): bytes,
 * widgets, functions, cycles and the like become a note in brackets. Plain
 * JSON comes out the same; it is a copy, because what is told may live on. A
 * field that is undefined is left out. Never throws, whatever getters and
 * proxies do. `objects` is how many are told at most.
 */
export function toJson(value: unknown, objects = OBJECTS): Json {
  return new Teller(objects).tell(value, 0);
}

class Teller {
  constructor(private _left: number) {}

  tell(value: unknown, depth: number): Json {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        // JSON has no negative zero.
        return Number.isFinite(value) ? value + 0 : `[${value}]`;
      case 'bigint':
        return `[BigInt ${bigDigits(value)}]`;
      case 'symbol':
        return `[${String(value)}]`;
      case 'function':
        return guarded(() => `[function ${nameOf(value)}]`);
      case 'object':
        return value === null
          ? null
          : guarded(() => this._tellObject(value, depth));
      default:
        return null;
    }
  }

  private _tellObject(value: object, depth: number): Json {
    if (this._ancestors.has(value)) {
      return '[cycle]';
    }
    if (depth >= DEPTH) {
      return '[nested too deeply]';
    }
    if (--this._left < 0) {
      return '[too many values]';
    }
    this._ancestors.add(value);
    try {
      return Array.isArray(value)
        ? this._tellArray(value, depth)
        : this._tellFields(value, depth);
    } finally {
      this._ancestors.delete(value);
    }
  }

  private _tellArray(items: readonly unknown[], depth: number): Json {
    if (items.length > LONGEST) {
      return `[Array, ${items.length} items]`;
    }
    const told: Json[] = [];
    for (let i = 0; i < items.length; i++) {
      told.push(this.tell(items[i], depth + 1));
    }
    return told;
  }

  private _tellFields(value: object, depth: number): Json {
    if (ArrayBuffer.isView(value)) {
      return `[${tagOf(value)}, ${value.byteLength} bytes]`;
    }
    const toJSON: unknown = Reflect.get(value, 'toJSON');
    if (typeof toJSON === 'function') {
      return this.tell(Reflect.apply(toJSON, value, []), depth + 1);
    }
    const special = tellSpecial(value);
    if (special !== null) {
      return special;
    }
    const told: IJsonObject = {};
    for (const key of Object.keys(value)) {
      const field = readField(value, key);
      if (field !== undefined) {
        setField(told, key, this.tell(field, depth + 1));
      }
    }
    return told;
  }

  private _ancestors = new Set<object>();
}

/** Other people's code runs here; what it throws is not the call's error. */
function guarded(tell: () => Json): Json {
  try {
    return tell();
  } catch {
    return '[unreadable]';
  }
}

/** A field's value; an accessor that throws must not hide the other fields. */
function readField(value: object, key: string): unknown {
  try {
    return Reflect.get(value, key);
  } catch {
    return '[unreadable]';
  }
}

/** What is no plain object, as a note; null for a plain object. */
function tellSpecial(value: object): Json {
  const tag = tagOf(value);
  if (isPlain(value)) {
    return null;
  }
  switch (tag) {
    case 'ArrayBuffer':
    case 'SharedArrayBuffer':
      return `[${tag}, ${text(value, 'byteLength')} bytes]`;
    case 'Blob':
    case 'File':
      return `[${tag} ${text(value, 'type')}, ${text(value, 'size')} bytes]`;
    case 'Map':
    case 'Set':
      return `[${tag}, ${text(value, 'size')} entries]`;
    case 'Error':
    case 'DOMException':
      return `[${text(value, 'name')}: ${text(value, 'message')}]`;
    case 'Date':
    case 'RegExp':
      return `[${tag} ${String(value)}]`;
    case 'String':
    case 'Number':
    case 'Boolean':
      return toJson(value.valueOf());
    default:
      return tellInstance(value, tag);
  }
}

function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

/** Of this or another frame's `Object`, or of none. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    prototype === null ||
    (typeof prototype === 'object' && Object.getPrototypeOf(prototype) === null)
  );
}

/** A class's instance: its class, and of a widget its id and title. */
function tellInstance(value: object, tag: string): string {
  const maker: unknown = Reflect.get(value, 'constructor');
  const name =
    tag !== 'Object' ? tag : typeof maker === 'function' ? nameOf(maker) : tag;
  const title: unknown = Reflect.get(value, 'title');
  const label =
    typeof title === 'object' && title !== null ? text(title, 'label') : '';
  const id = text(value, 'id');
  return `[${name || 'Object'}${label && ` "${label}"`}${id && `, id ${id}`}]`;
}

function text(value: object, key: string): string {
  const field: unknown = Reflect.get(value, key);
  return typeof field === 'string' || typeof field === 'number'
    ? `${field}`
    : '';
}

function nameOf(maker: object): string {
  return text(maker, 'name');
}

function bigDigits(value: bigint): string {
  // Digits of a huge one take more than linear time: its size says enough.
  const small = BigInt.asIntN(4 * DIGITS, value);
  return small === value ? `${value}` : 'of many digits';
}
