import { ToolError } from '../calls/errors';
import type { IClock } from '../calls/types';

/** How long a call waits for restarts and changes that others asked for. */
export const WAITS_MS = 60_000;

/**
 * What restarts a kernel or gives a document another one, one at a time for
 * each kernel and document, in the order it was asked for: two at once would
 * drop each other's answers, and leave a kernel that nobody knows of.
 */
export class Turns {
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
    const done = within(before, clock).then(work);
    const over = Promise.allSettled([before, done]).then(() => {
      for (const key of keys) {
        if (this._last.get(key) === over) {
          this._last.delete(key);
        }
      }
    });
    keys.forEach(key => this._last.set(key, over));
    return over.then(() => done);
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
      await within(this._over(keys), clock);
    }
  }

  private async _over(keys: readonly unknown[]): Promise<void> {
    await Promise.all(keys.map(key => this._last.get(key)));
  }

  private readonly _last = new Map<unknown, Promise<void>>();
}

/** Waits for the end of a restart or a change, but not for ever. */
export function within(over: Promise<void>, clock: IClock): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(WAITS_MS, () => reject(beingChanged()));
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
