import type { ISessionContext } from '@jupyterlab/apputils';
import { CodeCell } from '@jupyterlab/cells';
import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { INotebookTracker } from '@jupyterlab/notebook';
import type { Kernel, KernelMessage } from '@jupyterlab/services';
import type { IClient } from '../calls/types';
import { quote } from '../calls/words';
import type { KernelStatuses } from './kernelStatus';
import type { RunBook } from './runBook';
import { requestIdOf, statusOf } from './messages';

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

type LoadedKernel = Pick<
  Kernel.IKernelConnection,
  'id' | 'status' | 'iopubMessage'
>;

/**
 * What kernels are busy with beside a client's own work, in words for a
 * model: whose run goes before. Asks no server.
 */
export class KernelLoad {
  constructor(
    private readonly _book: RunBook,
    private readonly _notebooks: INotebookTracker | null,
    private readonly _statuses: Pick<KernelStatuses, 'of'>
  ) {}

  /**
   * Listens to a connection, for as long as that lives: its status alone is
   * no sign, because other requests than for code make a kernel busy too.
   */
  follow(kernel: LoadedKernel): void {
    if (!this._requests.has(kernel)) {
      this._requests.set(kernel, undefined);
      kernel.iopubMessage.connect(this._onMessage, this);
    }
  }

  before(kernel: LoadedKernel, client: IClient): string | undefined {
    const runs = this._book.inKernel(kernel.id);
    const other = runs.find(run => run.client.id !== client.id);
    if (other) {
      return `${other.what}, run by another client (${other.client.name}, client ${other.client.number})`;
    }
    const request = this._requests.get(kernel);
    this.follow(kernel);
    const isBusy =
      request === undefined
        ? this._statuses.of(kernel) === 'busy' && runs.length === 0
        : request !== null && !this._book.isOwn(request);
    return isBusy
      ? (this._personsCell(kernel.id) ??
          'code that no notebook of this tab shows (a console, another program, or what ran before the page was reloaded)')
      : undefined;
  }

  private _personsCell(kernelId: string): string | undefined {
    const found = this._notebooks?.find(
      panel => panel.sessionContext.session?.kernel?.id === kernelId
    );
    const cell = found?.content.widgets.find(
      each =>
        each instanceof CodeCell &&
        each.model.executionState === 'running' &&
        !this._book.ofCell(each.model)
    );
    return found && cell
      ? `cell ${quote(cell.model.id)} of ${quote(found.context.localPath)}, run by the person`
      : undefined;
  }

  private _onMessage(
    kernel: LoadedKernel,
    msg: KernelMessage.IIOPubMessage
  ): void {
    const request = requestIdOf(msg) || null;
    if (msg.header.msg_type === 'execute_input') {
      this._requests.set(kernel, request);
    } else {
      const state = statusOf(msg);
      if (
        state === 'starting' ||
        (state === 'idle' && request === this._requests.get(kernel))
      ) {
        this._requests.set(kernel, null);
      }
    }
  }

  /** The request each kernel works on; null: none; undefined: not known yet. */
  private readonly _requests = new WeakMap<
    LoadedKernel,
    string | null | undefined
  >();
}
