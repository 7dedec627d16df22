import { type Json, objectFor, setField } from './json';
import {
  tellBigInt,
  tellBytes,
  tellFunction,
  tellNumber,
  tellSpecial
} from './special';

/** Levels of nesting that are told, so that no walk over a result goes deeper. */
export const DEPTH = 500;
/** Objects and arrays that are told: getters can make more without end. */
const OBJECTS = 1_000_000;
/** Items of an array that are looked at: an empty one can have any length. */
export const LONGEST = 5_000_000;
/** Characters that a value is counted as beside those of its text. */
export const EACH = 8;
/** Levels up to which looking through all is quicker than a set. */
const SHALLOW = 16;
/** From here on a number can be a secret: the shortest have 8 characters. */
export const MANY_DIGITS = 1e7;

/**
 * Any value as plain JSON that tells it as what it is (R, Shapes): bytes,
 * widgets, functions, cycles and the like become a note in brackets. Plain
 * JSON comes out the same; it is a copy, because what is told may live on. A
 * field that is undefined is left out. Never throws, whatever getters and
 * proxies do. `objects` is how many are told at most.
 */
export function toJson(value: unknown, objects = OBJECTS): Json {
  return new Teller<null>(objects).tell(value, null, 0);
}

/** Fields by name, whatever holds them. */
export interface IFields {
  readonly [key: string]: unknown;
}

/**
 * Tells values as JSON. A subclass makes more of texts and fields than a copy
 * of them, so that a result is walked once; `place` is what it knows of where
 * they are.
 */
export class Teller<Place> {
  constructor(private _left = OBJECTS) {}

  /** About how many characters were told so far: those of texts and keys, and some for each value. */
  characters = 0;

  tell(value: unknown, place: Place, depth: number): Json {
    switch (typeof value) {
      case 'string':
        return this.text(value, place);
      case 'boolean':
        return value;
      case 'number':
        return Number.isFinite(value)
          ? this.number(value + 0, place)
          : this.text(`${tellNumber(value)}`, place);
      case 'bigint':
        return this.text(tellBigInt(value), place);
      case 'symbol':
        return this.text(`[${String(value)}]`, place);
      case 'function':
      case 'object':
        return value === null ? null : this._guarded(value, place, depth);
      default:
        return null;
    }
  }

  protected text(text: string, _place: Place): string {
    this.characters += text.length;
    return text;
  }

  /** A finite number; those of few digits may be told without a call. */
  protected number(value: number, _place: Place): Json {
    return value;
  }

  /** Where an array's items are. */
  protected inside(place: Place): Place {
    return place;
  }

  /** A plain object's fields. */
  protected fields(value: object, place: Place, depth: number): Json {
    const keys = Object.keys(value);
    const told = objectFor(keys.length);
    const fields: IFields = Object(value);
    for (const key of keys) {
      const field = readField(fields, key);
      if (field !== undefined) {
        this.characters += key.length + EACH;
        setField(told, key, this.tell(field, place, depth + 1));
      }
    }
    return told;
  }

  /** Counts one more object; what stands for it when there were too many. */
  protected count(): string | null {
    return --this._left < 0 ? '[too many values]' : null;
  }

  /** Does something that has been counted before. */
  protected uncounted<T>(action: () => T): T {
    const left = this._left;
    this._left = Infinity;
    try {
      return action();
    } finally {
      this._left = left;
    }
  }

  /** Other people's code runs here; what it throws is not the call's error. */
  private _guarded(value: object, place: Place, depth: number): Json {
    try {
      return typeof value === 'function'
        ? this.text(tellFunction(value), place)
        : this._tellObject(value, place, depth);
    } catch {
      this._leave(value, depth);
      return '[unreadable]';
    }
  }

  private _tellObject(value: object, place: Place, depth: number): Json {
    if (this._isInside(value, depth)) {
      return '[cycle]';
    }
    if (depth >= DEPTH) {
      return '[nested too deeply]';
    }
    const note = this.count();
    if (note !== null) {
      return note;
    }
    this._enter(value, depth);
    const told = Array.isArray(value)
      ? this._tellArray(value, place, depth)
      : this._tellFields(value, place, depth);
    this._leave(value, depth);
    return told;
  }

  private _tellArray(
    items: readonly unknown[],
    place: Place,
    depth: number
  ): Json {
    if (items.length > LONGEST) {
      return this.text(`[Array, ${items.length} items]`, place);
    }
    const inside = this.inside(place);
    const told: Json[] = [];
    for (let i = 0; i < items.length; i++) {
      const item = items[i];
      told.push(
        typeof item === 'number' && item < MANY_DIGITS && item > -MANY_DIGITS
          ? item + 0
          : this.tell(item, inside, depth + 1)
      );
    }
    this.characters += EACH * told.length;
    return told;
  }

  private _tellFields(value: object, place: Place, depth: number): Json {
    if (ArrayBuffer.isView(value)) {
      return this.text(tellBytes(value), place);
    }
    const { toJSON }: { toJSON?: unknown } = value;
    if (typeof toJSON === 'function') {
      const json: unknown = Reflect.apply(toJSON, value, []);
      return this.tell(json, place, depth + 1);
    }
    const isPlain = Object.getPrototypeOf(value) === Object.prototype;
    const special = isPlain ? null : tellSpecial(value);
    return special === null
      ? this.fields(value, place, depth)
      : typeof special === 'string'
        ? this.text(special, place)
        : special;
  }

  private _isInside(value: object, depth: number): boolean {
    for (let i = Math.min(depth, SHALLOW) - 1; i >= 0; i--) {
      if (this._above[i] === value) {
        return true;
      }
    }
    return depth > SHALLOW && this._deep.has(value);
  }

  private _enter(value: object, depth: number): void {
    this._above[depth] = value;
    if (depth >= SHALLOW) {
      this._deep.add(value);
    }
  }

  private _leave(value: object, depth: number): void {
    if (depth >= SHALLOW) {
      this._deep.delete(value);
    }
  }

  /** What the value is in, from the outside in; there may be old ones behind. */
  private readonly _above: object[] = [];
  /** Those of them that are deeper than `SHALLOW`. */
  private readonly _deep = new Set<object>();
}

/** A field's value; an accessor that throws must not hide the other fields. */
export function readField(fields: IFields, key: string): unknown {
  try {
    return fields[key];
  } catch {
    return '[unreadable]';
  }
}
