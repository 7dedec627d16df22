import type { Cell } from '@jupyterlab/cells';
import {
  CodeMirrorEditor,
  ySyncAnnotation,
  ySyncFacet
} from '@jupyterlab/codemirror';
import type { ITextEdit } from '../calls/textEdits';
import { oneStep } from './undoStep';

/**
 * A new source with the line ends that suit the cell: those of a cell that
 * has carriage returns are left as they are, elsewhere lines end in "\n", as
 * JupyterLab's editor itself writes them.
 */
export function matchLineEnds(before: string, source: string): string {
  return before.includes('\r') ? source : source.replace(/\r\n?/g, '\n');
}

/** The part of a shared cell that is used here. */
interface ISharedSource {
  getSource(): string;
  updateSource(start: number, end: number, value: string): void;
}

/**
 * Makes a change in the source of a cell, as one step of its undo. The editor
 * counts "\r\n" as one character and the shared text as two: where there are
 * such it puts the change in the wrong place or finds none, and has to be
 * shown the source as it is then.
 */
export function writeSource(
  shared: ISharedSource & object,
  { start, end, text }: ITextEdit,
  cell: Cell | undefined
): void {
  const before = shared.getSource();
  const after = before.slice(0, start) + text + before.slice(end);
  try {
    oneStep(shared, () => shared.updateSource(start, end, text));
  } catch (reason) {
    // Thrown by a listener, when the text has the change already.
    if (!before.includes('\r') || shared.getSource() !== after) {
      throw reason;
    }
  }
  if (`${before}${after}`.includes('\r')) {
    redraw(cell, shared.getSource());
  }
}

/** Shows the source of a cell as it is. */
function redraw(cell: Cell | undefined, source: string): void {
  const editor = cell?.editor;
  if (!(editor instanceof CodeMirrorEditor)) {
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
