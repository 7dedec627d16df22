import { type Json, objectFor, setField } from '../results/json';
import { ToolError } from './errors';
import { quote } from './words';

/** Levels of nesting that are taken, so that no walk behind this goes deeper. */
const DEPTH = 500;
/** Values that are taken: what is shared or made by getters can be endless. */
const VALUES = 200_000;
/** Characters that are taken, of texts and names together. */
const CHARACTERS = 64 * 1024 * 1024;
/** Steps of a path, and characters of each, that a message can show. */
const NAMED = 20;
const SHOWN = 60;
const PROTO = '__proto__';

/** Why a value is no plain JSON: the end of a sentence about "the arguments". */
export class NotJson extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = 'NotJson';
  }
}

/**
 * A copy of a value from outside that is nothing but JSON: pages hand over
 * cycles, Maps, getters and proxies, and all behind this border walk freely.
 * A field that is undefined is left out, as JSON has it; `undefined` itself
 * stays. `__proto__` is a name at the top only: parsers of arguments would
 * drop it further down, without a word. @throws NotJson
 */
export function plainJson(value: unknown): Json | undefined {
  return value === undefined ? value : new Copier().copy(value);
}

/**
 * A call's arguments as plain JSON.
 * @throws ToolError validation_failed
 */
export function plainArguments(args: unknown): Json | undefined {
  try {
    return plainJson(args);
  } catch (reason) {
    throw reason instanceof NotJson
      ? new ToolError(
          'validation_failed',
          `The arguments ${reason.message}. Send plain JSON.`
        )
      : reason;
  }
}

class Copier {
  copy(value: unknown): Json {
    if (--this._values < 0) {
      throw new NotJson('hold too many values');
    }
    switch (typeof value) {
      case 'string':
        this._count(value);
        return value;
      case 'boolean':
        return value;
      case 'number':
        if (!Number.isFinite(value)) {
          throw this._holds(`the number ${value}`);
        }
        return value;
      case 'object':
        return value === null ? null : this._guarded(value);
      default:
        throw this._holds(
          value === undefined ? 'no value' : `a ${typeof value}`
        );
    }
  }

  /** Other people's code runs here. */
  private _guarded(value: object): Json {
    if (this._path.length >= DEPTH) {
      throw new NotJson(
        `are nested in more than ${DEPTH} levels, or hold themselves`
      );
    }
    try {
      return Array.isArray(value) ? this._items(value) : this._fields(value);
    } catch (reason) {
      throw reason instanceof NotJson
        ? reason
        : this._holds('what cannot be read');
    }
  }

  private _items(items: readonly unknown[]): Json[] {
    const copy: Json[] = [];
    const { length } = items;
    for (let i = 0; i < length; i++) {
      this._path.push(i);
      copy.push(this.copy(items[i]));
      this._path.pop();
    }
    return copy;
  }

  private _fields(value: object): Json {
    if (!isPlain(value)) {
      throw this._holds('what is no plain object');
    }
    const names = Object.keys(value);
    const copy = objectFor(names.length);
    for (const name of names) {
      const field: unknown = Reflect.get(value, name);
      if (field !== undefined) {
        this._path.push(name);
        if (name === PROTO && this._path.length > 1) {
          throw this._holds('a name that no object takes');
        }
        this._count(name);
        setField(copy, name, this.copy(field));
        this._path.pop();
      }
    }
    return copy;
  }

  private _count(text: string): void {
    this._characters -= text.length;
    if (this._characters < 0) {
      throw new NotJson('hold too much text');
    }
  }

  /** What is no JSON, and where. */
  private _holds(what: string): NotJson {
    if (this._path.length === 0) {
      return new NotJson(`are ${what}`);
    }
    const path = this._path
      .slice(0, NAMED)
      .map((part, i) =>
        typeof part === 'number'
          ? `[${part}]`
          : `${i > 0 ? '.' : ''}${part.slice(0, SHOWN)}`
      )
      .join('');
    return new NotJson(`hold ${what} at ${quote(path)}`);
  }

  private _values = VALUES;
  private _characters = CHARACTERS;
  private readonly _path: (string | number)[] = [];
}

/** Of another frame of the page too, whose `Object` is another. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    prototype === null ||
    (typeof prototype === 'object' && Object.getPrototypeOf(prototype) === null)
  );
}
