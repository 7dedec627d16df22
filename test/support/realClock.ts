import type { IClock } from '../../src/calls/types';

/** The test runner's own time. */
export class RealClock implements IClock {
  now(): number {
    return performance.now();
  }

  after(ms: number, callback: () => void): { dispose(): void } {
    const timer = setTimeout(callback, ms);
    return { dispose: () => clearTimeout(timer) };
  }
}
