import { ToolError } from '../calls/errors';
import type { IClock } from '../calls/types';

/** How long a call waits for what others asked for before it. */
export const WAITS_MS = 60_000;

/**
 * One piece of work at a time for each key, in the order it was asked for:
 * restarts of one kernel would drop each other's answers, and of two that read
 * and write one file the second would write over the first unseen.
 */
export class Turns {
  /** @param _taken - what a call is refused with that waited too long. */
  constructor(private readonly _taken: () => ToolError) {}

  /**
   * Does the work when everything that was asked for before with one of these
   * keys is over.
   *
   * @throws ToolError operation_in_progress (that took too long)
   */
  take<T>(
    keys: readonly unknown[],
    clock: IClock,
    work: () => Promise<T>
  ): Promise<T> {
    const before = this._over(keys);
    let hasBegun = false;
    const done = within(before, clock, this._taken).then(() => {
      hasBegun = true;
      return work();
    });
    const over = Promise.allSettled([before, done]).then(() => {
      for (const key of keys) {
        if (this._last.get(key) === over) {
          this._last.delete(key);
        }
      }
    });
    keys.forEach(key => this._last.set(key, over));
    // Whoever goes on finds its turn given back; one that waited in vain has none.
    return done.finally(() => (hasBegun ? over : undefined));
  }

  isTaken(keys: readonly unknown[]): boolean {
    return keys.some(key => this._last.has(key));
  }

  /**
   * Waits until all that was asked for so far is over.
   *
   * @throws ToolError operation_in_progress (that took too long)
   */
  async over(keys: readonly unknown[], clock: IClock): Promise<void> {
    if (this.isTaken(keys)) {
      await within(this._over(keys), clock, this._taken);
    }
  }

  private async _over(keys: readonly unknown[]): Promise<void> {
    await Promise.all(keys.map(key => this._last.get(key)));
  }

  private readonly _last = new Map<unknown, Promise<void>>();
}

/** Waits for the end of what others do, but not for ever. */
export function within(
  over: Promise<void>,
  clock: IClock,
  taken: () => ToolError
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(WAITS_MS, () => reject(taken()));
    const end = (): void => {
      timer.dispose();
      resolve();
    };
    over.then(end, end);
  });
}

export function beingChanged(): ToolError {
  return new ToolError(
    'operation_in_progress',
    'The kernel is being restarted, or exchanged for another. Nothing was done. What it ran ends with that; call again in a few seconds, and ask get_context for its id then.'
  );
}

export function beingWritten(): ToolError {
  return new ToolError(
    'operation_in_progress',
    'Another call is still writing that file; it may wait for the answer to a dialog (get_context lists them). Nothing was done. Call again when it has ended.'
  );
}
