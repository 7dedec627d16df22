/** What of a cell tells whether it is the same one as before. */
export interface IMatchable {
  readonly cellType: string;
  readonly source: string;
}

/** For each cell of now, which one of before it is. */
export type Matches = (number | undefined)[];

/** How often what changed is searched for what did not change in it. */
const MAX_DEPTH = 16;

/**
 * Which cells of a notebook are which of what it was, by what they hold and
 * their order. `matches` has those that are known already and is completed.
 *
 * Cells that hold what only one holds are the same wherever they went. Between
 * those, what begins and ends alike is the same. Which of several equal cells
 * is which cannot always be told: one that was added to a row of equal ones may
 * be any of them. Such cells match none: an edit meant for one of them is then
 * refused, and never done to another one.
 */
export function matchCells(
  before: readonly IMatchable[],
  now: readonly IMatchable[],
  matches: Matches,
  mayMatch: {
    readonly before: (i: number) => boolean;
    readonly now: (i: number) => boolean;
  }
): void {
  const numbered = numbering();
  const match = new Match(before.map(numbered), now.map(numbered), matches);
  const all = match.rest(
    before.map((_, i) => i),
    now.map((_, i) => i)
  );
  match.takeSame({
    before: all.before.filter(mayMatch.before),
    now: all.now.filter(mayMatch.now)
  });
  match.takeEdited(all, (i, j) => {
    const isSameType = before[i].cellType === now[j].cellType;
    return isSameType && mayMatch.before(i) && mayMatch.now(j);
  });
}

/** Gives numbers for what cells hold, the same to equal ones. */
export function numbering(): (cell: IMatchable) => number {
  const numbers = new Map<string, number>();
  return ({ cellType, source }) => {
    const key = `${cellType}\n${source}`;
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  };
}

/** Cells that have to do with each other, by their places, in order. */
interface IPart {
  readonly before: readonly number[];
  readonly now: readonly number[];
}

/** Two places of one cell: before and now. */
type Pair = readonly [number, number];

class Match {
  /** @param _before, _now a number for each cell, the same for equal ones */
  constructor(
    private readonly _before: readonly number[],
    private readonly _now: readonly number[],
    private readonly _matches: Matches
  ) {
    this._taken = new Set(_matches);
  }

  /** What of these cells matches none yet. */
  rest(before: readonly number[], now: readonly number[]): IPart {
    return {
      before: before.filter(i => !this._taken.has(i)),
      now: now.filter(j => this._matches[j] === undefined)
    };
  }

  /** Matches cells that hold the same. */
  takeSame(part: IPart): void {
    this._take(this._singles(part));
    const rest = this.rest(part.before, part.now);
    for (const piece of cut(rest, uncrossed(this._pairs()))) {
      this._takePiece(piece, MAX_DEPTH);
    }
  }

  /**
   * A cell that was edited is still the same one, where the cells around it
   * are and no other can be it.
   */
  takeEdited(part: IPart, may: (i: number, j: number) => boolean): void {
    const rest = this.rest(part.before, part.now);
    for (const { before, now } of cut(rest, uncrossed(this._pairs()))) {
      const held = new Set(now.map(j => this._now[j]));
      const isEdited = (i: number, n: number): boolean =>
        !held.has(this._before[i]) && may(i, now[n]);
      if (before.length === now.length && before.every(isEdited)) {
        this._take(before.map((i, n) => [i, now[n]]));
      }
    }
  }

  private _takePiece(piece: IPart, depth: number): void {
    const middle = this._takeEnds(piece);
    const fixed = uncrossed(this._singles(middle));
    if (depth > 0 && fixed.length > 0) {
      this._take(fixed);
      for (const part of cut(this.rest(middle.before, middle.now), fixed)) {
        this._takePiece(part, depth - 1);
      }
    }
  }

  /** Matches how a part begins and ends; returns what is left between. */
  private _takeEnds({ before, now }: IPart): IPart {
    const held = before.map(i => this._before[i]);
    const holds = now.map(j => this._now[j]);
    const shorter = Math.min(held.length, holds.length);
    const begin = countWhile(shorter, k => held[k] === holds[k]);
    const end = countWhile(shorter, k => held.at(-1 - k) === holds.at(-1 - k));
    let [head, tail] = [begin, 0];
    if (begin < Math.max(held.length, holds.length)) {
      // Where both meet, a cell can belong to the one as well as to the other.
      head = Math.min(begin, shorter - end);
      tail = Math.min(end, shorter - begin);
      // So can those of a row of equal cells that goes on in what changed.
      const middle = [
        held.slice(head, held.length - tail),
        holds.slice(head, holds.length - tail)
      ];
      const first = middle.map(each => each.at(0));
      const last = middle.map(each => each.at(-1));
      const [row] = held.slice(head - 1, head);
      while (head > 0 && held[head - 1] === row && first.includes(row)) {
        head--;
      }
      const endRow = held[held.length - tail];
      while (
        tail > 0 &&
        held[held.length - tail] === endRow &&
        last.includes(endRow)
      ) {
        tail--;
      }
    }
    const ends = before.length - tail;
    this._take([
      ...before.slice(0, head).map((i, k): Pair => [i, now[k]]),
      ...before.slice(ends).map((i, k): Pair => [i, now[now.length - tail + k]])
    ]);
    return {
      before: before.slice(head, ends),
      now: now.slice(head, now.length - tail)
    };
  }

  /** Pairs of cells that hold what no other cell of the part does. */
  private _singles({ before, now }: IPart): Pair[] {
    const places = new Map<number, { before: number[]; now: number[] }>();
    const at = (number: number): { before: number[]; now: number[] } => {
      const known = places.get(number) ?? { before: [], now: [] };
      places.set(number, known);
      return known;
    };
    before.forEach(i => at(this._before[i]).before.push(i));
    now.forEach(j => at(this._now[j]).now.push(j));
    return [...places.values()]
      .filter(each => each.before.length === 1 && each.now.length === 1)
      .map((each): Pair => [each.before[0], each.now[0]])
      .sort(([, a], [, b]) => a - b);
  }

  private _pairs(): Pair[] {
    return this._matches.flatMap((i, j): Pair[] =>
      i === undefined ? [] : [[i, j]]
    );
  }

  private _take(pairs: readonly Pair[]): void {
    for (const [i, j] of pairs) {
      this._matches[j] = i;
      this._taken.add(i);
    }
  }

  private readonly _taken: Set<number | undefined>;
}

/** Those of pairs, in the order of now, that kept their place among all. */
function uncrossed(pairs: readonly Pair[]): Pair[] {
  const least: number[] = [];
  pairs.reduceRight((min, [i], n) => (least[n] = Math.min(min, i)), Infinity);
  let most = -1;
  return pairs.filter(([i], n) => {
    const isFirst = i > most;
    most = Math.max(most, i);
    return isFirst && least[n] === i;
  });
}

/** What lies between pairs that are in order, where anything does. */
function* cut(part: IPart, fixed: readonly Pair[]): Iterable<IPart> {
  let [i, j] = [0, 0];
  for (const [endBefore, endNow] of [...fixed, [Infinity, Infinity]]) {
    const [fromBefore, fromNow] = [i, j];
    while (i < part.before.length && part.before[i] < endBefore) {
      i++;
    }
    while (j < part.now.length && part.now[j] < endNow) {
      j++;
    }
    if (i > fromBefore && j > fromNow) {
      yield {
        before: part.before.slice(fromBefore, i),
        now: part.now.slice(fromNow, j)
      };
    }
  }
}

function countWhile(limit: number, holds: (k: number) => boolean): number {
  let k = 0;
  while (k < limit && holds(k)) {
    k++;
  }
  return k;
}
