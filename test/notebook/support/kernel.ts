import type { NotebookPanel } from '@jupyterlab/notebook';
import { KernelMessage } from '@jupyterlab/services';
import { KernelShellFutureHandler } from '@jupyterlab/services/lib/kernel/future';
import { Signal } from '@lumino/signaling';

/**
 * A kernel connection that answers as the test says. Its requests are
 * JupyterLab's own futures, and its signals come in the order of the real one.
 */
export class ScriptedKernel {
  constructor(readonly id = 'k-1') {}

  readonly name = 'python3';
  readonly clientId = 'page';
  status = 'idle';
  isDisposed = false;
  hasPendingInput = false;
  info: Promise<object> = Promise.resolve({
    language_info: { name: 'python' }
  });
  readonly spec = Promise.resolve(undefined);
  readonly statusChanged = new Signal<this, string>(this);
  connectionStatus = 'connected';
  readonly connectionStatusChanged = new Signal<this, string>(this);
  readonly disposed = new Signal<this, void>(this);
  readonly anyMessage = new Signal<this, unknown>(this);
  readonly iopubMessage = new Signal<this, KernelMessage.IIOPubMessage>(this);
  /** Requests in the order they were sent. */
  readonly requests: ScriptedRequest[] = [];
  /** Answers to prompts, as the kernel got them. */
  readonly inputs: unknown[] = [];

  requestExecute(
    content: { code: string },
    disposeOnDone = true
  ): KernelShellFutureHandler {
    const msg = KernelMessage.createMessage({
      msgType: 'execute_request',
      channel: 'shell',
      session: this.clientId,
      content
    } as never) as unknown as KernelMessage.IExecuteRequestMsg;
    const request = new ScriptedRequest(this, msg, disposeOnDone);
    this.requests.push(request);
    return request.future;
  }

  /** The connection changes: lost, given up, there again. */
  connection(...states: string[]): void {
    for (const state of states) {
      this.connectionStatus = state;
      this.connectionStatusChanged.emit(state);
    }
  }

  async reconnect(): Promise<void> {
    this.connection('connecting', 'connected');
  }

  requestKernelInfo(): Promise<void> {
    return new Promise(() => {});
  }

  sendInputReply(content: unknown): void {
    this.inputs.push(content);
    this.hasPendingInput = false;
  }

  removeInputGuard(): void {
    this.hasPendingInput = false;
  }

  /** The process is gone and the server starts it again. */
  die(): void {
    const msg = message('status', { execution_state: 'restarting' }, 'none');
    this.anyMessage.emit({ msg, direction: 'recv' });
    this.setStatus('restarting');
    this.setStatus('autorestarting');
    this.requests.forEach(({ future }) => future.dispose());
  }

  /** The page lets go of the connection; the kernel goes on. */
  dispose(): void {
    if (!this.isDisposed) {
      this.isDisposed = true;
      this.disposed.emit();
      this.connection('disconnected');
      this.requests.forEach(({ future }) => future.dispose());
    }
  }

  /** The server does not know it any more, and JupyterLab has learned that. */
  vanish(): void {
    this.setStatus('dead');
    this.isDisposed = true;
    this.disposed.emit();
    this.requests.forEach(({ future }) => future.dispose());
  }

  /** Another program restarts it: JupyterLab itself takes no notice. */
  announceRestart(): void {
    this.announceEnd(true);
  }

  announceEnd(restart = false): void {
    this.iopubMessage.emit(
      message(
        'shutdown_reply',
        { status: 'ok', restart },
        'none'
      ) as KernelMessage.IIOPubMessage
    );
  }

  setStatus(status: string): void {
    this.status = status;
    this.statusChanged.emit(status);
  }

  get last(): ScriptedRequest {
    return this.requests[this.requests.length - 1];
  }
}

export class ScriptedRequest {
  constructor(
    private readonly _kernel: ScriptedKernel,
    readonly msg: KernelMessage.IExecuteRequestMsg,
    disposeOnDone: boolean
  ) {
    this.future = new KernelShellFutureHandler(
      () => {},
      msg,
      true,
      disposeOnDone,
      _kernel as never
    );
  }

  readonly future: KernelShellFutureHandler;

  get code(): string {
    return this.msg.content.code;
  }

  /** Something on IOPub, as a kernel sends it while the code runs. */
  async say(type: string, content: object): Promise<void> {
    const msg = message(type, content, this.msg.header.msg_id);
    this._kernel.anyMessage.emit({ msg, direction: 'recv' });
    await this.future.handleMsg(msg);
    this._kernel.iopubMessage.emit(msg as KernelMessage.IIOPubMessage);
  }

  print(text: string): Promise<void> {
    return this.say('stream', { name: 'stdout', text });
  }

  begin(): Promise<void> {
    return this.say('execute_input', { code: this.code });
  }

  async ask(prompt: string, password = false): Promise<void> {
    await this.future.handleMsg(
      message(
        'input_request',
        { prompt, password },
        this.msg.header.msg_id,
        'stdin'
      )
    );
  }

  /** The reply, and that the kernel is idle. */
  async end(content: object): Promise<void> {
    await this.future.handleMsg(
      message('execute_reply', content, this.msg.header.msg_id, 'shell')
    );
    await this.say('status', { execution_state: 'idle' });
  }

  ok(count = 1): Promise<void> {
    return this.end({ status: 'ok', execution_count: count });
  }
}

function message(
  type: string,
  content: object,
  parent: string,
  channel = 'iopub'
): KernelMessage.IMessage {
  return {
    header: {
      msg_type: type,
      msg_id: `m-${type}`,
      session: 'kernel',
      username: '',
      version: '5.3',
      date: ''
    },
    parent_header: { msg_id: parent, session: 'page' },
    metadata: {},
    buffers: [],
    channel,
    content
  } as unknown as KernelMessage.IMessage;
}

/** The state of a notebook's session, as far as runs look at it. */
export interface ISessionScript {
  kernel: ScriptedKernel | null;
  asksPerson?: boolean;
  prevKernelName?: string;
  isTerminating?: boolean;
  pendingInput?: boolean;
  isRestarting?: boolean;
  /** The server does not know the session any more. */
  isForgotten?: boolean;
  /** Told when the session is asked for another kernel. */
  changing?: () => void;
  /** What JupyterLab shows of the kernel. */
  displayStatus?: string;
  /** Told when `isRestarting` or `displayStatus` changes; filled in. */
  changed?: () => void;
}

/** Puts a scripted session behind an open notebook; returns what was asked of it. */
export function attachSession(
  panel: NotebookPanel,
  script: ISessionScript
): string[] {
  const asked: string[] = [];
  const statusChanged = new Signal<object, string>(script);
  script.changed = () => statusChanged.emit('unknown');
  const session = {
    statusChanged,
    disposed: new Signal<object, void>(script),
    get session() {
      const { kernel } = script;
      const changeKernel = async ({ name }: { name: string }) => {
        asked.push(`session: changeKernel ${name}`);
        if (script.isForgotten) {
          throw new Error('Session not found');
        }
        script.changing?.();
        return script.kernel;
      };
      return kernel && { kernel, changeKernel };
    },
    get hasNoKernel() {
      return !script.kernel;
    },
    isTerminating: script.isTerminating ?? false,
    get kernelDisplayStatus() {
      return script.displayStatus ?? 'idle';
    },
    get isRestarting() {
      return script.isRestarting ?? false;
    },
    get pendingInput() {
      return script.pendingInput ?? script.kernel?.hasPendingInput ?? false;
    },
    isDisposed: false,
    dispose(): void {
      this.isDisposed = true;
      script.kernel?.dispose();
    },
    path: panel.context.path,
    prevKernelName: script.prevKernelName ?? '',
    kernelPreference: {},
    initialize: async () => script.asksPerson ?? false,
    startKernel: async () => {
      asked.push('startKernel');
      return true;
    },
    changeKernel: async ({ name }: { name: string }) => {
      asked.push(`changeKernel ${name}`);
      script.kernel = new ScriptedKernel();
    }
  };
  const iopubMessage = new Signal<object, unknown>(session);
  script.kernel?.iopubMessage.connect((_, msg) => iopubMessage.emit(msg));
  Object.assign(session, { iopubMessage });
  Object.defineProperty(panel.context, 'sessionContext', { value: session });
  return asked;
}
