import type { ICodeCellModel } from '@jupyterlab/cells';
import { inTime } from '../calls/inTime';
import type { ICallReport, IClock } from '../calls/types';
import { type KernelEnd, KernelWatch, type WatchedKernel } from './deaths';
import { fromUnheard } from './runResult';
import { SilentRun } from './silence';
import type { IRunResult } from './types';
import { UnheardEnd } from './unheard';

/** What goes with a run. */
export interface IRunOptions {
  readonly report: ICallReport;
  readonly clock: IClock;
  /** Told the id of the request, once it is sent. */
  sent(requestId: string): void;
  /** Told when the kernel begins with it. */
  begun(): void;
  /** Told the model of each other cell that shows it from then on. */
  moved?(model: ICodeCellModel): void;
  /** Told the model of a cell that has a part of its outputs and gets no more. */
  left?(model: ICodeCellModel): void;
  /** Told once when the connection to the kernel is lost, for a while or for good. */
  lost?(): void;
  /** Asks the server which kernels there are; those that are gone end here too. */
  askServer(): Promise<void>;
  /** Whether a client of this tab interrupted the kernel meanwhile. */
  isInterrupted(): boolean;
}

/** Milliseconds in which the end of a kernel follows the interrupt it begins with. */
const FOLLOWS_MS = 500;

/**
 * How a run ends: by its own result, or by the end of its kernel, whichever
 * comes first. No listener is left.
 *
 * @param start - sends the run, and tells the id of its request; the kernel is
 *   watched from before that on.
 * @param onEnd - the result of a run whose kernel went.
 * @param onUnheard - lets go of a run that the kernel answered but whose end
 *   was lost on the way; its outputs.
 */
export async function outcomeOf(
  kernel: WatchedKernel,
  start: (sent: (requestId: string) => void) => Promise<IRunResult>,
  onEnd: (end: KernelEnd) => IRunResult,
  onUnheard: () => unknown[],
  {
    askServer,
    clock,
    isInterrupted,
    lost,
    sent
  }: Omit<IRunOptions, 'report' | 'begun'>
): Promise<IRunResult> {
  let end: (result: IRunResult) => void = () => undefined;
  const ended = new Promise<IRunResult>(resolve => (end = resolve));
  const watch = new KernelWatch(kernel, reason => end(onEnd(reason)), lost);
  let unheard: UnheardEnd | undefined;
  let silent: SilentRun | undefined;
  const follow = (requestId: string): void => {
    sent(requestId);
    silent = new SilentRun(kernel, requestId, clock, askServer);
    unheard = new UnheardEnd(kernel, requestId, clock, reply =>
      end(fromUnheard(reply, onUnheard()))
    );
  };
  try {
    let result = await Promise.race([start(follow), ended]);
    if (mayPrecedeEnd(result) && !isInterrupted()) {
      result = await inTime(ended, FOLLOWS_MS, result, clock);
    }
    return watch.wasLost ? lostSight(result) : result;
  } finally {
    watch.dispose();
    unheard?.dispose();
    silent?.dispose();
  }
}

/**
 * A result of a run whose connection was lost meanwhile. An answer that came
 * is the kernel's own; where none did, the run may have ended before its
 * kernel went.
 */
function lostSight(result: IRunResult): IRunResult {
  return {
    ...result,
    outputsMayBeMissing: true,
    ...(result.end || result.kernelEnded ? { end: 'unknown' } : {})
  };
}

/**
 * A server interrupts what runs before it restarts or ends a kernel, and what
 * was queued behind that is aborted.
 */
function mayPrecedeEnd({ status, errorName }: IRunResult): boolean {
  return status === 'aborted' || errorName === 'KeyboardInterrupt';
}
