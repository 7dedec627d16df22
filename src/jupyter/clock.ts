import type { IClock } from '../calls/types';

/**
 * The real clock. It is woken by a dedicated Worker, because browsers wake the
 * timers of a hidden page once a second, later once a minute. Where no Worker
 * can be made (a strict content security policy) the page's own timers do.
 *
 * One alarm serves all timers: nearly every call sets one and takes it back,
 * and a message to the Worker each time is a good part of a short call's cost.
 */
export class WorkerClock implements IClock {
  constructor(private readonly _makeWorker: () => Worker = makeWorker) {}

  now(): number {
    return performance.now();
  }

  after(ms: number, callback: () => void): { dispose(): void } {
    const timer: ITimer = { due: this.now() + ms, callback };
    this._timers.add(timer);
    this._arm(timer.due);
    return { dispose: () => void this._timers.delete(timer) };
  }

  /** Takes back every timer and ends the Worker. */
  dispose(): void {
    this._timers.clear();
    clearTimeout(this._own);
    this._worker?.terminate();
    this._worker = null;
  }

  /** Sets the alarm, unless it rings before anyway. */
  private _arm(due: number): void {
    if (due >= this._alarm) {
      return;
    }
    this._alarm = due;
    const ms = Math.max(0, Math.ceil(due - this.now()));
    const worker = this._start();
    if (worker) {
      worker.postMessage(ms);
    } else {
      clearTimeout(this._own);
      this._own = setTimeout(() => this._ring(), ms);
    }
  }

  /** One timer a ring, so that one that throws keeps no other from its turn. */
  private _ring(): void {
    this._alarm = Infinity;
    const first = this._first();
    if (first && first.due <= this.now()) {
      this._timers.delete(first);
      this._arm(this._first()?.due ?? Infinity);
      first.callback();
    } else {
      // What it was set for was taken back.
      this._arm(first?.due ?? Infinity);
    }
  }

  private _first(): ITimer | undefined {
    let first: ITimer | undefined;
    for (const timer of this._timers) {
      if (!first || timer.due < first.due) {
        first = timer;
      }
    }
    return first;
  }

  private _start(): Worker | null {
    if (!this._started) {
      this._started = true;
      try {
        const worker = this._makeWorker();
        worker.onmessage = () => this._ring();
        // A policy's refusal comes later, as an event.
        worker.onerror = event => {
          event.preventDefault();
          this._fallBack();
        };
        this._worker = worker;
      } catch {
        this._worker = null;
      }
    }
    return this._worker;
  }

  private _fallBack(): void {
    this._worker?.terminate();
    this._worker = null;
    this._alarm = Infinity;
    this._arm(this._first()?.due ?? Infinity);
  }

  /** When the alarm rings next. */
  private _alarm = Infinity;
  private _started = false;
  private _worker: Worker | null = null;
  private _own: ReturnType<typeof setTimeout> | undefined;
  private readonly _timers = new Set<ITimer>();
}

interface ITimer {
  readonly due: number;
  readonly callback: () => void;
}

/** What the Worker runs: milliseconds set its alarm anew. */
const SOURCE = `let alarm;
onmessage = ({ data }) => {
  clearTimeout(alarm);
  alarm = setTimeout(postMessage, data, null);
};`;

function makeWorker(): Worker {
  // From a Blob: no file of its own for bundlers, servers and base URLs.
  const url = URL.createObjectURL(
    new Blob([SOURCE], { type: 'text/javascript' })
  );
  try {
    return new Worker(url);
  } finally {
    URL.revokeObjectURL(url);
  }
}
