import { canonicalJSON, type IRevisions } from '../calls/revision';
import type { Data } from '../calls/types';
import { clientName } from '../calls/words';
import type { ICell, INotebookView } from '../jupyter/notebookTypes';
import type { Redact } from '../results/index';
import type { IToolContext } from './context';
import { verifyIn } from './identity';
import { summarize } from './outputSummary';

/** How much of the outputs a read returns. */
export type OutputDetail = 'none' | 'summary' | 'full';

/** A cell as reads return it. */
export function cellData(
  notebook: INotebookView,
  cell: ICell,
  { revisions, redact }: Pick<IToolContext, 'revisions' | 'redact'>,
  outputs: OutputDetail
): Data {
  const { cellId, index, cellType, source, attachments } = cell;
  return {
    cellId,
    index,
    cellType,
    source,
    ...(cell.state === undefined ? {} : runData(cell, outputs, redact)),
    ...(attachments === undefined || Object.keys(attachments).length === 0
      ? {}
      : {
          attachments:
            outputs === 'full' ? attachments : Object.keys(attachments)
        }),
    ...(cell.editable ? {} : { editable: false }),
    ...(cell.deletable ? {} : { deletable: false }),
    revision: cellRevision(notebook, cell, revisions)
  };
}

function runData(cell: ICell, detail: OutputDetail, redact: Redact): Data {
  const { state, executionCount, outputCount, startedBy } = cell;
  return {
    state,
    executionCount,
    ...(startedBy === undefined ? {} : { startedBy: clientName(startedBy) }),
    ...(cell.outputsMayBeMissing ? { outputsMayBeMissing: true } : {}),
    ...(detail === 'none'
      ? { outputCount }
      : {
          outputs:
            detail === 'full'
              ? cell.outputs
              : cell.outputs.map(output => summarize(output, redact))
        })
  };
}

/**
 * The revision of a cell: its type, source, attachments and locks; not its
 * outputs, count or place (contract: Revisions).
 */
export function cellRevision(
  notebook: INotebookView,
  cell: ICell,
  revisions: IRevisions
): string {
  return revisions.issue(
    cellObject(notebook.identity.name, cell.cellId),
    cellContent(cell)
  );
}

/** @throws ToolError stale_revision, tampered_revision */
export function verifyCell(
  notebook: INotebookView,
  cell: ICell,
  revisions: IRevisions,
  revision: string
): void {
  verifyIn(
    notebook.identity,
    name => cellObject(name, cell.cellId),
    cellContent(cell),
    revision,
    revisions
  );
}

/** The revision of a notebook: the order of its cells. */
export function notebookRevision(
  notebook: INotebookView,
  revisions: IRevisions
): string {
  return revisions.issue(
    notebookObject(notebook.identity.name),
    notebookContent(notebook)
  );
}

/** @throws ToolError stale_revision, tampered_revision */
export function verifyNotebook(
  notebook: INotebookView,
  revisions: IRevisions,
  revision: string
): void {
  verifyIn(
    notebook.identity,
    notebookObject,
    notebookContent(notebook),
    revision,
    revisions
  );
}

function cellObject(identity: string, cellId: string): string {
  return JSON.stringify(['cell', identity, cellId]);
}

function notebookObject(identity: string): string {
  return JSON.stringify(['notebook', identity]);
}

function cellContent(cell: ICell): string {
  const { cellType, source, attachments = {}, editable, deletable } = cell;
  return canonicalJSON([cellType, source, attachments, editable, deletable]);
}

function notebookContent(notebook: INotebookView): string {
  return JSON.stringify(notebook.cells.map(cell => cell.cellId));
}
