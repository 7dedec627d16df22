/** Where one cell stood before and stands now. */
export type Place = readonly [before: number, now: number];

/** The cells of a notebook before a load, or after it. */
export interface ISide {
  /** What each holds: the same number for equal ones. */
  readonly held: readonly number[];
  /** Which of them may have had the id of a cell before it. */
  readonly isStranger: readonly boolean[];
  /** What such cells held that are not in the list. */
  readonly gone?: ReadonlySet<number>;
}

/**
 * Of cells of one id JupyterLab leaves it to the first one and gives new ids
 * to the others. So who has an id after a load need not be who had it before,
 * as long as there are strangers: cells whose ids come from nowhere, or that
 * are gone. A cell that has an id as before is the same one for sure where no
 * stranger can be it: where it also stands between the same cells, or holds
 * the same, and no stranger does so.
 *
 * @param places of cells that have one id before and now, in the order of now
 * @returns which of them are sure, and which may be if their surroundings say so
 */
export function sureOf(
  places: readonly Place[],
  before: ISide,
  now: ISide
): { readonly sure: Place[]; readonly maybe: Place[] } {
  const old = new Strangers(before, places, now.held.length);
  const backwards = places.map(([i, j]): Place => [j, i]);
  const fresh = new Strangers(now, backwards, before.held.length);
  const sure: Place[] = [];
  const maybe: Place[] = [];
  for (const place of places) {
    const [i, j] = place;
    const isEqual = before.held[i] === now.held[j];
    const isInPlace = old.isInPlace(i, j) && fresh.isInPlace(j, i);
    const rivals = [
      old.rivals(i, j, now.held[j]),
      fresh.rivals(j, i, before.held[i])
    ].filter(each => each !== undefined);
    const isRivalled = rivals.some(({ isHere, isSame, isSameHere }) =>
      isEqual && isInPlace
        ? isSameHere
        : isSame || isHere || !(isEqual || isInPlace)
    );
    if (!isRivalled) {
      sure.push(place);
    } else if (isEqual && isInPlace) {
      maybe.push(place);
    }
  }
  return { sure, maybe };
}

/** What speaks for a stranger. */
interface IRivals {
  /** One stands where the cell would. */
  readonly isHere: boolean;
  /** One holds what the cell would. */
  readonly isSame: boolean;
  readonly isSameHere: boolean;
}

/** The strangers of one side, and where they stand on the other one. */
class Strangers {
  constructor(
    private readonly _side: ISide,
    places: readonly Place[],
    otherLength: number
  ) {
    const { held, isStranger } = _side;
    const across = new Map(places);
    const own = held.map((_, at) => at).filter(at => across.has(at));
    const ends = [...own, held.length];
    let from = -1;
    for (const end of ends) {
      const [low, high] = [
        across.get(from) ?? -1,
        across.get(end) ?? otherLength
      ];
      let isStrange = false;
      for (let at = from + 1; at < end; at++) {
        if (isStranger[at]) {
          isStrange = true;
          this._last.set(held[at], at);
          this._lastOfAll = at;
          this._after.add(`${from} ${held[at]}`);
        }
      }
      if (isStrange) {
        this._after.add(String(from));
        if (low < high) {
          this._change(low + 1, 1);
          this._change(high, -1);
        }
      }
      from = end;
    }
    own.forEach((at, n) => {
      this._between.set(at, [
        across.get(own[n - 1]) ?? -1,
        across.get(own[n + 1]) ?? otherLength
      ]);
    });
    let open = 0;
    for (let there = 0; there < otherLength; there++) {
      open += this._changes.get(there) ?? 0;
      this._isCovered.push(open > 0);
    }
  }

  /** Whether a cell stands between the cells between which it stands there. */
  isInPlace(at: number, there: number): boolean {
    const [low, high] = this._between.get(at) ?? [-1, Infinity];
    return low < there && there < high;
  }

  /** Strangers that may have had a cell's id; undefined when there are none. */
  rivals(at: number, there: number, held: number): IRivals | undefined {
    const isGone = this._side.gone?.has(held) ?? false;
    if (this._lastOfAll < at && !this._side.gone?.size) {
      return undefined;
    }
    const isInPlace = this.isInPlace(at, there);
    const isAcross = this._isCovered[there];
    const isSame = isGone || (this._last.get(held) ?? -1) > at;
    return {
      isHere: isAcross || (isInPlace && this._after.has(String(at))),
      isSame,
      isSameHere:
        isGone ||
        (isAcross && isSame) ||
        (isInPlace && this._after.has(`${at} ${held}`))
    };
  }

  private _change(there: number, by: number): void {
    this._changes.set(there, (this._changes.get(there) ?? 0) + by);
  }

  /** The last one that holds each. */
  private readonly _last = new Map<number, number>();
  private _lastOfAll = -1;
  /** After which cell strangers stand, and what they hold. */
  private readonly _after = new Set<string>();
  /** Between which places of the other side each cell stands. */
  private readonly _between = new Map<number, Place>();
  private readonly _changes = new Map<number, number>();
  /** Which places of the other side lie where strangers stand. */
  private readonly _isCovered: boolean[] = [];
}
