import { CodeCell, type ICodeCellModel } from '@jupyterlab/cells';
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { ISessionContext } from '@jupyterlab/apputils';
import type { KernelMessage } from '@jupyterlab/services';
import type { ICellEnd } from './cellEnds';
import { noteEnd } from './deaths';
import type { CellState } from './notebookTypes';
import { requestIdOf } from './messages';

/**
 * Which request each kernel works on, from what the kernels themselves say:
 * JupyterLab marks a cell as running from the moment it is sent, though others
 * may be before it.
 */
export class KernelProgress {
  /** Follows the kernel of a notebook for as long as the notebook is open. */
  follow({ content, sessionContext }: NotebookPanel): void {
    this._contents.set(sessionContext, content);
    sessionContext.iopubMessage.connect(this._onMessage, this);
  }

  /**
   * The state of a code cell (contract: Tools).
   *
   * @param end - what else is known of its last run.
   * @param isLeftOver - whether its mark of a run is.
   */
  stateOf(
    cell: CodeCell,
    session: ISessionContext,
    end: ICellEnd | undefined,
    isLeftOver: boolean
  ): CellState {
    if (isLeftOver) {
      return end?.state ?? 'unknown';
    }
    if (cell.model.executionState !== 'running') {
      return end?.state ?? endState(cell.model);
    }
    const request = requestOf(cell);
    const kernel = session.session?.kernel;
    if (kernel?.connectionStatus === 'disconnected') {
      // JupyterLab has given the connection up: nothing more is heard.
      return 'unknown';
    }
    if (request === undefined) {
      // The server or another page runs it, or it waits for a kernel to be there.
      return kernel ? 'running' : 'queued';
    }
    return kernel && this._working.get(kernel) === request
      ? 'running'
      : 'queued';
  }

  private _onMessage(
    session: ISessionContext,
    message: KernelMessage.IMessage
  ): void {
    const kernel = session.session?.kernel;
    if (!kernel) {
      return;
    }
    noteEnd(kernel, message);
    if (message.header.msg_type === 'execute_input') {
      this._working.set(kernel, requestIdOf(message) ?? '');
      // Whether it has been answered is known of what was looked at in time.
      this._contents
        .get(session)
        ?.widgets.forEach(cell => cell instanceof CodeCell && requestOf(cell));
    }
  }

  private readonly _contents = new WeakMap<
    ISessionContext,
    NotebookPanel['content']
  >();
  private readonly _working = new WeakMap<object, string>();
}

/** The id of the request of this page that a cell waits for. */
export function requestOf({
  outputArea: { future }
}: CodeCell): string | undefined {
  return future && !isOver(future) ? future.msg.header.msg_id : undefined;
}

/** Requests that were looked at, and whether they have been answered. */
const answered = new WeakMap<object, boolean>();

/** A cell keeps its last request, which does not say that it has been answered. */
function isOver(
  future: NonNullable<CodeCell['outputArea']['future']>
): boolean {
  if (!answered.has(future)) {
    answered.set(future, false);
    const over = (): void => void answered.set(future, true);
    future.done.then(over, over);
  }
  return future.isDisposed || answered.get(future) === true;
}

/**
 * Whether a cell that looks as if it ran does not. A shared document keeps
 * the mark of a run whose page went (closed, or reloaded) before it was over,
 * for everybody and for good: no page takes the outputs any more, or the mark
 * away.
 *
 * @param isAwaited - whether this page waits for it, or watches it.
 */
export function isLeftOver(
  cell: CodeCell,
  { model, sessionContext: session }: NotebookPanel,
  isAwaited: boolean
): boolean {
  if (
    model?.collaborative !== true ||
    cell.model.executionState !== 'running' ||
    requestOf(cell) !== undefined ||
    isAwaited
  ) {
    return false;
  }
  const kernel = session.session?.kernel;
  return kernel ? kernel.status === 'idle' : session.isReady;
}

/** The state of a code cell that is not under way. */
function endState(model: ICodeCellModel): CellState {
  for (let i = model.outputs.length - 1; i >= 0; i--) {
    if (model.outputs.get(i).type === 'error') {
      return 'error';
    }
  }
  return model.executionCount === null && model.outputs.length === 0
    ? 'never run'
    : 'done';
}
