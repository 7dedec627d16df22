import type { IClock } from '../calls/types';

/**
 * The real clock. Its timers run in a dedicated Worker, because browsers wake
 * the timers of a hidden page once a second, later once a minute. Where no
 * Worker can be made (a strict content security policy) the page's own timers
 * do.
 */
export class WorkerClock implements IClock {
  constructor(private readonly _makeWorker: () => Worker = makeWorker) {}

  now(): number {
    return performance.now();
  }

  after(ms: number, callback: () => void): { dispose(): void } {
    const id = this._next++;
    const timer: ITimer = { due: this.now() + ms, callback };
    this._timers.set(id, timer);
    const worker = this._start();
    if (worker) {
      worker.postMessage([id, ms]);
    } else {
      this._useOwn(id, timer);
    }
    return {
      dispose: () => {
        if (this._timers.delete(id)) {
          clearTimeout(timer.own);
          this._worker?.postMessage([id]);
        }
      }
    };
  }

  /** Takes back every timer and ends the Worker. */
  dispose(): void {
    for (const timer of this._timers.values()) {
      clearTimeout(timer.own);
    }
    this._timers.clear();
    this._worker?.terminate();
    this._worker = null;
  }

  private _start(): Worker | null {
    if (!this._started) {
      this._started = true;
      try {
        const worker = this._makeWorker();
        worker.onmessage = (event: MessageEvent<unknown>) => {
          if (typeof event.data === 'number') {
            this._fire(event.data);
          }
        };
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
    for (const [id, timer] of this._timers) {
      this._useOwn(id, timer);
    }
  }

  private _useOwn(id: number, timer: ITimer): void {
    const left = Math.max(0, timer.due - this.now());
    timer.own = setTimeout(() => this._fire(id), left);
  }

  private _fire(id: number): void {
    const timer = this._timers.get(id);
    if (timer) {
      this._timers.delete(id);
      timer.callback();
    }
  }

  private _next = 1;
  private _started = false;
  private _worker: Worker | null = null;
  private readonly _timers = new Map<number, ITimer>();
}

interface ITimer {
  due: number;
  callback: () => void;
  own?: ReturnType<typeof setTimeout>;
}

/** What the Worker runs: `[id, ms]` sets a timer, `[id]` takes it back. */
const SOURCE = `const timers = new Map();
onmessage = ({ data: [id, ms] }) => {
  clearTimeout(timers.get(id));
  timers.delete(id);
  if (ms !== undefined) {
    timers.set(id, setTimeout(() => { timers.delete(id); postMessage(id); }, ms));
  }
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
