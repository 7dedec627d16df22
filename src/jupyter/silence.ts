import type { Kernel, KernelMessage } from '@jupyterlab/services';
import type { IClock } from '../calls/types';
import type { WatchedKernel } from './deaths';
import { requestIdOf } from './messages';

/** Milliseconds in which a kernel that is free says that it has begun. */
const BEGINS_MS = 1000;

/**
 * Asks once after a run of which nothing is heard. What is sent to a kernel
 * that another program has shut down is answered by nobody, and JupyterLab
 * only finds out at its next look, ten seconds later.
 */
export class SilentRun {
  /** @param ask - has the server asked; kernels that are gone end then. */
  constructor(
    private readonly _kernel: Pick<WatchedKernel, 'anyMessage'>,
    private readonly _requestId: string,
    clock: IClock,
    ask: () => Promise<void>
  ) {
    _kernel.anyMessage.connect(this._onMessage, this);
    this._timer = clock.after(BEGINS_MS, () => {
      this.dispose();
      // Who cannot reach the server is told elsewhere.
      ask().catch(() => undefined);
    });
  }

  /** Takes listener and timer back; nothing is asked after it. */
  dispose(): void {
    this._timer.dispose();
    this._kernel.anyMessage.disconnect(this._onMessage, this);
  }

  private _onMessage(
    _: unknown,
    {
      msg,
      direction
    }: Pick<Kernel.IAnyMessageArgs, 'direction'> & {
      readonly msg: KernelMessage.IMessage;
    }
  ): void {
    if (direction === 'recv' && requestIdOf(msg) === this._requestId) {
      this.dispose();
    }
  }

  private readonly _timer: { dispose(): void };
}
