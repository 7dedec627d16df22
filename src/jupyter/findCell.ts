import { ToolError } from '../calls/errors';
import { quote } from '../calls/words';
import type { ICell } from './notebookTypes';

const MAX_LISTED = 20;

/**
 * The cell that an id addresses: by the id that was given out for it, else by
 * its own id where only one cell has that. Throws not_found with at most 20
 * ids that would do, validation_failed where several cells share the id.
 */
export function findCell<T extends Pick<ICell, 'cellId'>>(
  cells: readonly T[],
  cellId: string,
  ownId: (cell: T) => unknown,
  path: string
): T {
  const addressed = cells.find(cell => cell.cellId === cellId);
  if (addressed) {
    return addressed;
  }
  const sharing = cells.filter(cell => ownId(cell) === cellId);
  if (sharing.length === 1) {
    return sharing[0];
  }
  if (sharing.length > 1) {
    const places = sharing
      .map(cell => `${cell.cellId} (index ${cells.indexOf(cell)})`)
      .join(', ');
    throw new ToolError(
      'validation_failed',
      `${sharing.length} cells of ${quote(path)} have the id ${quote(cellId)}, so it does not tell which one is meant. Use one of: ${places}.`
    );
  }
  throw new ToolError('not_found', missing(cells, cellId, path));
}

function missing(
  cells: readonly Pick<ICell, 'cellId'>[],
  cellId: string,
  path: string
): string {
  const start = `${quote(path)} has no cell with the id ${quote(cellId)}.`;
  if (cells.length === 0) {
    return `${start} It has no cells; add_cell makes one.`;
  }
  const ids = cells.slice(0, MAX_LISTED).map(cell => cell.cellId);
  const rest =
    cells.length > MAX_LISTED
      ? ` and ${cells.length - MAX_LISTED} more, which read_notebook lists`
      : '';
  return `${start} Its cells are: ${ids.join(', ')}${rest}.`;
}
