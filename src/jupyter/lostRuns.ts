import { type ICellModel, isCodeCellModel } from '@jupyterlab/cells';
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { RunBook } from './runBook';

const NAME = 'jupyterlab-mcp-bridge:lost-runs';

/** A cell that was queued or running when the page went. */
interface ILostRun {
  readonly path: string;
  readonly id: string;
  readonly index: number;
}

export interface ILostRunsOptions {
  readonly book: RunBook;
  /** Lives as long as the tab, reloads included. */
  readonly storage:
    Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | undefined;
  /** Of the notebooks that are open now. */
  readonly panels: () => readonly NotebookPanel[];
}

/**
 * Runs that were under way when the page was reloaded. The kernel goes on, but
 * nobody takes its outputs to the cell any more, so what the cell holds may
 * not be all there was.
 */
export class LostRuns {
  constructor(private readonly _options: ILostRunsOptions) {
    this._lost = take(_options.storage);
  }

  /** Notes what is under way; for the moment when the page goes. */
  leave(): void {
    const lost = this._options
      .panels()
      .flatMap(panel =>
        [...(panel.model?.cells ?? [])].flatMap((cell, index) =>
          isUnderWay(cell)
            ? [{ path: panel.context.path, id: cell.id, index }]
            : []
        )
      );
    if (lost.length > 0) {
      try {
        this._options.storage?.setItem(NAME, JSON.stringify(lost));
      } catch {
        // Storage is full or forbidden: then nobody is told.
      }
    }
  }

  /** Marks the cells of a notebook whose runs were lost, until they run again. */
  follow(panel: NotebookPanel): void {
    void panel.context.ready.then(() => {
      const { path } = panel.context;
      for (const lost of this._lost.filter(each => each.path === path)) {
        const cells = [...(panel.model?.cells ?? [])];
        // Where the file keeps no ids, the place tells.
        const cell = cells.find(({ id }) => id === lost.id);
        this._mark(cell ?? cells[lost.index]);
      }
      this._lost = this._lost.filter(each => each.path !== path);
    });
  }

  private _mark(cell: ICellModel | undefined): void {
    if (!cell || !isCodeCellModel(cell) || isUnderWay(cell)) {
      return;
    }
    const { book } = this._options;
    book.setMissing(cell, true);
    const onState = (): void => {
      if (isUnderWay(cell)) {
        cell.stateChanged.disconnect(onState);
        book.setMissing(cell, false);
      }
    };
    cell.stateChanged.connect(onState);
  }

  private _lost: readonly ILostRun[];
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

function isLostRun(value: unknown): value is ILostRun {
  return (
    typeof value === 'object' &&
    value !== null &&
    'path' in value &&
    typeof value.path === 'string' &&
    'id' in value &&
    typeof value.id === 'string' &&
    'index' in value &&
    typeof value.index === 'number'
  );
}
