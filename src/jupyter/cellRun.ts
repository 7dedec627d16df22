import type { CodeCell } from '@jupyterlab/cells';
import {
  type INotebookCellExecutor,
  KernelError,
  NotebookActions,
  type NotebookPanel
} from '@jupyterlab/notebook';
import type { Kernel, KernelMessage } from '@jupyterlab/services';
import { type ISignal, Signal } from '@lumino/signaling';
import type { ICallReport, IClock } from '../calls/types';
import { requestOf } from './cellState';
import { type KernelEnd, KernelWatch } from './deaths';
import { streamOf } from './outputs';
import { type IRunOptions, outcomeOf } from './runOutcome';
import { fromEnd, fromReply } from './runResult';
import { toServerError } from './reasons';
import { fromServer } from './serverRun';
import { ShownRun } from './shownRun';
import { outputsOf } from './streams';
import { watchPrompts } from './stdin';
import { stillScroll } from './stillScroll';
import type { IRunResult } from './types';
import { requestIdOf } from './messages';

/**
 * Runs a code cell through the notebook's executor, as its Run button does,
 * but without changing mode, selection, focus or scroll. The kernel must be
 * there. Resolves when the run has ended, whether the kernel answered, went,
 * or the cell was taken away; takes back every listener.
 */
export function runCodeCell(
  panel: NotebookPanel,
  cell: CodeCell,
  kernel: Kernel.IKernelConnection,
  runCell: INotebookCellExecutor['runCell'],
  options: IRunOptions
): Promise<IRunResult> {
  return new CellRun(panel, cell, kernel).start(runCell, options);
}

class CellRun {
  constructor(
    private readonly _panel: NotebookPanel,
    private readonly _cell: CodeCell,
    private readonly _kernel: Kernel.IKernelConnection
  ) {
    this._shown = new ShownRun(_panel, _cell);
  }

  async start(
    runCell: INotebookCellExecutor['runCell'],
    options: IRunOptions
  ): Promise<IRunResult> {
    const { _cell: cell, _kernel: kernel } = this;
    const { report, clock } = options;
    const prompts = watchPrompts(cell, report, clock);
    const still = stillScroll(this._panel.content, each =>
      this._shown.isIn(each)
    );
    const send = (sent: (requestId: string) => void): Promise<IRunResult> => {
      const earlier = cell.outputArea.future;
      const done = this._execute(runCell, clock);
      // The executor sends at once; one that runs on the server sends nothing.
      const future = cell.outputArea.future;
      if (future && future !== earlier) {
        this._future = future;
        this._report = report;
        this._begun = options.begun;
        this._shown.follow(
          future,
          next => {
            prompts.move(next, future);
            options.moved?.(next.model);
          },
          ({ model }) => options.left?.(model)
        );
        requestOf(cell);
        sent(future.msg.header.msg_id);
        kernel.iopubMessage.connect(this._onMessage, this);
      }
      return done;
    };
    try {
      return await outcomeOf(
        kernel,
        send,
        end => this._end(end),
        () => this._unheard(),
        options
      );
    } finally {
      kernel.iopubMessage.disconnect(this._onMessage, this);
      if (prompts.isOpen) {
        // The box stays for the person to see, but holds nobody up.
        kernel.removeInputGuard();
      }
      prompts.dispose();
      still.dispose();
      this._shown.dispose();
    }
  }

  private async _execute(
    runCell: INotebookCellExecutor['runCell'],
    clock: IClock
  ): Promise<IRunResult> {
    const { _cell: cell, _panel: panel } = this;
    const notebook = panel.content;
    const model = notebook.model;
    if (!model) {
      return this._lost();
    }
    let success = false;
    try {
      const ran = await runCell({
        cell,
        notebook: model,
        notebookConfig: notebook.notebookConfig,
        sessionContext: panel.sessionContext,
        onCellExecuted: args => {
          success = args.success;
          emit(NotebookActions.executed, { notebook, ...args });
        },
        onCellExecutionScheduled: args =>
          emit(NotebookActions.executionScheduled, { notebook, ...args })
      });
      if (!ran || cell.isDisposed) {
        return await this._moved();
      }
      return this._future
        ? fromReply(
            { status: 'ok', execution_count: cell.model.executionCount },
            this._outputs()
          )
        : ((await fromServer(cell, success, clock)) ?? this._lost());
    } catch (reason) {
      if (cell.isDisposed || this._shown.isGone) {
        return this._moved();
      }
      if (!(reason instanceof KernelError)) {
        throw toServerError(reason, 'The cell was not run');
      }
      return this._failed(reason);
    }
  }

  /** The kernel's own answer, where another cell shows the run by now. */
  private async _moved(): Promise<IRunResult> {
    const reply = await this._shown.moved?.done.catch(() => undefined);
    return reply ? fromReply(reply.content, this._outputs()) : this._lost();
  }

  private _failed(error: KernelError): IRunResult {
    const { model } = this._cell;
    if (error.errorName === undefined && model.executionCount === null) {
      // It was queued and never ran: the notebook would show it as running.
      model.executionState = 'idle';
      return fromReply({ status: 'aborted' }, []);
    }
    return fromReply(
      {
        status: 'error',
        execution_count: model.executionCount,
        ename: error.errorName,
        evalue: error.errorValue,
        traceback: error.traceback
      },
      this._outputs()
    );
  }

  private _end(end: KernelEnd): IRunResult {
    if (end.kind === 'closed' && this._shown.isGone) {
      return this._lost();
    }
    // An executor on the server says nothing of when the cell begins.
    const result = fromEnd(
      end,
      this._outputs(),
      this._hasBegun || !this._future
    );
    const future = this._future;
    if (end.kind !== 'disconnected') {
      // Nothing more will come: take the mark of a running cell away.
      future?.dispose();
    } else if (future) {
      // The person may connect again, and see the rest.
      this._watchOn(future);
    }
    return result;
  }

  /** The person's notebook would show the cell as running for ever. */
  private _unheard(): unknown[] {
    this._future?.dispose();
    return this._outputs();
  }

  /** Frees the cell when it turns out that its run will not go on. */
  private _watchOn(future: { dispose(): void; done: Promise<unknown> }): void {
    const watch = new KernelWatch(this._kernel, end =>
      end.kind === 'disconnected' ? this._watchOn(future) : future.dispose()
    );
    const dispose = (): void => watch.dispose();
    future.done.then(dispose, dispose);
  }

  /** The run was dropped though the kernel lives: the cell went or ran again. */
  private _lost(): IRunResult {
    const gone = this._shown.isGone;
    return {
      status: 'error',
      executionCount: null,
      outputs: gone ? [] : this._outputs(),
      errorName: 'RunCanceled',
      errorValue: gone
        ? 'the cell was deleted, given another type or moved by somebody else, or its notebook closed while it ran; the kernel may still be working on it'
        : 'the cell was run again, or its outputs were given up, before this run had ended: read the cell to see what it shows now',
      traceback: []
    };
  }

  private _outputs(): unknown[] {
    const { cell } = this._shown;
    return cell.isDisposed ? [] : outputsOf(cell.model.outputs);
  }

  private _onMessage(_: unknown, msg: KernelMessage.IIOPubMessage): void {
    if (requestIdOf(msg) !== this._future?.msg.header.msg_id) {
      return;
    }
    if (msg.header.msg_type === 'execute_input') {
      this._hasBegun = true;
      this._begun?.();
    } else if (msg.header.msg_type === 'stream') {
      this._report?.printed(streamOf(msg).text);
    }
  }

  private readonly _shown: ShownRun;
  private _future: CodeCell['outputArea']['future'] | undefined;
  private _hasBegun = false;
  private _report: ICallReport | undefined;
  private _begun: IRunOptions['begun'] | undefined;
}

/** Tells the page's other parts (progress, table of contents) of the run. */
function emit<T>(signal: ISignal<unknown, T>, args: T): void {
  if (signal instanceof Signal) {
    signal.emit(args);
  }
}
