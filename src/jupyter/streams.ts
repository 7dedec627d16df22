import { CodeCell } from '@jupyterlab/cells';
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { IOutputAreaModel } from '@jupyterlab/outputarea';
import type { IOutputModel } from '@jupyterlab/rendermime';
import type { KernelMessage } from '@jupyterlab/services';
import { requestOf } from './cellState';
import { cellOf } from './shownRun';
import { requestIdOf } from './messages';
import { OutputCollector, streamOf } from './outputs';

/** What JupyterLab plays out itself, on the text and not on a screen. */
const PLAYED = /[\b\r]/;

/** A stream that a cell shows otherwise than it was sent. */
interface ISent {
  readonly collected: OutputCollector;
  /** The text that JupyterLab made of it. */
  shown: string;
}

const sent = new WeakMap<IOutputModel, ISent>();

/**
 * The outputs of a cell, streams as the kernel sent them. JupyterLab applies
 * carriage returns and backspaces as a stream comes, and leaves the cursor
 * movements beside them, which go astray in what is left. The text as it came
 * is known of what ran in this page, for as long as the cell shows it; of
 * other outputs, as those of a file, there is only what JupyterLab made.
 */
export function outputsOf(
  outputs: IOutputAreaModel
): Record<string, unknown>[] {
  return Array.from({ length: outputs.length }, (_, i) => {
    const output = outputs.get(i);
    const json = output.toJSON();
    const known = sent.get(output);
    return known && output.streamText?.text === known.shown
      ? { ...json, text: known.collected.outputs()[0]?.text }
      : json;
  });
}

/** A message on its way to a cell, and what it may be added to. */
interface IReached {
  readonly msg: KernelMessage.IIOPubMessage;
  readonly outputs: IOutputAreaModel;
  readonly last: IOutputModel | undefined;
  readonly before: string;
}

/** Keeps the streams of all runs of a notebook in this page, whoever runs them. */
export class SentStreams {
  constructor(private readonly _content: NotebookPanel['content']) {}

  /** Follows a notebook for as long as it is open. */
  static follow({ content, sessionContext }: NotebookPanel): void {
    const streams = new SentStreams(content);
    sessionContext.iopubMessage.connect(streams._onHandled, streams);
  }

  /** Told after a message was handled. */
  private _onHandled(_: unknown, msg: KernelMessage.IMessage): void {
    if (msg.header.msg_type === 'execute_input') {
      this._hook(requestIdOf(msg));
    } else if (msg === this._reached?.msg) {
      add(this._reached);
      this._reached = undefined;
    }
  }

  /** What an Output widget takes for itself does not come by here. */
  private _hook(request: string | undefined): void {
    const cell = this._content.widgets.find(
      (each): each is CodeCell =>
        each instanceof CodeCell &&
        request !== undefined &&
        requestOf(each) === request
    );
    if (!cell) {
      return;
    }
    const { future } = cell.outputArea;
    let shown: CodeCell | undefined = cell;
    future.registerMessageHook(msg => {
      if (shown?.isDisposed) {
        shown = undefined;
      }
      // The person may have moved it.
      shown ??= cellOf(this._content, future);
      if (msg.header.msg_type === 'stream' && shown) {
        const { outputs } = shown.model;
        const last = lastOf(outputs);
        const before = last?.streamText?.text ?? '';
        this._reached = { msg, outputs, last, before };
      }
      return true;
    });
  }

  private _reached: IReached | undefined;
}

function add({ msg, outputs, last, before }: IReached): void {
  const now = outputs.isDisposed ? undefined : lastOf(outputs);
  if (now?.streamText === undefined) {
    return;
  }
  const { name, text } = streamOf(msg);
  let known = sent.get(now);
  if (known?.shown !== before) {
    // It is new, or another than this run has changed it.
    known = undefined;
    sent.delete(now);
  }
  if (!known) {
    if (!PLAYED.test(text)) {
      return;
    }
    known = { collected: new OutputCollector(), shown: '' };
    if (now === last) {
      known.collected.addText(name, before);
    }
    sent.set(now, known);
  }
  known.collected.addText(name, text);
  known.shown = now.streamText.text;
}

function lastOf(outputs: IOutputAreaModel): IOutputModel | undefined {
  return outputs.length > 0 ? outputs.get(outputs.length - 1) : undefined;
}
