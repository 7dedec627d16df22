import type { ISessionContext } from '@jupyterlab/apputils';
import { CodeCell } from '@jupyterlab/cells';
import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { INotebookTracker } from '@jupyterlab/notebook';
import type { IClient } from '../calls/types';
import { quote } from '../calls/words';
import type { RunBook } from './runBook';

/** The session contexts of the documents and consoles that are open in this page. */
export function* pageSessions(
  app: Pick<JupyterFrontEnd, 'shell'>
): Iterable<ISessionContext> {
  for (const widget of app.shell.widgets('main')) {
    const context: unknown = Reflect.get(widget, 'sessionContext');
    if (isSessionContext(context) && !context.isDisposed) {
      yield context;
    }
  }
}

function isSessionContext(value: unknown): value is ISessionContext {
  return (
    typeof value === 'object' &&
    value !== null &&
    'session' in value &&
    'restartKernel' in value
  );
}

/**
 * What a kernel is busy with beside a client's own work, in words for a
 * model: whose run goes before. Asks no server.
 */
export function busyWith(
  book: RunBook,
  notebooks: INotebookTracker | null,
  kernelId: string,
  status: string,
  client: IClient
): string | undefined {
  const runs = book.inKernel(kernelId);
  const other = runs.find(run => run.client.id !== client.id);
  if (other) {
    return `${other.what}, run by another client (${other.client.name}, client ${other.client.number})`;
  }
  if (status !== 'busy') {
    return undefined;
  }
  const cell = personsCell(book, notebooks, kernelId);
  if (cell) {
    return `${cell}, run by the person`;
  }
  return runs.length > 0
    ? undefined
    : 'code that no notebook of this tab shows (a console or another program)';
}

function personsCell(
  book: RunBook,
  notebooks: INotebookTracker | null,
  kernelId: string
): string | undefined {
  const found = notebooks?.find(
    panel => panel.sessionContext.session?.kernel?.id === kernelId
  );
  const cell = found?.content.widgets.find(
    each =>
      each instanceof CodeCell &&
      each.model.executionState === 'running' &&
      !book.ofCell(each.model)
  );
  return found && cell
    ? `cell ${quote(cell.model.id)} of ${quote(found.context.localPath)}`
    : undefined;
}
