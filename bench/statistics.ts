/** Times of one thing, in milliseconds. */
export interface ISummary {
  readonly name: string;
  readonly median: number;
  readonly p95: number;
  readonly runs: number;
}

/** Two things measured in pairs, one right after the other. */
export interface IComparison {
  readonly name: string;
  readonly base: string;
  readonly summaries: readonly ISummary[];
  /** Of the first to the second, pair by pair. */
  readonly ratio: IMiddle;
  /** The first less the second in milliseconds, pair by pair. */
  readonly difference: IMiddle;
}

/** A median, and the range that holds the true one in 19 of 20 benches. */
export interface IMiddle {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** What is measured: it returns the milliseconds that it took. */
export type Timed = () => Promise<number>;

/** Rounds before those that count. */
const WARM_UP = 5;

function quantile(sorted: readonly number[], part: number): number {
  const place = (sorted.length - 1) * Math.min(1, Math.max(0, part));
  const low = sorted[Math.floor(place)] ?? NaN;
  const high = sorted[Math.ceil(place)] ?? NaN;
  return low + (high - low) * (place - Math.floor(place));
}

function inOrder(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}

function summarize(name: string, times: readonly number[]): ISummary {
  const sorted = inOrder(times);
  return {
    name,
    median: quantile(sorted, 0.5),
    p95: quantile(sorted, 0.95),
    runs: sorted.length
  };
}

/** The range is that of order statistics, which asks for no distribution. */
function middle(values: readonly number[]): IMiddle {
  const sorted = inOrder(values);
  const half = 0.98 / Math.sqrt(sorted.length);
  return {
    median: quantile(sorted, 0.5),
    low: quantile(sorted, 0.5 - half),
    high: quantile(sorted, 0.5 + half)
  };
}

/**
 * Measures several things in turn, again and again, so that whatever else the
 * machine does falls on all of them alike. The first rounds warm up.
 *
 * @param settle - awaited before each: what one left to be done (outputs to
 * draw, a status to show) must not count for the next.
 */
export async function inTurn(
  things: Readonly<Record<string, Timed>>,
  rounds: number,
  settle: () => Promise<void>
): Promise<ISummary[]> {
  const all = Object.entries(things).map(([name, run]) => ({
    name,
    run,
    times: [] as number[]
  }));
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const { run, times } of all) {
      await settle();
      const ms = await run();
      if (round >= 0) {
        times.push(ms);
      }
    }
  }
  return all.map(({ name, times }) => summarize(name, times));
}

/**
 * Measures two things in pairs, each first in every other pair. A machine that
 * is slow for a while is slow for both of a pair, so ratios of pairs stay
 * where medians of each alone do not.
 */
export async function inPairs(
  [name, run]: readonly [string, Timed],
  [base, runBase]: readonly [string, Timed],
  rounds: number,
  settle: () => Promise<void>
): Promise<IComparison> {
  const times: number[] = [];
  const baseTimes: number[] = [];
  for (let round = -WARM_UP; round < rounds; round++) {
    const order =
      round % 2 === 0
        ? ([
            [run, times],
            [runBase, baseTimes]
          ] as const)
        : ([
            [runBase, baseTimes],
            [run, times]
          ] as const);
    for (const [each, kept] of order) {
      await settle();
      const ms = await each();
      if (round >= 0) {
        kept.push(ms);
      }
    }
  }
  const pairs = times.map((ms, i) => [ms, baseTimes[i] ?? NaN] as const);
  return {
    name,
    base,
    summaries: [summarize(name, times), summarize(base, baseTimes)],
    ratio: middle(pairs.map(([ms, of]) => ms / of)),
    difference: middle(pairs.map(([ms, of]) => ms - of))
  };
}
