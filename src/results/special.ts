import type { Json } from './json';

const DIGITS = 200;

/**
 * What an object that is no plain one is told as: a note in brackets, or what
 * a boxed value holds; null for a plain object.
 */
export function tellSpecial(value: object): Json {
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
      return tellBoxed(value.valueOf());
    default:
      return tellInstance(value, tag);
  }
}

/** Bytes as their kind and number. */
export function tellBytes(value: ArrayBufferView): string {
  return `[${tagOf(value)}, ${value.byteLength} bytes]`;
}

/** A function by its name. */
export function tellFunction(value: object): string {
  return `[function ${text(value, 'name')}]`;
}

/** Digits of a huge one take more than linear time: its size says enough. */
export function tellBigInt(value: bigint): string {
  const small = BigInt.asIntN(4 * DIGITS, value);
  return `[BigInt ${small === value ? value : 'of many digits'}]`;
}

/** JSON has no such numbers, and no negative zero. */
export function tellNumber(value: number): number | string {
  return Number.isFinite(value) ? value + 0 : `[${value}]`;
}

function tellBoxed(value: unknown): Json {
  return typeof value === 'number'
    ? tellNumber(value)
    : typeof value === 'string' || typeof value === 'boolean'
      ? value
      : '[unreadable]';
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
    tag !== 'Object'
      ? tag
      : typeof maker === 'function'
        ? text(maker, 'name')
        : tag;
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
