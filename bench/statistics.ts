/** Times of one thing, in milliseconds. */
export interface ISummary {
  readonly name: string;
  readonly median: number;
  readonly p95: number;
  readonly runs: number;
}

function quantile(sorted: readonly number[], part: number): number {
  const place = (sorted.length - 1) * part;
  const low = sorted[Math.floor(place)] ?? NaN;
  const high = sorted[Math.ceil(place)] ?? NaN;
  return low + (high - low) * (place - Math.floor(place));
}

export function summarize(name: string, times: readonly number[]): ISummary {
  const sorted = [...times].sort((a, b) => a - b);
  return {
    name,
    median: quantile(sorted, 0.5),
    p95: quantile(sorted, 0.95),
    runs: sorted.length
  };
}

/**
 * Measures several things in turn, again and again, so that whatever else the
 * machine does falls on all of them alike. The first rounds warm up.
 */
export async function inTurn(
  things: Readonly<Record<string, () => Promise<number>>>,
  rounds: number
): Promise<ISummary[]> {
  const warmUp = 5;
  const names = Object.keys(things);
  const times = new Map(names.map(name => [name, [] as number[]]));
  for (let round = -warmUp; round < rounds; round++) {
    for (const name of names) {
      const ms = await things[name]?.();
      if (round >= 0 && ms !== undefined) {
        times.get(name)?.push(ms);
      }
    }
  }
  return names.map(name => summarize(name, times.get(name) ?? []));
}
