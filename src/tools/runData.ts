import type { Data } from '../calls/types';
import type { IRunResult } from '../jupyter/types';

/**
 * A run in the field names of a result: what went wrong comes first, because
 * long outputs behind it may be cut.
 */
export function runData(result: IRunResult): Data {
  const { status, executionCount, outputs, message, queuedBehind } = result;
  const failed = status !== 'ok';
  return {
    success: !failed,
    status,
    ...(failed
      ? {
          message: message ?? 'Kernel execution failed',
          errorName: result.errorName ?? 'Error',
          errorValue: result.errorValue ?? '',
          traceback: result.traceback ?? [],
          error: errorLine(result)
        }
      : message === undefined
        ? {}
        : { message }),
    ...(result.kernelRestarts === undefined
      ? {}
      : { kernelRestarts: result.kernelRestarts }),
    ...(result.outputsMayBeMissing ? { outputsMayBeMissing: true } : {}),
    ...(queuedBehind === undefined ? {} : { queuedBehind }),
    executionCount,
    outputs
  };
}

/** `Name: value`, or the name alone. */
export function errorLine({
  errorName = 'Error',
  errorValue = ''
}: IRunResult): string {
  return errorValue === '' ? errorName : `${errorName}: ${errorValue}`;
}
