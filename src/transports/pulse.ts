import type { IClock } from '../calls/types';

/** How often the other end is asked when nothing comes from it. */
const EVERY_MS = 30_000;
/** How long it may leave a question unanswered. */
const ANSWER_MS = 10_000;
/** A timer that is later than this was held up: the machine or the page slept. */
const LATE_MS = 2000;

export interface IPulseOptions {
  readonly clock: IClock;
  /** Milliseconds without a word after which the other end is asked. */
  readonly everyMs?: number;
  /** Milliseconds that it may leave a question unanswered. */
  readonly answerMs?: number;
  /** Sends something that is always answered. */
  ask(): void;
  /** Whether anybody is at the other end for whom it matters. */
  isNeeded(): boolean;
  /** Nothing comes any more, though nobody said so. */
  dead(): void;
}

/**
 * Tells whether a connection still carries anything. A way that broke while
 * nothing was sent (the machine slept, a router forgot it) leaves a socket
 * that looks open for ever. Nothing is asked while nobody is there.
 */
export class Pulse {
  constructor(private readonly _on: IPulseOptions) {}

  /** Something came. */
  heard(): void {
    this._heardAt = this._on.clock.now();
    this._question?.dispose();
    this._question = null;
    if (!this._next && this._on.isNeeded()) {
      this._rest(this._everyMs);
    }
  }

  /** Asks now: something happened that may have broken the way. */
  check(): void {
    if (!this._question) {
      this._ask(true);
    }
  }

  /** Asks nothing more, until something is heard again. */
  stop(): void {
    this._next?.dispose();
    this._next = null;
    this._question?.dispose();
    this._question = null;
  }

  private _rest(ms: number): void {
    const { clock, isNeeded } = this._on;
    this._next = clock.after(ms, () => {
      this._next = null;
      if (!isNeeded()) {
        return;
      }
      const left = this._heardAt + this._everyMs - clock.now();
      this._rest(left > 0 ? left : this._everyMs);
      if (left <= 0) {
        this.check();
      }
    });
  }

  private _ask(again: boolean): void {
    const { clock, ask, dead, answerMs = ANSWER_MS } = this._on;
    const due = clock.now() + answerMs;
    this._question = clock.after(answerMs, () => {
      this._question = null;
      if (again && clock.now() - due > LATE_MS) {
        // The answer may lie there, unread.
        this._ask(false);
      } else {
        dead();
      }
    });
    ask();
  }

  private get _everyMs(): number {
    return this._on.everyMs ?? EVERY_MS;
  }

  private _heardAt = 0;
  private _next: { dispose(): void } | null = null;
  private _question: { dispose(): void } | null = null;
}
