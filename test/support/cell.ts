import type { ICell } from '../../src/jupyter/notebookTypes';

/** A code cell that was never run, but for the facts given. */
export function cell(facts: Partial<ICell>): ICell {
  return {
    cellId: 'id-1',
    index: 0,
    cellType: 'code',
    source: '',
    executionCount: null,
    outputs: [],
    outputCount: 0,
    attachments: undefined,
    metadata: {},
    editable: true,
    deletable: true,
    state: 'never run',
    outputsMayBeMissing: false,
    startedBy: undefined,
    ...facts
  };
}
