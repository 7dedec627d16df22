const KEPT_NAME = 'jupyterlab-mcp-bridge:left-paths';

/** Paths that are kept over a reload; the ones left longest ago go first. */
const KEPT = 500;

type Kept = Pick<Storage, 'getItem' | 'setItem'>;

/**
 * When something left a path, renamed or deleted: what is there afterwards is
 * something else. Kept over reloads, as revisions are.
 */
export class Leavings {
  constructor(private readonly _storage?: Kept) {
    this._times = new Map(read(_storage));
    this._next = 1 + Math.max(-1, ...[...this._times.values()].flat());
  }

  /** Something leaves a path; returns when. */
  add(path: string): number {
    const now = this._next++;
    const times = [...(this._times.get(path) ?? []), now];
    this._times.delete(path);
    this._times.set(path, times);
    try {
      const kept = [...this._times].slice(-KEPT);
      this._storage?.setItem(KEPT_NAME, JSON.stringify(kept));
    } catch {
      // Storage is full or forbidden: it is known until the reload.
    }
    return now;
  }

  /** How often something left a path, itself or with a folder above it. */
  count(path: string, before = Infinity): number {
    return ways(path)
      .flatMap(([folder]) => this._times.get(folder) ?? [])
      .filter(time => time < before).length;
  }

  private readonly _times: Map<string, readonly number[]>;
  private _next: number;
}

/** A path and the folders it lies in, nearest first, each with what follows it. */
export function ways(path: string): (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    found.push([path.slice(0, end), path.slice(end)]);
  }
  return found;
}

function read(storage: Kept | undefined): [string, number[]][] {
  try {
    const kept: unknown = JSON.parse(storage?.getItem(KEPT_NAME) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(value: unknown): value is [string, number[]] {
  return (
    Array.isArray(value) &&
    typeof value[0] === 'string' &&
    Array.isArray(value[1]) &&
    value[1].every(Number.isSafeInteger)
  );
}
