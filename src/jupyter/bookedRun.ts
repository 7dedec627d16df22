import type { RunBook } from './runBook';
import type { IRunOptions } from './runOutcome';
import { withInterrupt } from './runResult';
import type { IActiveRun } from './runTypes';
import type { IRunResult } from './types';

/**
 * A run that stands in the book for as long as it lasts, its result with what
 * the book knows of it.
 *
 * @param queuedBehind - what the kernel was busy with when it was sent.
 */
export async function bookedRun(
  book: RunBook,
  run: IActiveRun,
  queuedBehind: string | undefined,
  start: (
    follow: Pick<IRunOptions, 'sent' | 'isInterrupted'>
  ) => Promise<IRunResult>
): Promise<IRunResult> {
  const entry = book.begin(run);
  try {
    const result = withInterrupt(
      await start({
        sent: id => book.sent(id),
        isInterrupted: () => book.interruptedBy(run) !== undefined
      }),
      run.client,
      book.interruptedBy(run)
    );
    return queuedBehind === undefined ? result : { ...result, queuedBehind };
  } finally {
    entry.dispose();
  }
}
