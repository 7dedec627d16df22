import type { DocumentRegistry } from '@jupyterlab/docregistry';
import type { Contents } from '@jupyterlab/services';
import type { IClock } from '../calls/types';

/** How long the server may take to save a shared document by itself. */
const ROOM_SAVES_MS = 3000;

/**
 * Waits until collaboration has saved a shared document, as it does about a
 * second after each change. A save of one's own beside that would now and
 * then find the file just written, and ask the person which is to stay.
 * Resolves with false where the server does not come to it.
 */
export async function savedByRoom(
  context: DocumentRegistry.Context,
  contents: Pick<Contents.IManager, 'get'>,
  clock: IClock
): Promise<boolean> {
  const news = new News(context, clock);
  try {
    while (!news.isLate) {
      const next = news.next();
      // The mark alone is no sign: the end of an earlier save takes it away too.
      if (!context.model.dirty && (await isOnDisk(context, contents))) {
        return true;
      }
      await next;
    }
    return false;
  } finally {
    news.dispose();
  }
}

/** Tells of what may mean that a document was saved, until it is too late. */
class News {
  constructor(
    private readonly _context: DocumentRegistry.Context,
    clock: IClock
  ) {
    this._timer = clock.after(ROOM_SAVES_MS, () => {
      this.isLate = true;
      this._tell();
    });
    _context.fileChanged.connect(this._tell, this);
    _context.model.stateChanged.connect(this._tell, this);
  }

  isLate = false;

  next(): Promise<void> {
    return new Promise(resolve => (this._resolve = resolve));
  }

  dispose(): void {
    this._timer.dispose();
    this._context.fileChanged.disconnect(this._tell, this);
    this._context.model.stateChanged.disconnect(this._tell, this);
  }

  private _tell(): void {
    this._resolve();
  }

  private readonly _timer: { dispose(): void };
  private _resolve: () => void = () => {};
}

/** Whether the file of a shared document holds what the page shows. */
export async function isOnDisk(
  { path, model }: DocumentRegistry.Context,
  contents: Pick<Contents.IManager, 'get'>
): Promise<boolean> {
  const isNotebook = 'cells' in model.sharedModel;
  try {
    const file = await contents.get(path, {
      ...(isNotebook
        ? { type: 'notebook', format: 'json' }
        : { type: 'file', format: 'text' }),
      content: true
    });
    return isNotebook
      ? gist(file.content) === gist(model.toJSON())
      : plainEnds(file.content) === plainEnds(model.toString());
  } catch {
    // JupyterLab's own save says what is wrong.
    return false;
  }
}

/** What of a notebook is compared: all else follows from it, or is the server's. */
function gist(content: unknown): string {
  const cells: unknown = Reflect.get(Object(content), 'cells');
  return JSON.stringify(
    Array.isArray(cells)
      ? cells.map((cell: unknown) => {
          const { cell_type, source, execution_count, outputs }: ICellJSON =
            Object(cell);
          return [
            cell_type,
            Array.isArray(source) ? source.join('') : source,
            execution_count ?? null,
            Array.isArray(outputs) ? outputs.length : 0
          ];
        })
      : null
  );
}

interface ICellJSON {
  readonly cell_type?: unknown;
  readonly source?: unknown;
  readonly execution_count?: unknown;
  readonly outputs?: unknown;
}

function plainEnds(text: unknown): string {
  return String(text).replace(/\r\n?/g, '\n');
}
