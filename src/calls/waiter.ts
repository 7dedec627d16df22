import type { ICaller, IClock } from './types';

/**
 * One wait for a call: over when its time is, or when its caller gives up.
 * Whoever waits looks again after each change.
 */
export class Waiter {
  constructor(
    clock: IClock,
    ms: number,
    readonly caller: ICaller
  ) {
    this._timer = clock.after(Math.max(0, ms), () => {
      this._isOver = true;
      this.poke();
    });
    caller.signal?.addEventListener('abort', this.poke);
  }

  dispose(): void {
    this._timer.dispose();
    this.caller.signal?.removeEventListener('abort', this.poke);
  }

  get isOver(): boolean {
    return this._isOver;
  }

  get isCancelled(): boolean {
    return this.caller.signal?.aborted ?? false;
  }

  /** Resolves at the next change; only one may wait for it. */
  changed(): Promise<void> {
    return new Promise(resolve => {
      this._wake = resolve;
    });
  }

  /** Something about the call has changed. */
  readonly poke = (): void => {
    this._wake?.();
  };

  private _isOver = false;
  private _wake: (() => void) | null = null;
  private readonly _timer: { dispose(): void };
}
