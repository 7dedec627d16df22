import type { IClock } from '../../../src/calls/types';

/** A clock that goes only when it is told to. */
export class FakeClock implements IClock {
  now(): number {
    return this._now;
  }

  after(ms: number, callback: () => void): { dispose(): void } {
    const timer = { due: this._now + ms, callback };
    this._timers.add(timer);
    return { dispose: () => void this._timers.delete(timer) };
  }

  /** How many timers are waiting. */
  get waiting(): number {
    return this._timers.size;
  }

  /** Goes on by `ms`, timers in the order they are due. */
  async advance(ms: number): Promise<void> {
    const end = this._now + ms;
    for (;;) {
      await settle();
      const due = [...this._timers]
        .filter(timer => timer.due <= end)
        .sort((a, b) => a.due - b.due)[0];
      if (!due) {
        break;
      }
      this._timers.delete(due);
      this._now = due.due;
      due.callback();
    }
    this._now = end;
    await settle();
  }

  private _now = 1000;
  private readonly _timers = new Set<{ due: number; callback: () => void }>();
}

/** Lets what promises have started come to rest. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) {
    await Promise.resolve();
  }
}
