import type { Data } from '../calls/types';
import type { DiskState } from '../jupyter/types';

const GONE =
  'Its file is gone from disk: another program moved, renamed or deleted it. What is shown here is what the tab still holds; list_directory shows whether the file lies elsewhere.';

const BEHIND =
  'It is open as a notebook with unsaved edits, which are not in this text: read_notebook shows them.';

/** What a call says of a document and its file, beside the text. */
export function standing({
  outOfDate,
  disk,
  odd,
  behindNotebook = false,
  notes = []
}: {
  /** Why JupyterLab may not hold it as it is now. */
  readonly outOfDate?: string;
  readonly disk?: DiskState;
  /** What stands in the file where no notebook has it. */
  readonly odd?: string;
  readonly behindNotebook?: boolean;
  readonly notes?: readonly string[];
}): Data {
  const warnings = [
    ...(outOfDate === undefined
      ? []
      : [`It may be out of date. JupyterLab says: ${outOfDate}`]),
    ...(disk === 'gone' ? [GONE] : []),
    ...(odd === undefined ? [] : [oddWarning(odd)]),
    ...(behindNotebook ? [BEHIND] : []),
    ...notes
  ];
  return {
    ...(disk === undefined ? {} : { diskChanged: disk !== 'same' }),
    ...(warnings.length === 0 ? {} : { warning: warnings.join(' ') })
  };
}

function oddWarning(odd: string): string {
  return `What stands in the file is not all a notebook's: ${odd}. Here such a source is shown as JSON, and everything else of that kind is left out. JupyterLab may be unable to open it, so that edits and runs are refused, until it is mended in the text that read_file shows (write_file).`;
}
