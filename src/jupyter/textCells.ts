import { type Cell, MarkdownCell } from '@jupyterlab/cells';
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { IRunResult } from './types';

/** Running a text cell shows it; one that the person writes in stays open. */
export function showText(panel: NotebookPanel, cell: Cell): IRunResult {
  const done = { status: 'ok' as const, executionCount: null, outputs: [] };
  if (!(cell instanceof MarkdownCell)) {
    return {
      ...done,
      message: `A ${cell.model.type} cell: there is nothing to run.`
    };
  }
  const { content } = panel;
  if (
    content.activeCell === cell &&
    content.mode === 'edit' &&
    cell.node.contains(document.activeElement)
  ) {
    return {
      ...done,
      message:
        'A markdown cell: not rendered, because the person is writing in it.'
    };
  }
  cell.inputHidden = false;
  cell.rendered = true;
  return {
    ...done,
    message: 'A markdown cell: it was rendered, there is nothing to run.'
  };
}
