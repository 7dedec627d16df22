import type { IClient } from '../calls/types';
import type { DiskState, IIdentity, IKernelInfo } from './types';

/**
 * Notebooks as the tools see them. A view reads the live model where the
 * notebook is open (unsaved edits included), else the file as it is on disk.
 */

/** How far a code cell has come; markdown and raw cells have none. */
export type CellState =
  | 'never run'
  | 'queued'
  | 'running'
  | 'done'
  | 'error'
  /** Its last run was lost sight of, so how it ended is not known. */
  | 'unknown';

/**
 * One cell. Of an open notebook the properties read the model at the moment
 * they are asked for; take what must not change before awaiting anything.
 */
export interface ICell {
  /**
   * Addresses the cell for the life of the tab: its own id where that is
   * usable and nobody else's, else one that is never written to the file.
   */
  readonly cellId: string;
  /** Counts from 0; -1 when the cell is no longer in its notebook. */
  readonly index: number;
  /** code, markdown, raw, or what the file says. */
  readonly cellType: string;
  readonly source: string;
  /** null: never run or cleared. */
  readonly executionCount: number | null;
  /** nbformat outputs; [] for other than code cells. Made when asked for. */
  readonly outputs: readonly unknown[];
  /** How many outputs there are, without making them. */
  readonly outputCount: number;
  readonly attachments: Readonly<Record<string, unknown>> | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly editable: boolean;
  readonly deletable: boolean;
  /** undefined for other than code cells. */
  readonly state: CellState | undefined;
  /** The run it belongs to was lost sight of (reload, lost connection). */
  readonly outputsMayBeMissing: boolean;
  /** The client that started the run that is queued or running, if one did. */
  readonly startedBy: IClient | undefined;
}

export interface INotebookView {
  /** As JupyterLab shows it, without a drive that is the default one. */
  readonly path: string;
  readonly identity: IIdentity;
  readonly isOpen: boolean;
  readonly cells: readonly ICell[];
  readonly dirty: boolean;
  /** null: no kernel. From the page's own state; waits for nothing. */
  readonly kernel: IKernelInfo | null;
  /** JupyterLab's word for it, also while there is no kernel yet; "none" without one. */
  readonly kernelStatus: string;
  /** Why the open model may be out of date (collaboration lost its room). */
  readonly outOfDate: string | undefined;
  /** What stands in the file where no notebook has it; JupyterLab may not open it. */
  readonly odd: string | undefined;
  /** Asks the server, briefly; undefined when it does not say in time. */
  diskState(): Promise<DiskState | undefined>;
  /** The cell; not_found with at most 20 valid ids otherwise. */
  cell(cellId: string): ICell;
}

/** Where an added cell goes. Without a reference: at the end. */
export interface IPlace {
  readonly position?: 'above' | 'below';
  readonly referenceCellId?: string;
}

/** What one edit did; `before` and `after` are the neighbours' ids. */
export interface IEdited {
  readonly cellId: string;
  readonly index: number;
  readonly before: string | null;
  readonly after: string | null;
}

/** A cell that was taken out, whole: enough to put it back. */
export interface IRemoved {
  readonly cellType: string;
  readonly source: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly attachments: Readonly<Record<string, unknown>> | undefined;
  readonly outputs: readonly unknown[];
  readonly executionCount: number | null;
}

/**
 * An open notebook that can be changed. Every change is one step of the undo
 * of the cell (source) or the notebook (structure), apart from the person's.
 * Changes throw ToolErrors: locked_package, operation_in_progress,
 * operation_refused, unsupported_type, not_found.
 */
export interface INotebook extends INotebookView {
  readonly isOpen: true;
  /** The cells that run or are queued. */
  active(): readonly ICell[];
  /** Throws operation_refused when collaboration lost the document: what is done to it then is lost. */
  assertInRoom(): void;
  /** Throws when nothing may be written: read-only, room lost, model not ready. */
  assertWritable(): void;
  /** Throws when the cell is locked, composed in, queued or running. */
  assertEditable(cellId: string): void;
  /** Writes the smallest difference; the caret stays. */
  setSource(cellId: string, source: string): IEdited;
  addCell(cellType: string, source: string, place: IPlace): IEdited;
  removeCell(cellId: string): IEdited & { readonly removed: IRemoved };
  /** Saves as the person's own Save would. Resolves with whether it is on disk now. */
  save(): Promise<boolean>;
}

export interface INotebooks {
  /** Notebooks that are open in this tab; not those still loading. */
  open(): INotebook[];
  /** The open notebook of this path (in any accepted spelling), if there is one. */
  find(path: string): INotebook | undefined;
  /** Reads without opening. not_found, too_large, unsupported_type, validation_failed (no notebook). */
  read(path: string): Promise<INotebookView>;
  /**
   * The notebook, opened in the background without activating it where it is
   * not open: the person's focus stays, no kernel is waited for, no dialog
   * asks for one.
   */
  acquire(path: string): Promise<INotebook>;
  /**
   * Changes the notebook at one go, acquired. Where the change throws, a
   * notebook that was opened for it is closed again.
   */
  change<T>(path: string, change: (notebook: INotebook) => T): Promise<T>;
}
