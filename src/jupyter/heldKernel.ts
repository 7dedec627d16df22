import type { Kernel, KernelMessage } from '@jupyterlab/services';
import type { IClock } from '../calls/types';
import { isShutdownReply, noteRestart } from './deaths';

/** How long a kernel connection of our own is kept after its last call. */
export const KEPT_MS = 60_000;

/** A connection of our own, closed a while after its last use. */
export class HeldKernel {
  constructor(
    readonly kernel: Kernel.IKernelConnection,
    private readonly _clock: IClock,
    private readonly _onClosed: () => void
  ) {
    kernel.disposed.connect(this.dispose, this);
    kernel.iopubMessage.connect(this._onMessage, this);
  }

  use(): void {
    this._users++;
    this._timer?.dispose();
    this._timer = null;
  }

  release(): void {
    if (--this._users === 0 && !this._isDisposed) {
      this._timer = this._clock.after(KEPT_MS, () => this.dispose());
    }
  }

  /** Restarts the kernel on this connection, which drops what was to be sent. */
  async restart(): Promise<void> {
    this.use();
    this._isRestarting = true;
    try {
      await this.kernel.restart();
    } finally {
      this._isRestarting = false;
      this.release();
    }
  }

  /** Lets go, because the kernel is restarted on another connection. */
  leaveToRestart(): void {
    noteRestart(this.kernel);
    this.dispose();
  }

  dispose(): void {
    if (this._isDisposed) {
      return;
    }
    this._isDisposed = true;
    this._timer?.dispose();
    this.kernel.disposed.disconnect(this.dispose, this);
    this.kernel.iopubMessage.disconnect(this._onMessage, this);
    this._onClosed();
    this.kernel.dispose();
  }

  /**
   * A kernel that is shut down answers nothing, but its socket may stay; and
   * what JupyterLab still holds back would be sent to the one after it.
   */
  private _onMessage(_: unknown, msg: KernelMessage.IIOPubMessage): void {
    if (isShutdownReply(msg) && !this._isRestarting) {
      // Runs are told why they end before the connection goes.
      void Promise.resolve().then(() => this.dispose());
    }
  }

  private _users = 0;
  private _timer: { dispose(): void } | null = null;
  private _isDisposed = false;
  private _isRestarting = false;
}
