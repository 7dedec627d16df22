/** Something that can be taken back or closed. */
export interface IDisposable {
  dispose(): void;
}

/** Time, injected. */
export interface IClock {
  /** Milliseconds, monotonic. */
  now(): number;
  /** Calls once after `ms` milliseconds; the result takes it back. */
  after(ms: number, callback: () => void): IDisposable;
}

/** A timer that is later than this was held up: the process or machine slept. */
const LATE_MS = 2000;
/** What came meanwhile is read in that time. */
const GRACE_MS = 3000;

/** What timers are made from. */
export interface ITimers<T> {
  now(): number;
  set(callback: () => void, ms: number): T;
  clear(timer: T): void;
}

/**
 * A clock on such timers. After a sleep a timer is due before anything that
 * came meanwhile is read, answers that were waited for among it: it then gives
 * them a moment.
 */
export function patientClock<T>({ now, set, clear }: ITimers<T>): IClock {
  return {
    now,
    after: (ms, callback) => {
      const due = now() + ms;
      let timer = set(() => {
        if (now() - due > LATE_MS) {
          timer = set(callback, Math.min(ms, GRACE_MS));
        } else {
          callback();
        }
      }, ms);
      return { dispose: () => clear(timer) };
    }
  };
}

/** The process's own clock. */
export const systemClock: IClock = patientClock({
  now: () => performance.now(),
  set: (callback, ms) => setTimeout(callback, ms),
  clear: timer => clearTimeout(timer)
});

/** Resolves after `ms` milliseconds. */
export function pause(clock: IClock, ms: number): Promise<void> {
  return new Promise(resolve => {
    clock.after(ms, resolve);
  });
}
