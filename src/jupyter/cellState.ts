import type { CodeCell, ICodeCellModel } from '@jupyterlab/cells';
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { ISessionContext } from '@jupyterlab/apputils';
import type { KernelMessage } from '@jupyterlab/services';
import type { ICellEnd } from './cellEnds';
import type { CellState } from './notebookTypes';

/**
 * Which request each kernel works on, from what the kernels themselves say:
 * JupyterLab marks a cell as running from the moment it is sent, though others
 * may be before it.
 */
export class KernelProgress {
  /** Follows the kernel of a notebook for as long as the notebook is open. */
  follow(panel: NotebookPanel): void {
    panel.sessionContext.iopubMessage.connect(this._onMessage, this);
  }

  /**
   * The state of a code cell (contract: Tools).
   *
   * @param end - what else is known of its last run.
   */
  stateOf(cell: CodeCell, session: ISessionContext, end?: ICellEnd): CellState {
    if (cell.model.executionState !== 'running') {
      return end?.state ?? endState(cell.model);
    }
    const request = cell.outputArea.future?.msg.header.msg_id;
    const kernel = session.session?.kernel;
    if (kernel?.connectionStatus === 'disconnected') {
      // JupyterLab has given the connection up: nothing more is heard.
      return 'unknown';
    }
    if (request === undefined) {
      // The server runs it, or it waits for a kernel to be there.
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
    if (kernel && message.header.msg_type === 'execute_input') {
      const parent = message.parent_header;
      this._working.set(kernel, 'msg_id' in parent ? parent.msg_id : '');
    }
  }

  private readonly _working = new WeakMap<object, string>();
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

/** The same for a cell of a file. */
export function fileState(
  executionCount: number | null,
  outputs: readonly unknown[]
): CellState {
  const failed = outputs.some(
    output =>
      typeof output === 'object' &&
      output !== null &&
      'output_type' in output &&
      output.output_type === 'error'
  );
  if (failed) {
    return 'error';
  }
  return executionCount === null && outputs.length === 0 ? 'never run' : 'done';
}
