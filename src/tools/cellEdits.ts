import { ToolError } from '../calls/errors';
import { applyReplacements, type IReplacement } from '../calls/textEdits';
import type { Data, ICaller } from '../calls/types';
import type {
  ICell,
  IEdited,
  INotebook,
  INotebookView
} from '../jupyter/notebookTypes';
import { firstOf } from '../results/index';
import { cellRevision, verifyCell } from './cellData';
import type { IToolContext } from './context';
import { refuseMark } from './marks';

/** Characters of the replaced text that an answer repeats. */
const REPLACED = 300;

/** What becomes of the source of a cell. */
export interface ISourceEdit {
  readonly cellId: string;
  readonly content?: string;
  readonly replacements?: readonly IReplacement[];
  readonly revision?: string;
}

/**
 * Checks the revision that a change was made from.
 * @throws ToolError validation_failed where one is demanded and missing,
 * stale_revision, tampered_revision
 */
export function checkRevision(
  notebook: INotebookView,
  cell: ICell,
  given: string | undefined,
  caller: ICaller,
  context: IToolContext
): void {
  if (given !== undefined) {
    verifyCell(notebook, cell, context.revisions, given);
  } else if (caller.demandsRevisions) {
    throw new ToolError(
      'validation_failed',
      `revision is missing. Read the cell ${cell.cellId} first (read_cell, or read_notebook with cellIds) and pass the revision on that it returns, so that nobody's text is overwritten unseen.`
    );
  }
}

/**
 * Edits the source of a cell of an open notebook. Returns the fields that
 * every edit answers with.
 */
export function editSource(
  notebook: INotebook,
  edit: ISourceEdit,
  caller: ICaller,
  context: IToolContext
): Data {
  const cell = notebook.cell(edit.cellId);
  checkRevision(notebook, cell, edit.revision, caller, context);
  const before = cell.source;
  const after = newSource(before, edit);
  refuseMark(before, after, context);
  const edited = notebook.setSource(cell.cellId, after);
  const changeId = context.changes.record(caller.client, {
    kind: 'edit',
    notebookPath: notebook.path,
    cellId: cell.cellId,
    before,
    after: notebook.cell(cell.cellId).source
  });
  return {
    ...editData(notebook, edited, context),
    changeId,
    ...replaced(before, context)
  };
}

/** The fields that an edit of a cell which is still there answers with. */
export function editData(
  notebook: INotebook,
  edited: IEdited,
  context: IToolContext
): Data {
  const cell = notebook.cell(edited.cellId);
  return {
    success: true,
    notebookPath: notebook.path,
    ...placeData(edited),
    revision: cellRevision(notebook, cell, context.revisions),
    saved: !notebook.dirty
  };
}

/** Where a cell is, or was, between which others. */
export function placeData({ cellId, index, before, after }: IEdited): Data {
  return { cellId, index, before, after };
}

function newSource(
  before: string,
  { content, replacements }: ISourceEdit
): string {
  if (content !== undefined && replacements === undefined) {
    return content;
  }
  if (replacements !== undefined && content === undefined) {
    return applyReplacements(before, replacements);
  }
  throw new ToolError(
    'validation_failed',
    'Give either content (the whole new text) or replacements (parts of it), one of the two.'
  );
}

function replaced(before: string, { redact }: IToolContext): Data {
  const { text, total } = firstOf(before, REPLACED, redact);
  return {
    replaced: text,
    ...(text.length < total ? { replacedCharacters: total } : {})
  };
}
