/** A code cell, or another kind, with a fixed id. */
export function cell(
  id: string,
  source: string,
  type: 'code' | 'markdown' | 'raw' = 'code'
): Record<string, unknown> {
  return {
    cell_type: type,
    id,
    metadata: {},
    source,
    ...(type === 'code' ? { execution_count: null, outputs: [] } : {})
  };
}

/** The text of a notebook file. */
export function notebook(...cells: Record<string, unknown>[]): string {
  return JSON.stringify(
    {
      cells,
      metadata: {
        kernelspec: {
          display_name: 'Python 3 (ipykernel)',
          language: 'python',
          name: 'python3'
        },
        language_info: { name: 'python' }
      },
      nbformat: 4,
      nbformat_minor: 5
    },
    null,
    1
  );
}
