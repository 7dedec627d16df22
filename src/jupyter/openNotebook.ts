import { type Cell, CodeCell, type ICellModel } from '@jupyterlab/cells';
import type { INotebookModel, NotebookPanel } from '@jupyterlab/notebook';
import { ToolError } from '../calls/errors';
import { smallestEdit } from '../calls/textEdits';
import { assertWhole } from '../calls/whole';
import { quote } from '../calls/words';
import { assertCellType, assertIdle, assertUnlocked } from './cellGuards';
import type { CellIds } from './cellIds';
import { isAwaiting, type KernelProgress } from './cellState';
import type { Composition } from './composition';
import type { KernelStatuses } from './kernelStatus';
import type { Disk } from './disk';
import { matchLineEnds, writeSource } from './editorText';
import { findCell } from './findCell';
import type {
  IEdited,
  INotebook,
  IPlace,
  IRemoved,
  ICell
} from './notebookTypes';
import { OpenCell } from './openCell';
import { assertInRoom, type IRooms, isLive } from './rooms';
import type { RunBook } from './runBook';
import type { DiskState, IIdentity, IKernelInfo } from './types';
import { oneStep } from './undoStep';
import { typeOf } from './unknownCells';

/** What all open notebooks share. */
export interface IOpenOptions {
  readonly ids: CellIds;
  readonly progress: KernelProgress;
  readonly book: RunBook;
  readonly composition: Composition;
  /** The one spelling of a path. */
  readonly canonical: (path: string) => string;
  readonly identify: (path: string) => IIdentity;
  readonly rooms: IRooms;
  readonly disk: Disk;
  readonly statuses: Pick<KernelStatuses, 'info' | 'shown'>;
}

/** A notebook in a tab of JupyterLab. */
export class OpenNotebook implements INotebook {
  constructor(
    readonly panel: NotebookPanel,
    private readonly _options: IOpenOptions
  ) {}

  readonly isOpen = true;

  get path(): string {
    return this._options.canonical(this.panel.context.path);
  }

  get identity(): IIdentity {
    return this._options.identify(this.path);
  }

  get cells(): readonly OpenCell[] {
    const sources = { panel: this.panel, ...this._options };
    const models = [...this._model.cells];
    return this.cellIds.map((id, i) => new OpenCell(id, models[i], i, sources));
  }

  /** The ids of the cells, in order. */
  get cellIds(): readonly string[] {
    return this._options.ids.ofModel(
      this.path,
      Array.from(this._model.cells, model => new LiveFacts(model)),
      this._model.nbformatMinor
    );
  }

  get dirty(): boolean {
    return this._model.dirty;
  }

  get kernel(): IKernelInfo | null {
    return this._options.statuses.info(this.panel.sessionContext);
  }

  get kernelStatus(): string {
    return this._options.statuses.shown(this.panel.sessionContext);
  }

  /** What JupyterLab loaded is a notebook. */
  readonly odd = undefined;

  get outOfDate(): string | undefined {
    return this._options.rooms.lost(this.panel.context);
  }

  diskState(): Promise<DiskState | undefined> {
    const { context } = this.panel;
    const { disk, rooms } = this._options;
    return disk.state(context, isLive(context, rooms));
  }

  active(): readonly OpenCell[] {
    const isActive = (cell: Cell): boolean =>
      cell instanceof CodeCell &&
      (cell.model.executionState === 'running' || isAwaiting(cell));
    return this.panel.content.widgets.some(isActive)
      ? this.cells.filter(
          cell => cell.widget && isActive(cell.widget) && !cell.isLeftOver
        )
      : [];
  }

  cell(cellId: string): OpenCell {
    return findCell(this.cells, cellId, cell => cell.model.id, this.path);
  }

  assertInRoom(): void {
    assertInRoom(this.path, this.outOfDate);
  }

  assertWritable(): void {
    this.assertInRoom();
    if (this._model.readOnly) {
      throw new ToolError(
        'operation_refused',
        `${quote(this.path)} is open read-only in JupyterLab.`
      );
    }
  }

  assertEditable(cellId: string): void {
    const cell = this.cell(cellId);
    assertUnlocked(cell, 'editable');
    this._assertNotComposed(cell);
  }

  setSource(cellId: string, source: string): IEdited {
    this.assertWritable();
    this.assertEditable(cellId);
    const cell = this.cell(cellId);
    const shared = cell.model.sharedModel;
    const before = cell.source;
    assertWhole(source, before);
    const edit = smallestEdit(before, matchLineEnds(before, source));
    if (!edit) {
      throw new ToolError(
        'validation_failed',
        `The cell ${cell.cellId} already holds exactly that text, so nothing was changed.`
      );
    }
    writeSource(shared, edit, cell.widget);
    return this._edited(cell);
  }

  addCell(cellType: string, source: string, place: IPlace): IEdited {
    this.assertWritable();
    const type = assertCellType(cellType);
    assertWhole(source);
    const index = this._indexFor(place);
    const shared = this._model.sharedModel;
    oneStep(shared, () =>
      shared.insertCell(index, {
        cell_type: type,
        source: matchLineEnds('', source),
        metadata: {}
      })
    );
    return this._edited(this.cells[index]);
  }

  removeCell(cellId: string): IEdited & { readonly removed: IRemoved } {
    this.assertWritable();
    const cell = this.cell(cellId);
    assertUnlocked(cell, 'deletable');
    this._assertNotComposed(cell);
    assertIdle(cell, 'deleted');
    const { cellType, source, metadata, attachments } = cell;
    const { outputs, executionCount } = cell;
    const removed = { cellType, source, metadata, attachments };
    const edited = this._edited(cell);
    const shared = this._model.sharedModel;
    oneStep(shared, () => shared.deleteCell(edited.index));
    return { ...edited, removed: { ...removed, outputs, executionCount } };
  }

  async save(): Promise<boolean> {
    this.assertWritable();
    const models = [...this._model.cells];
    const saved = await this._options.disk.save(this.panel.context);
    // A load makes all of them anew.
    if (saved && models.length > 0 && models.every(each => each.isDisposed)) {
      throw new ToolError(
        'operation_refused',
        `${quote(this.path)} was not saved: its file had changed on disk, and JupyterLab loaded that in place of what was open (Revert). Read it again.`
      );
    }
    return saved;
  }

  /** Takes down what the cells hold, to know them again after a load. */
  remember(): void {
    const { ids } = this._options;
    ids.refresh(
      this.path,
      [...this._model.cells].map(model => new LiveFacts(model)),
      this._model.nbformatMinor
    );
  }

  private get _model(): INotebookModel {
    const { model } = this.panel;
    if (!model || this.panel.isDisposed) {
      throw new ToolError(
        'not_found',
        'The notebook was closed meanwhile. Call again: it is then opened anew, or read from its file.'
      );
    }
    return model;
  }

  private _indexFor({ position, referenceCellId }: IPlace): number {
    if (referenceCellId !== undefined) {
      const { index } = this.cell(referenceCellId);
      return position === 'above' ? index : index + 1;
    }
    return this._model.cells.length;
  }

  private _edited(cell: ICell): IEdited {
    const { cells } = this;
    const { index, cellId } = cell;
    return {
      cellId,
      index,
      before: cells[index - 1]?.cellId ?? null,
      after: cells[index + 1]?.cellId ?? null
    };
  }

  private _assertNotComposed(cell: OpenCell): void {
    if (this._options.composition.isOpenIn(cell.widget)) {
      throw new ToolError(
        'operation_in_progress',
        `The person is composing text in the cell ${cell.cellId} right now. Nothing was changed; try again in a moment.`
      );
    }
  }
}

/** The panel behind a notebook; only for the modules beside this one. */
export function panelOf(notebook: INotebook): NotebookPanel {
  return open(notebook).panel;
}

/** The widget of a cell, for the modules beside this one. @throws ToolError not_found */
export function widgetOf(notebook: INotebook, cellId: string): Cell {
  const { widget } = open(notebook).cell(cellId);
  if (!widget) {
    throw new ToolError('not_found', `The cell ${quote(cellId)} is gone.`);
  }
  return widget;
}

function open(notebook: INotebook): OpenNotebook {
  if (notebook instanceof OpenNotebook) {
    return notebook;
  }
  throw new Error('Not a notebook of this page');
}

/** The facts of a live cell, read only when a new cell has to be named. */
class LiveFacts {
  constructor(private readonly _model: ICellModel) {}
  get key(): object {
    return this._model;
  }
  get id(): string {
    return this._model.id;
  }
  get cellType(): string {
    return typeOf(this._model.sharedModel);
  }
  get source(): string {
    return this._model.sharedModel.getSource();
  }
}
