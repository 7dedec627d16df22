import type { KernelStatuses } from './kernelStatus';
import type { Session } from '@jupyterlab/services';
import type { ICellEnd } from './cellEnds';
import type { CellIds } from './cellIds';
import { fileState } from './fileState';
import { findCell } from './findCell';
import type { IFileCell, INotebookFile } from './notebookFile';
import type { ICell, INotebookView } from './notebookTypes';
import { nameOddities } from './oddities';
import type { IIdentity, IKernelInfo } from './types';

export interface IClosedOptions {
  readonly path: string;
  readonly identity: IIdentity;
  readonly ids: CellIds;
  /** A session may run for a notebook that no tab shows. */
  readonly kernel: IKernelInfo | null;
  /** What is known of a cell's last run beside the file. */
  readonly endOf: (id: unknown, index: number) => ICellEnd | undefined;
}

/** A notebook that is not open: what its file holds. */
export function closedNotebook(
  file: INotebookFile,
  options: IClosedOptions
): INotebookView {
  const { path, identity, ids, kernel, endOf } = options;
  const addresses = ids.ofFile(path, file.cells, file.hasMinor);
  const cells = file.cells.map((cell, i) =>
    closedCell(cell, i, addresses[i], endOf(cell.id, i))
  );
  const own = new Map(cells.map((cell, i) => [cell, file.cells[i].id]));
  return {
    path,
    identity,
    isOpen: false,
    cells,
    dirty: false,
    kernel,
    kernelStatus: kernel?.status ?? 'none',
    outOfDate: undefined,
    odd: file.odd.length > 0 ? nameOddities(file.odd) : undefined,
    cell: cellId => findCell(cells, cellId, cell => own.get(cell), path),
    diskState: async () => 'same'
  };
}

/** The kernel of a notebook that no tab has to show. */
export function sessionKernel(
  sessions: Pick<Session.IManager, 'running'>,
  statuses: Pick<KernelStatuses, 'byId'>,
  path: string
): IKernelInfo | null {
  for (const { path: used, kernel } of sessions.running()) {
    if (kernel && used === path) {
      const { id, name, execution_state } = kernel;
      // JupyterLab keeps a session as it was at first, its kernel's state with it.
      const status = statuses.byId(id) ?? execution_state ?? 'unknown';
      return { id, name, status };
    }
  }
  return null;
}

function closedCell(
  cell: IFileCell,
  index: number,
  cellId: string,
  end: ICellEnd | undefined
): ICell {
  const { cellType, source, executionCount, outputs } = cell;
  return {
    cellId,
    index,
    cellType,
    source,
    executionCount,
    outputs,
    outputCount: outputs.length,
    attachments: cell.attachments,
    metadata: cell.metadata,
    editable: cell.metadata.editable !== false,
    deletable: cell.metadata.deletable !== false,
    state:
      cellType === 'code'
        ? (end?.state ?? fileState(executionCount, outputs))
        : undefined,
    outputsMayBeMissing: end?.missing ?? false,
    startedBy: undefined
  };
}
