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

/** The process's own clock. */
export const systemClock: IClock = {
  now: () => performance.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return { dispose: () => clearTimeout(timer) };
  }
};

/** Resolves after `ms` milliseconds. */
export function pause(clock: IClock, ms: number): Promise<void> {
  return new Promise(resolve => {
    clock.after(ms, resolve);
  });
}
