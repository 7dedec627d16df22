import type { Kernel, KernelMessage } from '@jupyterlab/services';
import type { IPrompt } from '../calls/types';
import type { WatchedKernel, KernelEnd } from './deaths';
import { OutputCollector } from './outputs';
import { type IRunOptions, outcomeOf } from './runOutcome';
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
export type RunnableKernel = WatchedKernel &
  Pick<
    Kernel.IKernelConnection,
    'id' | 'name' | 'status' | 'requestExecute' | 'removeInputGuard'
  >;

/**
 * Runs code in a kernel without a document. Resolves when the run has ended,
 * whether the kernel answered or went; takes back every listener.
 */
export function runCode(
  kernel: RunnableKernel,
  code: string,
  stopOnError: boolean,
  box: IPromptBox,
  options: IRunOptions
): Promise<IRunResult> {
  const { report, clock } = options;
  const outputs = new OutputCollector(text => report.printed(text));
  let hasBegun = false;
  const onEnd = (end: KernelEnd): IRunResult =>
    fromEnd(end, outputs.outputs(), hasBegun);

  const start = async (
    sent: (requestId: string) => void
  ): Promise<IRunResult> => {
    const future = kernel.requestExecute({
      code,
      stop_on_error: stopOnError,
      allow_stdin: true
    });
    sent(future.msg.header.msg_id);
    let prompt: BoxPrompt | undefined;
    future.onIOPub = msg => {
      if (msg.header.msg_type === 'execute_input') {
        hasBegun = true;
        options.begun();
      }
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
    cleanUp = () => {
      if (prompt?.isOpen()) {
        prompt.close();
        kernel.removeInputGuard();
      }
      future.dispose();
    };
    try {
      const { content } = await future.done;
      return fromReply(content, outputs.outputs());
    } catch {
      // Without a word from the kernel: the connection dropped the run.
      return onEnd({ kind: 'closed' });
    }
  };

  let cleanUp = (): void => undefined;
  return outcomeOf(
    kernel,
    start,
    onEnd,
    () => outputs.outputs(),
    options
  ).finally(() => cleanUp());
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
