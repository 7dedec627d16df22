import { type IJsonObject, type Json, keysOf, setField, without } from './json';
import { formatPath, type Path } from './path';
import { isTerminal } from './prepare';
import { cutMiddle, type Unit } from './text';

/** One of the steps that shorten a result (R, Bounding, step 2). */
interface IStep {
  /** What a string keeps at each end, in characters or in bytes of UTF-8. */
  readonly keep: number;
  readonly unit: Unit;
  /** Items that an array keeps; null for all. */
  readonly items: number | null;
  /** Whether only strings in outputs and tracebacks are cut. */
  readonly outputsOnly: boolean;
}

/** The steps for a limit, mildest first. */
function stepsFor(limit: number, unit: Unit): readonly IStep[] {
  const characters: Unit = 'characters';
  return [
    { keep: Math.floor(limit / 4), unit, items: null, outputsOnly: true },
    { keep: 1000, unit: characters, items: null, outputsOnly: true },
    { keep: 500, unit: characters, items: 50, outputsOnly: false },
    { keep: 150, unit: characters, items: 10, outputsOnly: false }
  ];
}

/** What was left out where, as the agent is told. */
export type Cut =
  | { readonly path: string; readonly omittedCharacters: number }
  | { readonly path: string; readonly omittedItems: number };

/** Cuts that are told one by one; of more there is the number. */
const TOLD = 20;

/** The cut that left out most: what reading on begins with. */
export interface ILargestCut {
  /** In the original. */
  readonly path: Path;
  /** In the shortened result, where arrays may begin later. */
  readonly place: Path;
  readonly unit: 'characters' | 'items';
  readonly total: number;
  readonly omitted: number;
  /** What is kept at the beginning. */
  readonly head: number;
}

/** What a step has cut. Paths are those of the original. */
export class Cuts {
  readonly told: Cut[] = [];
  count = 0;
  largest: ILargestCut | null = null;

  add(cut: ILargestCut): void {
    this.count++;
    if (this.told.length < TOLD) {
      const path = formatPath(cut.path);
      this.told.push(
        cut.unit === 'characters'
          ? { path, omittedCharacters: cut.omitted }
          : { path, omittedItems: cut.omitted }
      );
    }
    this._compare(cut);
  }

  /** Takes over the cuts made elsewhere in the same result. */
  join(cuts: Cuts): void {
    this.count += cuts.count;
    this.told.push(...cuts.told.slice(0, TOLD - this.told.length));
  }

  private _compare(cut: ILargestCut): void {
    const largest = this.largest;
    const more =
      largest === null ||
      (cut.unit === largest.unit
        ? cut.omitted > largest.omitted
        : cut.unit === 'characters');
    if (more) {
      this.largest = { ...cut, path: [...cut.path], place: [...cut.place] };
    }
  }
}

/**
 * What each step makes of a result, mildest first, without those that cannot
 * fit. Each is made when it is asked for.
 */
export function* shortenings(
  root: Json,
  limit: number,
  unit: Unit
): Generator<IShortened> {
  const steps = stepsFor(limit, unit);
  // What the last one cannot bring below the limit, none can.
  const last = shorten(root, steps[steps.length - 1], limit);
  for (const step of last ? steps.slice(0, -1) : []) {
    const shortened = shorten(root, step, limit);
    if (shortened) {
      yield shortened;
    }
  }
  if (last) {
    yield last;
  }
}

/** Fields of a result that are left out or replaced before it is measured. */
const UNCOUNTED = [
  'truncated',
  'truncationNote',
  'truncation',
  'truncationCount',
  'resultId',
  'nextRange'
];

export interface IShortened {
  readonly value: Json;
  readonly cuts: Cuts;
}

/**
 * The result with one step's cuts made. A traceback keeps its last items,
 * where the error is, any other array its first ones. Null once it is sure
 * that the JSON is longer than `limit`, in whatever unit: so what does not fit
 * costs no more than what does.
 */
function shorten(root: Json, step: IStep, limit: number): IShortened | null {
  return new Shortener(step, limit).shorten(root);
}

class Shortener {
  constructor(
    private readonly _step: IStep,
    limit: number
  ) {
    this._left = limit;
  }

  shorten(root: Json): IShortened | null {
    const value = this._walk(root, false, '');
    return this._left < 0 ? null : { value, cuts: this._cuts };
  }

  private _walk(value: Json, inOutputs: boolean, key: string): Json {
    if (typeof value === 'string') {
      const text =
        inOutputs || !this._step.outputsOnly ? this._text(value) : value;
      this._left -= text.length + 2;
      return text;
    }
    if (typeof value !== 'object' || value === null) {
      this._left -= 1;
      return value;
    }
    return Array.isArray(value)
      ? this._array(value, inOutputs, key)
      : this._object(value, inOutputs);
  }

  private _text(text: string): string {
    const { keep, unit } = this._step;
    const cut = cutMiddle(text, keep, unit);
    if (cut === null) {
      return text;
    }
    const { omitted, head } = cut;
    this._add({ unit: 'characters', total: text.length, omitted, head });
    return cut.text;
  }

  private _array(items: Json[], inOutputs: boolean, key: string): Json[] {
    const total = items.length;
    const most = this._step.items;
    const omitted = most === null ? 0 : Math.max(0, total - most);
    const first = key === 'traceback' ? omitted : 0;
    if (omitted > 0) {
      const head = first > 0 ? 0 : total - omitted;
      this._add({ unit: 'items', total, omitted, head });
    }
    const end = first + total - omitted;
    let copy = omitted > 0 ? items.slice(first, end) : null;
    this._left -= 1 + total - omitted;
    for (let i = first; i < end && this._left >= 0; i++) {
      this._path.push(i);
      this._place.push(i - first);
      const item = this._walk(items[i], inOutputs, '');
      this._path.pop();
      this._place.pop();
      if (item !== items[i]) {
        copy ??= items.slice();
        copy[i - first] = item;
      }
    }
    return copy ?? items;
  }

  private _object(object: IJsonObject, inOutputs: boolean): IJsonObject {
    const isRoot = this._path.length === 0;
    let copy: IJsonObject | null = null;
    this._left -= 1;
    for (const key of keysOf(object)) {
      if (this._left < 0) {
        break;
      }
      const isCounted = !isRoot || !UNCOUNTED.includes(key);
      const left = this._left;
      this._left = isCounted ? left - key.length - 4 : Infinity;
      this._path.push(key);
      this._place.push(key);
      const field = this._walk(object[key], inOutputs || isTerminal(key), key);
      this._path.pop();
      this._place.pop();
      if (!isCounted) {
        this._left = left;
      }
      if (field !== object[key]) {
        copy ??= without(object, []);
        setField(copy, key, field);
      }
    }
    return copy ?? object;
  }

  private _add(cut: Omit<ILargestCut, 'path' | 'place'>): void {
    this._cuts.add({ ...cut, path: this._path, place: this._place });
  }

  private readonly _cuts = new Cuts();
  private readonly _path: (string | number)[] = [];
  private readonly _place: (string | number)[] = [];
  /** Characters that are left, if nothing takes more than the least it can. */
  private _left: number;
}
