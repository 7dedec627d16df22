import type { ISessionContext } from '@jupyterlab/apputils';
import type { Kernel, KernelMessage } from '@jupyterlab/services';
import type { CellState } from './notebookTypes';
import { requestIdOf, statusOf } from './messages';

/** A run that was under way when the page went, and the request for it. */
export interface ILostWork {
  readonly kernelId: string;
  readonly request: string;
  /** Whether it waited behind others in its kernel. */
  readonly queued: boolean;
}

type LostSession = Pick<
  ISessionContext,
  'session' | 'iopubMessage' | 'kernelChanged'
>;

/**
 * How far a kernel is with a request of before a reload, from what it tells
 * everybody. It answers in order: once it has answered this page's own first
 * question, it is done with all that was sent before.
 */
export class LostRequest {
  constructor(
    readonly work: ILostWork,
    private readonly _session: LostSession
  ) {
    this._hasBegun = !work.queued;
    _session.iopubMessage.connect(this._onMessage, this);
    _session.kernelChanged.connect(this._onKernel, this);
    this._onKernel();
  }

  /** Whether it is at work or waits, as far as is known. */
  get isUnderWay(): boolean {
    const kernel = this._session.session?.kernel;
    return (
      this._end === undefined &&
      kernel?.id === this.work.kernelId &&
      kernel.status !== 'dead' &&
      !this._answered
    );
  }

  /** `unknown` where it ended unseen. */
  get state(): CellState {
    return (
      this._end ??
      (!this.isUnderWay ? 'unknown' : this._hasBegun ? 'running' : 'queued')
    );
  }

  private _onKernel(): void {
    const kernel = this._session.session?.kernel;
    if (kernel?.id === this.work.kernelId) {
      const answered = (): void => this._onAnswer(kernel);
      // Rejects where the connection is given up before.
      kernel.info.then(answered, () => undefined);
    }
  }

  private _onAnswer(kernel: Kernel.IKernelConnection): void {
    if (this._session.session?.kernel === kernel) {
      this._answered = true;
    }
  }

  private _onMessage(_: unknown, msg: KernelMessage.IMessage): void {
    if (requestIdOf(msg) !== this.work.request) {
      return;
    }
    if (msg.header.msg_type === 'error') {
      this._failed = true;
    } else if (statusOf(msg) === 'idle') {
      this._end ??= this._failed ? 'error' : 'done';
      return;
    }
    this._hasBegun = true;
  }

  private _hasBegun: boolean;
  private _failed = false;
  private _answered = false;
  private _end: CellState | undefined;
}
