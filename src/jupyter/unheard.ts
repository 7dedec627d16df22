import type { KernelMessage } from '@jupyterlab/services';
import type { IClock } from '../calls/types';
import type { WatchedKernel } from './deaths';
import { requestIdOf, statusOf } from './messages';
import type { IReply } from './runResult';

/** Milliseconds without a word of a run that its kernel has answered. */
const QUIET_MS = 2000;

/**
 * Watches for a run that its kernel has answered, but whose end was not
 * published: a kernel that prints faster than the server reads drops what
 * does not fit, and JupyterLab waits for the end for ever.
 *
 * What is published keeps its order. Once the kernel has answered another
 * question, end and all, an end of the run that is not here never comes.
 */
export class UnheardEnd {
  /**
   * @param onUnheard - told once, with the kernel's answer; not where the end
   *   comes after all.
   */
  constructor(
    private readonly _kernel: WatchedKernel,
    private readonly _requestId: string,
    private readonly _clock: IClock,
    private readonly _onUnheard: (reply: IReply) => void
  ) {
    _kernel.anyMessage.connect(this._onMessage, this);
  }

  /** Takes every listener and timer back; nothing is told after it. */
  dispose(): void {
    this._isDisposed = true;
    this._timer?.dispose();
    this._kernel.anyMessage.disconnect(this._onMessage, this);
  }

  private _onMessage(
    _: unknown,
    { msg, direction }: { msg: KernelMessage.IMessage; direction: string }
  ): void {
    if (direction !== 'recv' || requestIdOf(msg) !== this._requestId) {
      return;
    }
    if (msg.channel === 'iopub') {
      this._isQuiet = false;
      if (statusOf(msg) === 'idle') {
        this.dispose();
      }
    } else if (msg.header.msg_type === 'execute_reply') {
      const { content } = msg as KernelMessage.IExecuteReplyMsg;
      this._wait(content);
    }
  }

  private _wait(reply: IReply): void {
    this._isQuiet = true;
    this._timer = this._clock.after(QUIET_MS, () =>
      this._isQuiet ? this._ask(reply) : this._wait(reply)
    );
  }

  private _ask(reply: IReply): void {
    this._kernel.requestKernelInfo().then(
      () => {
        if (!this._isDisposed) {
          this.dispose();
          this._onUnheard(reply);
        }
      },
      () => undefined // The kernel goes, which others tell.
    );
  }

  private _isQuiet = true;
  private _isDisposed = false;
  private _timer: { dispose(): void } | undefined;
}
