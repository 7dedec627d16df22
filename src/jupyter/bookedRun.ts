import type { ICallReport } from '../calls/types';
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
 * @param report - told of it until the kernel begins with the run.
 */
export async function bookedRun(
  book: RunBook,
  run: IActiveRun,
  queuedBehind: string | undefined,
  report: Pick<ICallReport, 'queued'>,
  start: (
    follow: Pick<IRunOptions, 'sent' | 'begun' | 'moved' | 'isInterrupted'>
  ) => Promise<IRunResult>
): Promise<IRunResult> {
  const entry = book.begin(run);
  report.queued(queuedBehind ?? null);
  try {
    const result = withInterrupt(
      await start({
        sent: id => book.sent(id),
        begun: () => {
          book.begun(run);
          report.queued(null);
        },
        moved: model => entry.moved(model),
        isInterrupted: () => book.interruptedBy(run) !== undefined
      }),
      run.client,
      book.interruptedBy(run)
    );
    return queuedBehind === undefined ? result : { ...result, queuedBehind };
  } finally {
    report.queued(null);
    entry.dispose();
  }
}
