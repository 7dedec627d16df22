import type { IDocumentManager } from '@jupyterlab/docmanager';
import type { NotebookPanel } from '@jupyterlab/notebook';
import { type Contents, ServerConnection } from '@jupyterlab/services';
import { ToolError } from '../calls/errors';
import { quote } from '../calls/words';
import { type IOddity, nameOddities } from './oddities';
import { toServerError } from './reasons';

/**
 * Opens a notebook behind the tab that is shown. No kernel is started: the
 * first run does that, without asking which.
 */
export function openInBackground(
  documents: IDocumentManager,
  contents: Pick<Contents.IManager, 'driveName'>,
  path: string
): void {
  assertNoOtherEdits(documents, path);
  const drive = contents.driveName('RTC:') === 'RTC' ? 'RTC:' : '';
  const factory = documents.registry.getWidgetFactory('Notebook');
  documents.openOrReveal(
    drive + path,
    factory ? factory.name : 'default',
    undefined,
    { activate: false, mode: 'tab-after' },
    { shouldStart: false }
  );
}

/**
 * Asks the server for the notebook as JupyterLab would. Where that fails, or
 * JupyterLab cannot load what is in it, opening it would put dialogs before
 * the person, leave a broken tab and never end.
 *
 * @throws ToolError validation_failed, operation_refused, permission_denied
 */
export async function assertOpens(
  contents: Pick<Contents.IManager, 'get'>,
  path: string,
  odd: readonly IOddity[]
): Promise<void> {
  const what = `JupyterLab cannot open ${quote(path)} as a notebook (read_file shows its text, write_file can mend it)`;
  const fatal = odd.filter(({ isFatal }) => isFatal);
  if (fatal.length > 0) {
    throw new ToolError(
      'validation_failed',
      `${what}: ${nameOddities(fatal)}.`
    );
  }
  try {
    await contents.get(path, { type: 'notebook', content: true });
  } catch (reason) {
    if (odd.length > 0 && isUnreadable(reason)) {
      throw new ToolError(
        'validation_failed',
        `${what}: ${nameOddities(odd)}.`
      );
    }
    throw reason instanceof SyntaxError
      ? new ToolError(
          'operation_refused',
          `${what}: it holds values that are no JSON, such as numbers too large for it.`
        )
      : toServerError(reason, what);
  }
}

/** The server can reach the file and make nothing of what is in it. */
function isUnreadable(reason: unknown): boolean {
  return (
    reason instanceof ServerConnection.ResponseError &&
    [400, 500].includes(reason.response.status)
  );
}

/**
 * Does something with a notebook that was opened for it. Where that throws and
 * changed nothing, the notebook is closed again, unless somebody is in it.
 */
export function orClose<T>(panel: NotebookPanel, change: () => T): T {
  const { model } = panel;
  let isChanged = false;
  const onChanged = (): void => {
    isChanged = true;
  };
  model?.contentChanged.connect(onChanged);
  try {
    return change();
  } catch (reason) {
    if (!isChanged && !panel.node.contains(document.activeElement)) {
      // What only loading it changed is no loss, so nobody is asked.
      panel.dispose();
    }
    throw reason;
  } finally {
    model?.contentChanged.disconnect(onChanged);
  }
}

/** Lets a kernel start at the first run, whoever runs. */
export function startLater({ sessionContext }: NotebookPanel): void {
  void sessionContext.ready.then(() => {
    const { shouldStart: _, ...preference } = sessionContext.kernelPreference;
    sessionContext.kernelPreference = preference;
  });
}

/**
 * Two models of one file overwrite each other; where collaboration saves them
 * by itself, at once, and it warns the person with a dialog.
 */
function assertNoOtherEdits(documents: IDocumentManager, path: string): void {
  const other = documents.findWidget(path, null);
  const context = other && documents.contextForWidget(other);
  if (context?.model.collaborative) {
    throw new ToolError(
      'operation_refused',
      `${quote(path)} is open in a text editor, and collaboration cannot have one file in two kinds of view. Ask the person to close it there; write_file changes its text as it is open.`
    );
  }
  if (context?.model.dirty) {
    throw new ToolError(
      'operation_refused',
      `${quote(path)} is open in a text editor, with changes that are not saved. Ask the person to save or close it there.`
    );
  }
}
