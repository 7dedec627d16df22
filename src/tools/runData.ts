import { ToolError } from '../calls/errors';
import type { Data } from '../calls/types';
import { clientName, quote } from '../calls/words';
import type { ICell, INotebook } from '../jupyter/notebookTypes';
import type { IRunResult } from '../jupyter/types';
import type { IInvocation } from './define';

/**
 * A run in the field names of a result: what went wrong comes first, because
 * long outputs behind it may be cut.
 */
export function runData(result: IRunResult): Data {
  const { status, executionCount, outputs, message } = result;
  const failed = status !== 'ok';
  return {
    success: !failed,
    status,
    ...(failed
      ? {
          message: message ?? 'Kernel execution failed',
          ...errorData(result)
        }
      : message === undefined
        ? {}
        : { message }),
    ...noteData(result),
    executionCount,
    outputs
  };
}

/** What went wrong with a run that did not end well. */
export function errorData(result: IRunResult): Data {
  return {
    errorName: result.errorName ?? 'Error',
    errorValue: result.errorValue ?? '',
    traceback: result.traceback ?? [],
    error: errorLine(result)
  };
}

/** Whether a run was lost sight of, so that nobody knows how it ended. */
export function isUnknown({ end, outputsMayBeMissing }: IRunResult): boolean {
  return end === 'unknown' && outputsMayBeMissing === true;
}

/**
 * The failure of a run of a cell that was lost sight of (contract: Errors on
 * the MCP surface). What came before the loss is in the cell.
 */
export function unknownRun(
  path: string,
  cellId: string,
  { errorValue = '' }: IRunResult,
  data: Data
): ToolError {
  const message = `The outcome of the run is unknown: ${errorValue}. It has not been sent again. Outputs of the cell ${quote(cellId)} of ${quote(path)} may be missing: read_cell shows those that came, its state and outputsMayBeMissing. Look before repeating it.`;
  return new ToolError('internal_error', message, { ...data, error: message });
}

/** A cell as it is now: another stands for it once the person has moved it. */
export function current(notebook: INotebook, cell: ICell): ICell {
  if (cell.index >= 0) {
    return cell;
  }
  try {
    return notebook.cell(cell.cellId);
  } catch {
    // Deleted, or the notebook is closed.
    return cell;
  }
}

/** What there is to say only sometimes. */
export function noteData(result: IRunResult): Data {
  const { kernelRestarts, outputsMayBeMissing, queuedBehind } = result;
  return {
    ...(kernelRestarts === undefined ? {} : { kernelRestarts }),
    ...(outputsMayBeMissing ? { outputsMayBeMissing } : {}),
    ...(queuedBehind === undefined ? {} : { queuedBehind })
  };
}

/** `Name: value`, or the name alone. */
export function errorLine({
  errorName = 'Error',
  errorValue = ''
}: IRunResult): string {
  return errorValue === '' ? errorName : `${errorName}: ${errorValue}`;
}

/**
 * Throws operation_in_progress where the cell is queued or running, with the
 * pending id of the caller's own run, else with whose it is.
 */
export function assertIdle(
  { cellId, state, startedBy, outputsMayBeMissing }: ICell,
  { caller, context }: Pick<IInvocation, 'caller' | 'context'>,
  consequence = 'It was not run a second time.'
): void {
  if (state !== 'running' && state !== 'queued') {
    return;
  }
  const mine = startedBy?.id === caller.client.id;
  const pendingId = mine
    ? context.calls
        .running(caller.client)
        .find(
          ({ tool, args, pendingId: id }) =>
            id !== undefined &&
            (tool === 'run_cells' ||
              (tool === 'run_cell' && args.cellId === cellId))
        )?.pendingId
    : undefined;
  const whose =
    pendingId !== undefined
      ? `by your call ${pendingId}: get its result with wait_for_result`
      : mine
        ? 'by another call of yours'
        : startedBy
          ? `by ${clientName(startedBy)}`
          : outputsMayBeMissing
            ? 'by a run that was lost sight of with the connection to the kernel'
            : 'by the person';
  throw new ToolError(
    'operation_in_progress',
    `Cell ${quote(cellId)} is ${state} already, started ${whose}. ${consequence}`,
    pendingId === undefined ? {} : { pendingId }
  );
}
