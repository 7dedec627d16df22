import { type IJsonObject, type Json } from './json';
import { parsePath, valueAt } from './path';
import type { Redact } from './redact';
import { type IPart, sliceRange } from './text';

/** A part of a kept result's field. */
export interface IKeptPart extends IPart {
  /** The field's path; empty for the whole result. */
  readonly field: string;
  /** Characters of the field. */
  readonly total: number;
  /** A secret is replaced in it that was not known when it was kept. */
  readonly altered?: true;
}

/** What reading a kept result gives. */
export type KeptReading =
  | { readonly found: IKeptPart }
  /** There is no such result, not any more, or it is another client's. */
  | { readonly missing: 'result' }
  /** The result has no such field. */
  | { readonly missing: 'field' };

/** A range in characters (UTF-16 units); without a length to the end. */
export interface IRange {
  readonly offset?: number;
  readonly length?: number;
}

/**
 * Results that were cut, whole, for reading on in them (contract: Results on
 * the WebMCP surface). With each stands what it came of, which is not looked at.
 */
export interface IKept<Origin = unknown> {
  /**
   * Keeps a result for a client, `field` being what is read when none is
   * named. Gives its id, or null when it is too large to be kept. It must not
   * be changed any more. `characters` is about how many its JSON has.
   */
  keep(
    client: string,
    whole: IJsonObject,
    field: string,
    characters: number,
    origin?: Origin
  ): string | null;
  /** What a client's result came of, where it is there and that is known. */
  originOf(client: string, resultId: string): Origin | undefined;
  /**
   * Reads a range of a field: of its text, or of its JSON when it is none.
   * The empty field is the whole result, and so is `preview` where the result
   * has no field of that name. Secrets of now are replaced before the range is
   * taken, which then counts in the text without them.
   */
  read(
    client: string,
    resultId: string,
    field?: string,
    range?: IRange
  ): KeptReading;
  /** Forgets what was kept for a client that is gone. */
  forget(client: string): void;
}

export interface IKeptOptions {
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  /** At least 0, less than 1. */
  readonly random: () => number;
  /** Replaces the secrets that are known now. */
  readonly redact: Redact;
}

const TIME = 10 * 60 * 1000;
const PER_CLIENT = 50;
const BYTES = 64 * 1024 * 1024;
const PER_CHARACTER = 2;
const FIRST_IDS = 1e9;

interface IEntry<Origin> {
  readonly client: string;
  readonly origin: Origin | undefined;
  readonly whole: IJsonObject;
  readonly field: string;
  readonly bytes: number;
  readonly until: number;
}

/**
 * Ten minutes, 50 results a client, 64 MiB together, the oldest out first. A
 * result is counted as two bytes for each character of its JSON. Ids count up from
 * a random start, so that one of another tab or an earlier page finds nothing.
 */
export class Kept<Origin = unknown> implements IKept<Origin> {
  constructor(private readonly _options: IKeptOptions) {
    this._next = Math.floor(_options.random() * FIRST_IDS);
  }

  keep(
    client: string,
    whole: IJsonObject,
    field: string,
    characters: number,
    origin?: Origin
  ): string | null {
    this._expire();
    const bytes = PER_CHARACTER * characters;
    if (bytes > BYTES) {
      return null;
    }
    this._makeRoom(client, bytes);
    const id = `result-${this._next++}`;
    const until = this._options.now() + TIME;
    this._entries.set(id, { client, origin, whole, field, bytes, until });
    this._bytes += bytes;
    return id;
  }

  originOf(client: string, resultId: string): Origin | undefined {
    return this._find(client, resultId)?.origin;
  }

  read(
    client: string,
    resultId: string,
    field?: string,
    range: IRange = {}
  ): KeptReading {
    const entry = this._find(client, resultId);
    if (entry === undefined) {
      return { missing: 'result' };
    }
    const path = field ?? entry.field;
    const value = lookUp(entry.whole, path);
    if (value === undefined) {
      return { missing: 'field' };
    }
    const original = typeof value === 'string' ? value : JSON.stringify(value);
    const text = this._options.redact(original);
    return {
      found: {
        field: path,
        total: text.length,
        ...(text === original ? {} : { altered: true }),
        ...sliceRange(text, range.offset ?? 0, range.length)
      }
    };
  }

  forget(client: string): void {
    for (const [id, entry] of this._entries) {
      if (entry.client === client) {
        this._drop(id, entry);
      }
    }
  }

  /** Another client's is as none. */
  private _find(client: string, resultId: string): IEntry<Origin> | undefined {
    this._expire();
    const entry = this._entries.get(resultId);
    return entry?.client === client ? entry : undefined;
  }

  private _makeRoom(client: string, bytes: number): void {
    let own = 0;
    for (const entry of this._entries.values()) {
      own += entry.client === client ? 1 : 0;
    }
    for (const [id, entry] of this._entries) {
      const tooMany = own >= PER_CLIENT && entry.client === client;
      if (tooMany || this._bytes + bytes > BYTES) {
        this._drop(id, entry);
        own -= entry.client === client ? 1 : 0;
      }
    }
  }

  private _expire(): void {
    const now = this._options.now();
    for (const [id, entry] of this._entries) {
      if (entry.until > now) {
        break;
      }
      this._drop(id, entry);
    }
  }

  private _drop(id: string, entry: IEntry<Origin>): void {
    this._entries.delete(id);
    this._bytes -= entry.bytes;
  }

  /** Oldest first, as a Map keeps them. */
  private _entries = new Map<string, IEntry<Origin>>();
  private _bytes = 0;
  private _next: number;
}

function lookUp(whole: IJsonObject, field: string): Json | undefined {
  const path = parsePath(field);
  const value = path === null ? undefined : valueAt(whole, path);
  return value === undefined && field === 'preview' ? whole : value;
}
