import { ToolError } from '../calls/errors';
import { clientName, quote } from '../calls/words';
import type { ICell } from './notebookTypes';

const CELL_TYPES = ['code', 'markdown', 'raw'] as const;

export type CellType = (typeof CELL_TYPES)[number];

/** @throws ToolError unsupported_type */
export function assertCellType(value: string): CellType {
  const type = CELL_TYPES.find(each => each === value);
  if (!type) {
    throw new ToolError(
      'unsupported_type',
      `There is no cell type ${quote(value)}. A cell is one of: ${CELL_TYPES.join(', ')}.`
    );
  }
  return type;
}

/** @throws ToolError locked_package */
export function assertUnlocked(
  cell: ICell,
  key: 'editable' | 'deletable'
): void {
  if (!cell[key]) {
    throw new ToolError(
      'locked_package',
      `The cell ${cell.cellId} is locked by its owner: its metadata says "${key}": false. Only the person can unlock it, in the Property Inspector.`
    );
  }
}

/** @throws ToolError operation_in_progress for a cell that is queued or running */
export function assertIdle(cell: ICell, done: string): void {
  const { cellId, state, startedBy } = cell;
  if (state === 'running' || state === 'queued') {
    const who = startedBy ? clientName(startedBy) : 'the person at the tab';
    throw new ToolError(
      'operation_in_progress',
      `The cell ${cellId} is ${state}, started by ${who}. It can be ${done} when its run has ended; wait_for_result waits for a run of yours, interrupt_kernel stops it.`
    );
  }
}
