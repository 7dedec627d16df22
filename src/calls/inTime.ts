import type { IClock } from './types';

/**
 * What a promise gives within some milliseconds, or `otherwise`. Nothing stays
 * behind of the waiting.
 */
export async function inTime<T, O>(
  promise: Promise<T>,
  ms: number,
  otherwise: O,
  clock: IClock
): Promise<T | O> {
  let timer: { dispose(): void } | undefined;
  const late = new Promise<O>(resolve => {
    timer = clock.after(ms, () => resolve(otherwise));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    timer?.dispose();
  }
}
