/** What JSON can hold. */
export type Json = null | boolean | number | string | Json[] | IJsonObject;

export interface IJsonObject {
  [key: string]: Json;
}

export function isObject(value: Json | undefined): value is IJsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** More fields than that are a table from the start, as parsers of JSON have it. */
const MANY = 128;

/**
 * An empty object for about as many fields. Engines grow a plain one field by
 * field, which takes far more than linear time for hundreds; one that was made
 * without a prototype is a table to them, also when it has got one.
 */
export function objectFor(fields: number): IJsonObject {
  return fields > MANY
    ? Object.setPrototypeOf(Object.create(null), Object.prototype)
    : {};
}

/** Names of the fields of tables that are finished. */
const NAMES = new WeakMap<IJsonObject, readonly string[]>();

/**
 * Remembers the names of an object's fields. Engines put those of a table in
 * order each time they are asked, which takes as long as to make all its JSON.
 * The object must not be changed after that.
 */
export function finish(object: IJsonObject, names: readonly string[]): void {
  if (names.length > MANY) {
    NAMES.set(object, names);
  }
}

/** As `Object.keys`, of what may be a table. */
export function keysOf(object: IJsonObject): readonly string[] {
  return NAMES.get(object) ?? Object.keys(object);
}

/** Sets a field, also one named like the prototype's. */
export function setField(object: IJsonObject, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true
    });
  } else {
    object[key] = value;
  }
}

/** A field of its own, not one that all objects have. */
export function fieldOf(object: IJsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The array with each item mapped; the very same one when none changed. */
export function mapArray(
  items: Json[],
  map: (item: Json, index: number) => Json
): Json[] {
  let copy: Json[] | null = null;
  for (let i = 0; i < items.length; i++) {
    const item = map(items[i], i);
    if (copy === null && item !== items[i]) {
      copy = items.slice(0, i);
    }
    copy?.push(item);
  }
  return copy ?? items;
}

/**
 * The object with each field mapped; the very same one when none changed.
 * Keys that become the same are told apart by a number.
 */
export function mapObject(
  object: IJsonObject,
  map: (value: Json, key: string) => Json,
  mapKey: (key: string) => string = key => key
): IJsonObject {
  const keys = keysOf(object);
  let copy: IJsonObject | null = null;
  let free: FreeKeys | null = null;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    const value = map(object[key], key);
    const name = mapKey(key);
    if (copy === null && (value !== object[key] || name !== key)) {
      copy = objectFor(keys.length);
      for (const before of keys.slice(0, i)) {
        setField(copy, before, object[before]);
      }
    }
    if (copy) {
      free ??= new FreeKeys(copy);
      setField(copy, free.of(name), value);
    }
  }
  return copy ?? object;
}

/**
 * Names for the fields of one object as they are set: one that it has already
 * gets a number. However many want the same name, the numbers that are taken
 * are passed over once.
 */
export class FreeKeys {
  constructor(private readonly _object: IJsonObject) {}

  of(name: string): string {
    if (!Object.hasOwn(this._object, name)) {
      return name;
    }
    let n = this._next.get(name) ?? 2;
    let key: string;
    do {
      key = `${name} (${n++})`;
    } while (Object.hasOwn(this._object, key));
    this._next.set(name, n);
    return key;
  }

  private readonly _next = new Map<string, number>();
}

/** A copy of the object without some of its fields. */
export function without(
  object: IJsonObject,
  names: readonly string[]
): IJsonObject {
  const keys = keysOf(object);
  const copy = objectFor(keys.length);
  for (const key of keys) {
    if (!names.includes(key)) {
      setField(copy, key, object[key]);
    }
  }
  return copy;
}
