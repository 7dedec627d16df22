import type { CellState } from './notebookTypes';

/** The state of a code cell of a file, as far as the file tells. */
export function fileState(
  executionCount: number | null,
  outputs: readonly unknown[]
): CellState {
  const failed = outputs.some(
    output =>
      typeof output === 'object' &&
      output !== null &&
      'output_type' in output &&
      output.output_type === 'error'
  );
  if (failed) {
    return 'error';
  }
  return executionCount === null && outputs.length === 0 ? 'never run' : 'done';
}
