import {
  CodeCell,
  type ICellModel,
  isCodeCellModel,
  isMarkdownCellModel,
  isRawCellModel
} from '@jupyterlab/cells';
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { IClient } from '../calls/types';
import { isLeftOver, type KernelProgress } from './cellState';
import { attachmentsOf, countOf } from './loaded';
import type { CellState, ICell } from './notebookTypes';
import type { RunBook } from './runBook';
import { outputsOf } from './streams';
import { typeOf } from './unknownCells';

/** What an open cell has to ask others for. */
export interface ICellSources {
  readonly panel: NotebookPanel;
  readonly progress: KernelProgress;
  readonly book: RunBook;
}

/** A cell of an open notebook, read from its model whenever it is asked. */
export class OpenCell implements ICell {
  constructor(
    readonly cellId: string,
    readonly model: ICellModel,
    private readonly _at: number,
    private readonly _sources: ICellSources
  ) {}

  get index(): number {
    const cells = this._sources.panel.model?.cells;
    if (!cells || this.model.isDisposed) {
      return -1;
    }
    return this._at < cells.length && cells.get(this._at) === this.model
      ? this._at
      : [...cells].indexOf(this.model);
  }

  get cellType(): string {
    return typeOf(this.model.sharedModel);
  }

  get source(): string {
    return this.model.sharedModel.getSource();
  }

  get executionCount(): number | null {
    return isCodeCellModel(this.model)
      ? countOf(this.model.executionCount)
      : null;
  }

  get outputs(): readonly unknown[] {
    return isCodeCellModel(this.model) ? outputsOf(this.model.outputs) : [];
  }

  get outputCount(): number {
    return isCodeCellModel(this.model) ? this.model.outputs.length : 0;
  }

  get attachments(): Readonly<Record<string, unknown>> | undefined {
    const { model } = this;
    return isMarkdownCellModel(model) || isRawCellModel(model)
      ? attachmentsOf(model.attachments.toJSON())
      : undefined;
  }

  get metadata(): Readonly<Record<string, unknown>> {
    return this.model.sharedModel.getMetadata();
  }

  get editable(): boolean {
    return this.metadata.editable !== false;
  }

  get deletable(): boolean {
    return this.metadata.deletable !== false;
  }

  get state(): CellState | undefined {
    const { book, panel, progress } = this._sources;
    const widget = this.widget;
    return widget instanceof CodeCell
      ? progress.stateOf(
          widget,
          panel,
          book.ends.of(this.model),
          this.isLeftOver
        )
      : undefined;
  }

  /** Whether it looks as if it ran, and does not. */
  get isLeftOver(): boolean {
    const { book, panel } = this._sources;
    const widget = this.widget;
    return (
      widget instanceof CodeCell &&
      isLeftOver(widget, panel, book.ofCell(this.model) !== undefined)
    );
  }

  get outputsMayBeMissing(): boolean {
    return this._sources.book.ends.of(this.model)?.missing ?? this.isLeftOver;
  }

  get startedBy(): IClient | undefined {
    return this._sources.book.ofCell(this.model)?.client;
  }

  /** What shows the cell; undefined when the cell is gone. */
  get widget(): NotebookPanel['content']['widgets'][number] | undefined {
    return this._sources.panel.content.widgets[this.index];
  }
}
