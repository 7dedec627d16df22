import type { Kernel, KernelMessage } from '@jupyterlab/services';
import type { ICallReport, IClock, IPrompt } from '../calls/types';
import { KernelWatch } from './deaths';
import { OutputCollector } from './outputs';
import { fromEnd, fromReply } from './runResult';
import { alreadyAnswered, checkAnswer, reportPrompt } from './stdin';
import type { IRunResult } from './types';

/** What shows a prompt to the person where code has no output area. */
export interface IPromptBox {
  /**
   * @param options - `submit` takes the person's answer, once.
   * @returns what takes the box away.
   */
  show(options: {
    readonly kernel: string;
    readonly prompt: string;
    readonly password: boolean;
    readonly submit: (value: string) => void;
  }): { dispose(): void };
}

/** The part of a kernel connection that a run uses. */
export type RunnableKernel = Pick<
  Kernel.IKernelConnection,
  | 'id'
  | 'name'
  | 'status'
  | 'statusChanged'
  | 'connectionStatusChanged'
  | 'disposed'
  | 'anyMessage'
  | 'iopubMessage'
  | 'requestKernelInfo'
  | 'requestExecute'
  | 'removeInputGuard'
>;

/** What goes with a run. */
export interface IRunOptions {
  readonly report: ICallReport;
  readonly clock: IClock;
  /** Told the id of the request, once it is sent. */
  sent(requestId: string): void;
}

/**
 * Runs code in a kernel without a document. Resolves when the run has ended,
 * whether the kernel answered or went; takes back every listener.
 */
export function runCode(
  kernel: RunnableKernel,
  code: string,
  stopOnError: boolean,
  box: IPromptBox,
  { report, clock, sent }: IRunOptions
): Promise<IRunResult> {
  const outputs = new OutputCollector(text => report.printed(text));
  const future = kernel.requestExecute({
    code,
    stop_on_error: stopOnError,
    allow_stdin: true
  });
  sent(future.msg.header.msg_id);
  let prompt: BoxPrompt | null = null;
  let hasBegun = false;
  future.onIOPub = msg => {
    hasBegun ||= msg.header.msg_type === 'execute_input';
    outputs.add(msg);
  };
  future.onReply = msg => addPages(msg, outputs);
  future.onStdin = msg => {
    if (msg.header.msg_type === 'input_request') {
      const request = msg as KernelMessage.IInputRequestMsg;
      prompt?.close();
      prompt = new BoxPrompt(kernel.name, request, box, value =>
        future.sendInputReply({ status: 'ok', value }, request.header)
      );
      reportPrompt(prompt, report, clock);
    }
  };
  return new Promise(resolve => {
    const settle = (result: IRunResult): void => {
      if (prompt?.isOpen()) {
        prompt.close();
        kernel.removeInputGuard();
      }
      resolve(
        watch.wasLost ? { ...result, outputsMayBeMissing: true } : result
      );
      watch.dispose();
      future.dispose();
    };
    const watch = new KernelWatch(kernel, end =>
      settle(fromEnd(end, outputs.outputs(), hasBegun))
    );
    future.done.then(
      reply => settle(fromReply(reply.content, outputs.outputs())),
      // Without a word from the kernel: the connection dropped the run.
      () => settle(fromEnd({ kind: 'closed' }, outputs.outputs(), hasBegun))
    );
  });
}

/** `?name` answers with a page, which an output area shows as an output. */
function addPages(
  msg: KernelMessage.IExecuteReplyMsg,
  outputs: OutputCollector
): void {
  const payload: unknown = Reflect.get(msg.content, 'payload');
  const page: unknown = Array.isArray(payload)
    ? payload.find(
        item =>
          typeof item === 'object' &&
          item !== null &&
          Reflect.get(item, 'source') === 'page'
      )
    : undefined;
  if (typeof page === 'object' && page !== null && 'data' in page) {
    outputs.addOutput({
      output_type: 'display_data',
      data: page.data,
      metadata: {}
    });
  }
}

class BoxPrompt implements IPrompt {
  constructor(
    kernel: string,
    request: KernelMessage.IInputRequestMsg,
    box: IPromptBox,
    private readonly _send: (value: string) => void
  ) {
    this.prompt = request.content.prompt;
    this.password = request.content.password;
    this._shown = box.show({
      kernel,
      prompt: this.prompt,
      password: this.password,
      submit: value => this._submit(value)
    });
  }

  readonly prompt: string;
  readonly password: boolean;

  isOpen(): boolean {
    return this._isOpen;
  }

  answer(value: string): void {
    checkAnswer(this.password, value);
    if (!this._isOpen) {
      throw alreadyAnswered();
    }
    this._submit(value);
  }

  close(): void {
    this._isOpen = false;
    this._shown.dispose();
  }

  private _submit(value: string): void {
    if (this._isOpen) {
      this.close();
      this._send(value);
    }
  }

  private _isOpen = true;
  private readonly _shown: { dispose(): void };
}
