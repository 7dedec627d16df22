/**
 * What edits must not carry, and who manages it (contract: Errors on the MCP
 * surface, `field_read_only`).
 */
export const MANAGED: ReadonlyMap<string, string> = new Map([
  ['id', 'The id of a cell is given when it is added and never changes.'],
  [
    'newCellId',
    'The id of a cell is given when it is added and never changes.'
  ],
  ['execution_count', 'Running the cell sets it (run_cell).'],
  ['executionCount', 'Running the cell sets it (run_cell).'],
  ['outputs', 'Running the cell makes them (run_cell).'],
  ['kernelspec', 'Choosing a kernel sets it (change_kernel).'],
  ['language_info', 'The kernel sets it (change_kernel).']
]);

/** For tools that edit cells: every name that is managed. */
export const MANAGED_FIELDS: readonly string[] = [...MANAGED.keys()];
