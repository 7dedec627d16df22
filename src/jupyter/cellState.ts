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
  follow(panel: NotebookPanel): void {
    const { context, sessionContext: session } = panel;
    const views = viewsOf.get(context) ?? new Set();
    viewsOf.set(context, views.add(panel));
    this._views.set(session, views);
    panel.disposed.connect(() => {
      views.delete(panel);
      views.forEach(abandon);
    });
    session.iopubMessage.connect(this._onMessage, this);
  }

  /**
   * The state of a code cell (contract: Tools).
   *
   * @param end - what else is known of its last run.
   * @param isLeftOver - whether its mark of a run is.
   */
  stateOf(
    cell: CodeCell,
    panel: NotebookPanel,
    end: ICellEnd | undefined,
    isLeftOver: boolean
  ): CellState {
    if (isLeftOver) {
      return end?.state ?? 'unknown';
    }
    // Clearing the outputs takes the mark away, not the request.
    if (cell.model.executionState !== 'running' && !isAwaiting(cell)) {
      return end?.state ?? endState(cell.model);
    }
    const request = requestIn(cell, panel);
    const kernel = panel.sessionContext.session?.kernel;
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
      for (const { content } of this._views.get(session) ?? []) {
        content.widgets.forEach(
          cell => cell instanceof CodeCell && requestOf(cell)
        );
      }
    }
  }

  private readonly _views = new WeakMap<ISessionContext, Set<NotebookPanel>>();
  private readonly _working = new WeakMap<object, string>();
}

/** The views of each document that a notebook shows; its model is the same in all. */
const viewsOf = new WeakMap<object, Set<NotebookPanel>>();

/** The id of the request that a cell waits for, in whichever view it was sent. */
function requestIn(cell: CodeCell, panel: NotebookPanel): string | undefined {
  const own = requestOf(cell);
  const views = viewsOf.get(panel.context);
  if (own !== undefined || !views || views.size < 2) {
    return own;
  }
  const index = panel.content.widgets.indexOf(cell);
  return [...views]
    .map(({ content }) => content.widgets[index])
    .map(each => (each instanceof CodeCell ? requestOf(each) : undefined))
    .find(id => id !== undefined);
}

/** Cells that were sent from a view that was closed before they were done. */
const abandoned = new WeakSet<object>();

/** Notes which of a view's cells look as if they ran, and no view waits for. */
function abandon(panel: NotebookPanel): void {
  for (const cell of panel.content.widgets) {
    if (
      cell instanceof CodeCell &&
      cell.model.executionState === 'running' &&
      requestIn(cell, panel) === undefined
    ) {
      abandoned.add(cell.model);
    }
  }
}

/** The id of the request of this page that a cell waits for. */
export function requestOf({
  outputArea: { future }
}: CodeCell): string | undefined {
  return future && !isOver(future) ? future.msg.header.msg_id : undefined;
}

/** Whether a cell waits for a request that was looked at while it was new. */
export function isAwaiting({ outputArea: { future } }: CodeCell): boolean {
  return !!future && !future.isDisposed && answered.get(future) === false;
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
 * Whether a cell that looks as if it ran does not. A document keeps the mark
 * of a run whose view was closed before it was over while another shows it,
 * and a shared one that of a page that went, for everybody and for good:
 * nobody takes the outputs any more, or the mark away.
 *
 * @param isAwaited - whether this page waits for it, or watches it.
 */
export function isLeftOver(
  cell: CodeCell,
  panel: NotebookPanel,
  isAwaited: boolean
): boolean {
  const { model, sessionContext: session } = panel;
  if (cell.model.executionState !== 'running') {
    abandoned.delete(cell.model);
    return false;
  }
  if (
    (model?.collaborative !== true && !abandoned.has(cell.model)) ||
    isAwaited ||
    requestIn(cell, panel) !== undefined
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
