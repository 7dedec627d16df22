/**
 * One piece of work at a time for each key, in the order it was asked for:
 * what reads, checks and writes must not have another between that does so too.
 */
export class InTurn {
  take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const done = (this._last.get(key) ?? Promise.resolve()).then(work);
    const over = done
      .then(
        () => undefined,
        () => undefined
      )
      .then(() => {
        if (this._last.get(key) === over) {
          this._last.delete(key);
        }
      });
    this._last.set(key, over);
    return done;
  }

  /** What every next one of a key waits for; never rejects. */
  private readonly _last = new Map<string, Promise<void>>();
}
