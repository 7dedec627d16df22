import { type Json, isObject, mapArray, mapObject } from './json';
import { formatPath, type Path } from './path';
import { isTerminal } from './prepare';
import { cutMiddle, mayCutMiddle, type Unit } from './text';

/** One of the steps that shorten a result (R, Bounding, step 2). */
export interface IStep {
  /** What a string keeps at each end, in characters or in bytes of UTF-8. */
  readonly keep: number;
  readonly unit: Unit;
  /** Items that an array keeps; null for all. */
  readonly items: number | null;
  /** Whether only strings in outputs and tracebacks are cut. */
  readonly outputsOnly: boolean;
}

/**
 * The steps for a limit, mildest first, without those that only cut what was
 * printed and find nothing long enough there.
 */
export function stepsFor(
  limit: number,
  unit: Unit,
  longestPrinted: number
): readonly IStep[] {
  const characters: Unit = 'characters';
  const steps: IStep[] = [
    { keep: Math.floor(limit / 4), unit, items: null, outputsOnly: true },
    { keep: 1000, unit: characters, items: null, outputsOnly: true },
    { keep: 500, unit: characters, items: 50, outputsOnly: false },
    { keep: 150, unit: characters, items: 10, outputsOnly: false }
  ];
  return steps.filter(
    step =>
      !step.outputsOnly || mayCutMiddle(longestPrinted, step.keep, step.unit)
  );
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
 * The result with one step's cuts made. A traceback keeps its last items,
 * where the error is, any other array its first ones.
 */
export function shorten(
  root: Json,
  step: IStep
): { readonly value: Json; readonly cuts: Cuts } {
  const cuts = new Cuts();
  const path: (string | number)[] = [];
  const place: (string | number)[] = [];

  const walk = (value: Json, inOutputs: boolean, key: string): Json => {
    if (typeof value === 'string') {
      return inOutputs || !step.outputsOnly ? walkString(value) : value;
    }
    if (Array.isArray(value)) {
      return walkArray(value, inOutputs, key);
    }
    return isObject(value)
      ? mapObject(value, (field, name) => {
          path.push(name);
          place.push(name);
          const walked = walk(field, inOutputs || isTerminal(name), name);
          path.pop();
          place.pop();
          return walked;
        })
      : value;
  };

  const walkString = (text: string): string => {
    const cut = cutMiddle(text, step.keep, step.unit);
    if (cut === null) {
      return text;
    }
    const { omitted, head } = cut;
    const total = text.length;
    cuts.add({ path, place, unit: 'characters', total, omitted, head });
    return cut.text;
  };

  const walkArray = (items: Json[], inOutputs: boolean, key: string): Json => {
    const total = items.length;
    const omitted = step.items === null ? 0 : Math.max(0, total - step.items);
    const first = key === 'traceback' ? omitted : 0;
    const kept =
      omitted > 0 ? items.slice(first, first + total - omitted) : items;
    if (omitted > 0) {
      const head = first > 0 ? 0 : kept.length;
      cuts.add({ path, place, unit: 'items', total, omitted, head });
    }
    return mapArray(kept, (item, i) => {
      path.push(first + i);
      place.push(i);
      const walked = walk(item, inOutputs, '');
      path.pop();
      place.pop();
      return walked;
    });
  };

  return { value: walk(root, false, ''), cuts };
}
