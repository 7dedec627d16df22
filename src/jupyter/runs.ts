import type { ISessionContext } from '@jupyterlab/apputils';
import { type Cell, CodeCell } from '@jupyterlab/cells';
import {
  type INotebookCellExecutor,
  type NotebookPanel,
  runCell
} from '@jupyterlab/notebook';
import type { Kernel } from '@jupyterlab/services';
import { ToolError } from '../calls/errors';
import type { ICallReport, IClient, IClock } from '../calls/types';
import { holdsHalf } from '../calls/whole';
import { list, quote } from '../calls/words';
import { bookedRun } from './bookedRun';
import type { KernelLoad } from './busy';
import type { ICellEnd } from './cellEnds';
import { runCodeCell } from './cellRun';
import { isAwaiting, isLeftOver } from './cellState';
import { hasEnded } from './deaths';
import { changeKernel, keysOf } from './kernelChange';
import type { INotebook } from './notebookTypes';
import { toServerError } from './reasons';
import { assertConnected, restartOver } from './reconnect';
import type { RunBook } from './runBook';
import { neverBegan } from './runResult';
import type { IRuns } from './runTypes';
import { showText } from './textCells';
import { beingChanged } from './turns';
import type { IRunResult } from './types';

export interface IRunsOptions {
  readonly executor: INotebookCellExecutor | null;
  readonly book: RunBook;
  readonly clock: IClock;
  /** The widgets of a cell of an open notebook. @throws ToolError not_found */
  locate(
    notebook: INotebook,
    cellId: string
  ): { readonly panel: NotebookPanel; readonly cell: Cell };
  /** The widget of an open notebook. @throws ToolError not_found */
  panel(notebook: INotebook): NotebookPanel;
  /** Names of the kernels that can be started, once it is known. */
  specs(): Promise<string[]>;
  readonly load: Pick<KernelLoad, 'before'>;
  /** Asks the server which sessions there are; those that are gone end here too. */
  refreshSessions(): Promise<void>;
}

/** Runs of cells in open notebooks. */
export class Runs implements IRuns {
  constructor(private readonly _options: IRunsOptions) {}

  async prepare(notebook: INotebook): Promise<void> {
    notebook.assertInRoom();
    const panel = this._options.panel(notebook);
    const { sessionContext: session } = panel;
    const { book, clock } = this._options;
    await book.turns.over(keysOf(session), clock);
    if (!session.session?.kernel) {
      await this._started(panel);
    }
    if (!session.isTerminating && !hasKernel(session)) {
      throw await this._noKernel(notebook);
    }
    await restartOver(session, clock);
    await assertConnected(this._kernel(notebook, session));
    this._kernel(notebook, session);
  }

  async runCell(
    notebook: INotebook,
    cellId: string,
    client: IClient,
    report: ICallReport
  ): Promise<IRunResult> {
    notebook.assertInRoom();
    const { panel, cell } = this._options.locate(notebook, cellId);
    if (!(cell instanceof CodeCell)) {
      return showText(panel, cell);
    }
    // The widget has none any more once its notebook is closed.
    let { model } = cell;
    const source = model.sharedModel.getSource();
    if (holdsHalf(source)) {
      throw new ToolError(
        'operation_refused',
        `Cell ${quote(cellId)} holds half of a surrogate pair. A kernel that is sent one never answers, so nothing ran. Replace the character with edit_cell.`
      );
    }
    const kernel = this._kernel(notebook, panel.sessionContext);
    const { book, clock, executor, load } = this._options;
    const isAwaited = book.ofCell(model) !== undefined;
    if (
      isAwaiting(cell) ||
      (model.executionState === 'running' &&
        !isLeftOver(cell, panel, isAwaited))
    ) {
      throw new ToolError(
        'operation_in_progress',
        `Cell ${quote(cellId)} is running already. Wait until it has ended.`
      );
    }
    const queuedBehind = load.before(kernel, client);
    const run = {
      client,
      kernelId: kernel.id,
      what: `cell ${cellId} of ${notebook.path}`,
      cell: model
    };
    const isNext =
      queuedBehind === undefined && book.inKernel(kernel.id).length === 0;
    const askServer = (): Promise<void> => this._options.refreshSessions();
    const result = await bookedRun(book, run, queuedBehind, report, follow => {
      book.ends.forget(model);
      return runCodeCell(
        panel,
        cell,
        kernel,
        executor ? options => executor.runCell(options) : runCell,
        {
          report,
          clock,
          lost: () => book.ends.set(model, { missing: true }),
          askServer,
          ...follow,
          left: part =>
            book.ends.set(part, { missing: true, state: 'unknown' }),
          moved: next => {
            model = next;
            follow.moved?.(next);
          }
        }
      );
    });
    if (isNext && neverBegan(result) && !panel.isDisposed) {
      // It may have been gone before, without JupyterLab knowing it.
      await askServer().catch(() => undefined);
      if (!panel.isDisposed && !hasKernel(panel.sessionContext)) {
        throw await this._noKernel(notebook);
      }
    }
    const end = endOf(result);
    if (end && !model.isDisposed) {
      book.ends.set(model, end);
    }
    return source.trim() === ''
      ? { message: 'The cell is empty: there is nothing to run.', ...result }
      : result;
  }

  async changeKernel(notebook: INotebook, kernelName: string): Promise<void> {
    const { sessionContext: context } = this._options.panel(notebook);
    const { book, clock, refreshSessions } = this._options;
    await book.turns.take(keysOf(context), clock, () =>
      changeKernel(context, kernelName, refreshSessions, clock)
    );
  }

  /** The kernel to run in, or the reason why nothing can be run now. */
  private _kernel(
    notebook: INotebook,
    session: ISessionContext
  ): Kernel.IKernelConnection {
    const kernel = session.session?.kernel;
    if (session.isTerminating) {
      throw new ToolError(
        'operation_refused',
        `The kernel of ${quote(notebook.path)} is being shut down. Start another with change_kernel.`
      );
    }
    if (!kernel || !hasKernel(session)) {
      throw new ToolError(
        'operation_refused',
        `The kernel of ${quote(notebook.path)} is gone, so nothing ran. Start another with change_kernel.`
      );
    }
    if (
      session.isRestarting ||
      this._options.book.turns.isTaken(keysOf(session))
    ) {
      throw beingChanged();
    }
    if (session.pendingInput) {
      throw new ToolError(
        'operation_in_progress',
        `The kernel of ${quote(notebook.path)} waits for an answer to input(). The person can type it in the tab; a call of yours that waits is listed by get_context and takes it by answer_input.`
      );
    }
    return kernel;
  }

  /** The same start for all that wait for it: none of them is in another's way. */
  private _started(panel: NotebookPanel): Promise<void> {
    const { sessionContext: session } = panel;
    let start = this._starts.get(session);
    if (!start) {
      const { book, clock } = this._options;
      start = book.turns
        .take([session], clock, () => this._start(panel))
        .finally(() => this._starts.delete(session));
      this._starts.set(session, start);
    }
    return start;
  }

  /**
   * Waits for the kernel that JupyterLab is starting, or starts the one that
   * the notebook names where it never had one in this tab. No dialog is
   * opened, and a kernel that the person shut down stays down.
   */
  private async _start(panel: NotebookPanel): Promise<void> {
    const { sessionContext: session } = panel;
    try {
      const asksPerson = await initialized(panel);
      const wanted = kernelNameOf(panel);
      if (
        !asksPerson &&
        !session.session?.kernel &&
        session.prevKernelName === '' &&
        wanted !== undefined &&
        (await this._options.specs()).includes(wanted)
      ) {
        await session.changeKernel({ name: wanted });
      }
    } catch (reason) {
      throw toServerError(reason, 'The kernel could not be started');
    }
  }

  private async _noKernel(notebook: INotebook): Promise<ToolError> {
    const wanted = kernelNameOf(this._options.panel(notebook));
    const specs = await this._options.specs();
    const missing =
      wanted !== undefined && !specs.includes(wanted)
        ? ` It asks for ${quote(wanted)}, which is not installed here.`
        : '';
    return new ToolError(
      'operation_refused',
      `The notebook ${quote(notebook.path)} has no kernel, so nothing ran.${missing} ` +
        (specs.length > 0
          ? `Choose a kernel with change_kernel; there are: ${list(specs, 20)}.`
          : 'No kernels are installed on this server.')
    );
  }

  /** Those that are under way. */
  private readonly _starts = new WeakMap<ISessionContext, Promise<void>>();
}

/**
 * Resolves with whether JupyterLab asks the person for a kernel. It decides
 * that a moment after the document is there; whoever asks first decides for
 * all, so the notebook's own wish is set before, as JupyterLab would.
 */
function initialized({
  sessionContext,
  content: { model }
}: NotebookPanel): Promise<boolean> {
  const { kernelPreference } = sessionContext;
  if (model) {
    sessionContext.kernelPreference = {
      ...kernelPreference,
      name: model.defaultKernelName || kernelPreference.name,
      language: model.defaultKernelLanguage
    };
  }
  return sessionContext.initialize();
}

/** Whether there is a kernel, as far as is known. */
function hasKernel({ hasNoKernel, session }: ISessionContext): boolean {
  const kernel = session?.kernel;
  return (
    !!kernel &&
    !hasNoKernel &&
    !kernel.isDisposed &&
    kernel.status !== 'dead' &&
    !hasEnded(kernel)
  );
}

/** What the cell itself will not tell of how its run ended. */
function endOf({ outputsMayBeMissing, end }: IRunResult): ICellEnd | undefined {
  const missing = outputsMayBeMissing === true;
  return missing || end
    ? { missing, ...(end ? { state: end } : {}) }
    : undefined;
}

function kernelNameOf(panel: NotebookPanel): string | undefined {
  const spec: unknown = panel.content.model?.getMetadata('kernelspec');
  if (typeof spec !== 'object' || spec === null) {
    return undefined;
  }
  const name: unknown = Reflect.get(spec, 'name');
  return typeof name === 'string' && name !== '' ? name : undefined;
}
