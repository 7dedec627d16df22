import type { Cell } from '@jupyterlab/cells';
import {
  CodeMirrorEditor,
  ySyncAnnotation,
  ySyncFacet
} from '@jupyterlab/codemirror';

/**
 * A new source with the line ends that suit the cell: those of a cell that
 * has carriage returns are left as they are, elsewhere lines end in "\n", as
 * JupyterLab's editor itself writes them.
 */
export function matchLineEnds(before: string, source: string): string {
  return before.includes('\r') ? source : source.replace(/\r\n?/g, '\n');
}

/**
 * Shows the source of a cell with carriage returns as it is. The editor
 * counts "\r\n" as one character and the shared text as two, so it puts
 * changes from outside in the wrong place there.
 */
export function redraw(cell: Cell | undefined, source: string): void {
  const editor = cell?.editor;
  if (!source.includes('\r') || !(editor instanceof CodeMirrorEditor)) {
    return;
  }
  const view = editor.editor;
  const shown = source.replace(/\r\n?/g, '\n');
  if (view.state.doc.toString() === shown) {
    return;
  }
  const caret = Math.min(view.state.selection.main.head, shown.length);
  view.dispatch({
    changes: { from: 0, to: view.state.doc.length, insert: shown },
    selection: { anchor: caret },
    // Marked as coming from the shared text, so that it is not written back.
    annotations: ySyncAnnotation.of(view.state.facet(ySyncFacet))
  });
}
