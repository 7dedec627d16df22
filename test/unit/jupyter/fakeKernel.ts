import { Signal } from '@lumino/signaling';
import type { ICallReport, IPrompt } from '../../../src/calls/types';

type Content = Record<string, unknown>;

/** A message with no more in it than the code under test reads. */
export function message(
  type: string,
  content: Content,
  { session = 'kernel-1', channel = 'iopub', parent = 'request-1' } = {}
): never {
  return {
    header: { msg_type: type, msg_id: 'm', session },
    parent_header: { msg_id: parent },
    channel,
    content
  } as never;
}

/** A request whose answer the test gives. */
export class FakeFuture {
  constructor(readonly msg: { header: { msg_id: string }; content: Content }) {
    this.done = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.done.catch(() => undefined);
  }

  readonly done: Promise<{ content: Content }>;
  resolve!: (reply: { content: Content }) => void;
  reject!: (reason: Error) => void;
  onIOPub: (msg: never) => void = () => undefined;
  onReply: (msg: never) => void = () => undefined;
  onStdin: (msg: never) => void = () => undefined;
  readonly answers: unknown[] = [];
  isDisposed = false;

  sendInputReply(content: unknown): void {
    this.answers.push(content);
  }

  dispose(): void {
    if (!this.isDisposed) {
      this.isDisposed = true;
      this.reject(new Error('Canceled future for execute_request message'));
    }
  }
}

/** A kernel connection that does what the test says, and nothing else. */
export class FakeKernel {
  constructor(
    readonly id = 'k-1',
    readonly name = 'python3'
  ) {}

  readonly statusChanged = new Signal<this, never>(this);
  readonly connectionStatusChanged = new Signal<this, never>(this);
  readonly disposed = new Signal<this, void>(this);
  readonly anyMessage = new Signal<this, never>(this);
  readonly iopubMessage = new Signal<this, never>(this);
  connectionStatus = 'connected';
  status = 'idle';
  isDisposed = false;
  readonly futures: FakeFuture[] = [];
  guardsRemoved = 0;
  interrupts = 0;
  infoRequests: { resolve: () => void; reject: (r: Error) => void }[] = [];

  requestExecute(content: Content): FakeFuture {
    const future = new FakeFuture({
      header: { msg_id: `request-${this.futures.length + 1}` },
      content
    });
    this.futures.push(future);
    return future;
  }

  requestKernelInfo(): Promise<void> {
    return new Promise((resolve, reject) =>
      this.infoRequests.push({ resolve, reject })
    );
  }

  removeInputGuard(): void {
    this.guardsRemoved++;
  }

  async interrupt(): Promise<void> {
    this.interrupts++;
  }

  restarts = 0;

  async restart(): Promise<void> {
    this.restarts++;
    this.setStatus('restarting');
    this.setConnection('connecting');
    this.setConnection('connected');
  }

  /** Whether the server can be reached. */
  isReachable = true;
  reconnects = 0;

  async reconnect(): Promise<void> {
    this.reconnects++;
    this.setConnection('connecting');
    this.setConnection(this.isReachable ? 'connected' : 'disconnected');
    if (!this.isReachable) {
      throw new Error('Kernel connection disconnected');
    }
  }

  setStatus(status: string): void {
    this.status = status;
    this.statusChanged.emit(status as never);
  }

  setConnection(status: string): void {
    this.connectionStatus = status;
    this.connectionStatusChanged.emit(status as never);
  }

  /** A message as JupyterLab hands it on: heard first, handled later. */
  receive(msg: never): void {
    this.anyMessage.emit({ msg, direction: 'recv' } as never);
    this.iopubMessage.emit(msg);
  }

  /** What the server says when it found the process gone. */
  autoRestart(): void {
    const msg = message('status', { execution_state: 'restarting' });
    this.anyMessage.emit({ msg, direction: 'recv' } as never);
    this.setStatus('restarting');
    this.iopubMessage.emit(msg);
    this.setStatus('autorestarting');
  }

  dispose(): void {
    if (!this.isDisposed) {
      this.isDisposed = true;
      this.disposed.emit();
      this.futures.forEach(future => future.dispose());
    }
  }
}

/** Notes what a run tells about itself. */
export class FakeReport implements ICallReport {
  text = '';
  readonly prompts: IPrompt[] = [];
  printed(text: string): void {
    this.text += text;
  }
  prompt(prompt: IPrompt): void {
    this.prompts.push(prompt);
  }
  queuedBehind: string | null = null;
  queued(behind: string | null): void {
    this.queuedBehind = behind;
  }
}
