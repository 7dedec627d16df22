import { CodeCell } from '@jupyterlab/cells';
import type { NotebookPanel } from '@jupyterlab/notebook';

type Future = NonNullable<CodeCell['outputArea']['future']>;

/**
 * The cell that shows a run: the one that was run, until JupyterLab makes
 * another in its place (the person moved it, or took a deletion back) and lets
 * that one show the rest.
 */
export class ShownRun {
  constructor(
    private readonly _panel: NotebookPanel,
    private _cell: CodeCell
  ) {
    this._id = _cell.model.id;
  }

  /**
   * Follows the request of the run until this is disposed.
   * @param onMoved - told of each cell that shows it from now on.
   * @param onLeft - told of a cell that has the id of the one that is gone, and
   *   shows no more of it: it was cut and pasted.
   */
  follow(
    future: Future,
    onMoved: (cell: CodeCell) => void,
    onLeft: (cell: CodeCell) => void
  ): void {
    this._future = future;
    this._onMoved = onMoved;
    this._onLeft = onLeft;
    this._cells?.changed.connect(this._onCells, this);
  }

  dispose(): void {
    this._cells?.changed.disconnect(this._onCells, this);
  }

  /** The cell that shows it now, or the last that did. */
  get cell(): CodeCell {
    if (this._cell.isDisposed && this._future && !this._panel.isDisposed) {
      const next = cellOf(this._panel.content, this._future);
      if (next) {
        this._cell = next;
        this._moved = this._future;
        this._onMoved?.(next);
      }
    }
    return this._cell;
  }

  /** Whether this cell shows it; nobody is told of a move by asking. */
  isIn(cell: CodeCell): boolean {
    return this._future
      ? cell.outputArea.future === this._future
      : cell === this._cell;
  }

  /** Whether no cell shows it any more. */
  get isGone(): boolean {
    return this.cell.isDisposed || this._panel.isDisposed;
  }

  /** The request, where another cell shows it than the one that was run. */
  get moved(): Future | undefined {
    return this.isGone ? undefined : this._moved;
  }

  private get _cells(): { changed: CellsChanged } | undefined {
    return this._panel.model?.cells;
  }

  private _onCells(): void {
    // The request is given to the new cell right after the list has changed.
    void Promise.resolve().then(() => {
      if (this.cell.isDisposed && !this._panel.isDisposed) {
        const left = this._panel.content.widgets.find(
          ({ model }) => model.id === this._id
        );
        if (left instanceof CodeCell) {
          this._onLeft?.(left);
        }
      }
    });
  }

  private readonly _id: string;
  private _onLeft: ((cell: CodeCell) => void) | undefined;
  private _future: Future | undefined;
  private _moved: Future | undefined;
  private _onMoved: ((cell: CodeCell) => void) | undefined;
}

/** The cell of a notebook that shows a request, if one does. */
export function cellOf(
  { isDisposed, widgets }: NotebookPanel['content'],
  future: Future
): CodeCell | undefined {
  return isDisposed
    ? undefined
    : widgets.find(
        (widget): widget is CodeCell =>
          widget instanceof CodeCell && widget.outputArea.future === future
      );
}

type CellsChanged = NonNullable<NotebookPanel['model']>['cells']['changed'];
