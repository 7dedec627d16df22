import { CodeCell, type ICellModel, isCodeCellModel } from '@jupyterlab/cells';
import type { NotebookPanel } from '@jupyterlab/notebook';
import { MessageLoop } from '@lumino/messaging';
import type { ICellEnd } from './cellEnds';
import { requestOf } from './cellState';
import { type ILostWork, LostRequest } from './lostRequest';
import type { CellState } from './notebookTypes';
import type { RunBook } from './runBook';
import type { IKernelInfo } from './types';
import { isRecord } from '../../protocol/values';

const NAME = 'jupyterlab-mcp-bridge:lost-runs';

/** A cell whose outputs may be missing, as it is kept while the page is away. */
interface ILostRun {
  readonly path: string;
  readonly id: string;
  readonly index: number;
  /** What the kernel may still be at. */
  readonly work?: ILostWork;
  /** Its state where nothing is under way. */
  readonly state?: CellState;
}

/** A run that is lost if its notebook goes now. */
interface ILeaving {
  readonly cell: ICellModel;
  readonly run: ILostRun;
}

export interface ILostRunsOptions {
  readonly book: RunBook;
  /** Lives as long as the tab, reloads included. */
  readonly storage:
    Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | undefined;
  /** Of the notebooks that are open now. */
  readonly panels: () => readonly NotebookPanel[];
  /** The state of a cell that is under way. */
  readonly stateOf: (panel: NotebookPanel, index: number) => CellState;
}

/**
 * Runs that were lost sight of, because the page was loaded again or the
 * notebook was closed. The kernel goes on,
 * but nobody takes its outputs to the cell any more: what the cell holds may
 * not be all there was, and how far the run is, only the kernel tells.
 */
export class LostRuns {
  constructor(private readonly _options: ILostRunsOptions) {
    this._lost = take(_options.storage);
  }

  /** Notes what is under way or lost; for the moment when the page goes. */
  leave(): void {
    const lost = this._options
      .panels()
      .flatMap(panel => this._leaving(panel).map(({ run }) => run))
      .concat(this._lost);
    if (lost.length > 0) {
      try {
        this._options.storage?.setItem(NAME, JSON.stringify(lost));
      } catch {
        // Storage is full or forbidden: then nobody is told.
      }
    }
  }

  /**
   * Marks the cells of a notebook whose runs were lost, until they run again,
   * and notes those that are under way when it is closed.
   */
  follow(panel: NotebookPanel): void {
    this._followClose(panel);
    const of = (path: string): ILostRun[] =>
      this._lost.filter(each => each.path === path);
    // What the kernel says is heard from the start.
    const requests = new Map(
      of(panel.context.path).map(lost => [
        lost,
        lost.work && new LostRequest(lost.work, panel.sessionContext)
      ])
    );
    void panel.context.ready.then(() => {
      const { path } = panel.context;
      for (const lost of of(path)) {
        const cells = [...(panel.model?.cells ?? [])];
        // Where the file keeps no ids, the place tells.
        const cell = cells.find(({ id }) => id === lost.id);
        this._mark(panel, cell ?? cells[lost.index], lost, requests.get(lost));
      }
      this._lost = this._lost.filter(each => each.path !== path);
    });
  }

  /** The same of a cell of a notebook that no tab shows. */
  ofFile(
    path: string,
    id: unknown,
    index: number,
    kernel: IKernelInfo | null
  ): ICellEnd | undefined {
    // Where the file keeps no ids, the place tells.
    const lost = this._lost.find(
      each =>
        each.path === path &&
        (typeof id === 'string' ? each.id === id : each.index === index)
    );
    if (!lost) {
      return undefined;
    }
    const { work, state } = lost;
    const atWork =
      work && kernel?.id === work.kernelId && kernel.status === 'busy';
    return {
      missing: true,
      state: atWork ? 'running' : work ? 'unknown' : state
    };
  }

  /** When it is gone, nothing tells any more what it waited for. */
  private _followClose(panel: NotebookPanel): void {
    let leaving: readonly ILeaving[] = [];
    MessageLoop.installMessageHook(panel, (_, { type }) => {
      if (type === 'close-request') {
        leaving = this._leaving(panel);
        // The person is asked meanwhile, and a run may end.
        for (const { cell } of leaving) {
          cell.stateChanged.connect(() => {
            leaving = leaving.filter(
              each => each.cell !== cell || isUnderWay(cell)
            );
          });
        }
      }
      return true;
    });
    panel.disposed.connect(({ context: { path } }) => {
      const lost = leaving.map(({ run }) => ({ ...run, path }));
      this._lost = [...this._lost, ...lost];
    });
  }

  private _leaving(panel: NotebookPanel): ILeaving[] {
    const { path } = panel.context;
    return [...(panel.model?.cells ?? [])].flatMap((cell, index) => {
      const left = this._left(panel, cell, index);
      return left ? [{ cell, run: { path, id: cell.id, index, ...left } }] : [];
    });
  }

  private _left(
    panel: NotebookPanel,
    cell: ICellModel,
    index: number
  ): Pick<ILostRun, 'work' | 'state'> | undefined {
    if (isUnderWay(cell) && isOfPage(panel, index)) {
      const state = this._options.stateOf(panel, index);
      return { state: 'unknown', work: workOf(panel, index, state) };
    }
    const end = this._options.book.ends.of(cell);
    const earlier = this._requests.get(cell);
    return end?.missing
      ? earlier?.isUnderWay
        ? { state: 'unknown', work: earlier.work }
        : { state: end.state }
      : undefined;
  }

  private _mark(
    { model }: NotebookPanel,
    cell: ICellModel | undefined,
    { work, state }: ILostRun,
    request: LostRequest | undefined
  ): void {
    if (!cell || !isCodeCellModel(cell)) {
      return;
    }
    // A shared document still has the mark of the run that was lost.
    if (isUnderWay(cell) && model?.collaborative !== true) {
      return;
    }
    if (request) {
      this._requests.set(cell, request);
    }
    this._options.book.ends.set(cell, () => ({
      missing: true,
      state: request ? request.state : work ? 'unknown' : state
    }));
  }

  private _lost: readonly ILostRun[];
  private readonly _requests = new WeakMap<ICellModel, LostRequest>();
}

/** The request that a cell of an open notebook waits for. */
function workOf(
  { content, sessionContext }: NotebookPanel,
  index: number,
  state: CellState
): ILostWork | undefined {
  const cell = content.widgets[index];
  const kernelId = sessionContext.session?.kernel?.id;
  const request = cell instanceof CodeCell ? requestOf(cell) : undefined;
  return kernelId === undefined || request === undefined
    ? undefined
    : { kernelId, request, queued: state === 'queued' };
}

/** Whether the page takes the outputs; of a shared document another one may. */
function isOfPage({ content, model }: NotebookPanel, index: number): boolean {
  const cell = content.widgets[index];
  return (
    model?.collaborative !== true ||
    (cell instanceof CodeCell && requestOf(cell) !== undefined)
  );
}

function isUnderWay(cell: ICellModel): boolean {
  return isCodeCellModel(cell) && cell.executionState === 'running';
}

function take(storage: ILostRunsOptions['storage']): readonly ILostRun[] {
  try {
    const lost: unknown = JSON.parse(storage?.getItem(NAME) ?? '[]');
    storage?.removeItem(NAME);
    return Array.isArray(lost) ? lost.filter(isLostRun) : [];
  } catch {
    return [];
  }
}

/** What this page wrote itself, or an earlier version of it. */
function isLostRun(value: unknown): value is ILostRun {
  return (
    isRecord(value) &&
    typeof value.path === 'string' &&
    typeof value.id === 'string' &&
    typeof value.index === 'number' &&
    (value.state === undefined || typeof value.state === 'string') &&
    (value.work === undefined ||
      (isRecord(value.work) &&
        typeof value.work.kernelId === 'string' &&
        typeof value.work.request === 'string'))
  );
}
