import type { DocumentRegistry } from '@jupyterlab/docregistry';
import type { Contents } from '@jupyterlab/services';
import { ToolError } from '../calls/errors';
import type { IClock } from '../calls/types';
import { toServerError } from './reasons';
import { isOnDisk, savedByRoom } from './roomSaves';

/** How long a read waits for the server to say whether a file has changed. */
const DISK_MS = 1500;

/** Modification times differ by less where nothing changed, as JupyterLab reckons. */
const MARGIN_MS = 500;

/**
 * Whether the file of an open document is not the one it was loaded from or
 * saved to; undefined when the server does not say in time. A document that
 * is shared takes over what is changed on disk, so it does not fall behind.
 */
export async function diskChanged(
  context: DocumentRegistry.Context,
  contents: Pick<Contents.IManager, 'get'>,
  clock: IClock,
  isShared: boolean
): Promise<boolean | undefined> {
  const known = context.contentsModel;
  if (!known || isShared) {
    return isShared ? false : undefined;
  }
  let timer: { dispose(): void } | undefined;
  const late = new Promise<undefined>(resolve => {
    timer = clock.after(DISK_MS, () => resolve(undefined));
  });
  try {
    const now = await Promise.race([
      contents.get(context.path, { content: false, hash: true }),
      late
    ]);
    return now && differs(known, now);
  } catch {
    // Gone or out of reach: the one who saves will be told.
    return undefined;
  } finally {
    timer?.dispose();
  }
}

type State = Pick<Contents.IModel, 'hash' | 'last_modified'>;

function differs(known: State, now: State): boolean {
  if (known.hash && now.hash) {
    return known.hash !== now.hash;
  }
  return (
    Date.parse(now.last_modified) - Date.parse(known.last_modified) > MARGIN_MS
  );
}

/**
 * Saves as the person's own Save does, JupyterLab's questions included.
 * Resolves with whether the document is on disk as it is now. Throws
 * operation_refused or permission_denied with the reason otherwise.
 */
export async function saveDocument(
  context: DocumentRegistry.Context,
  contents: Pick<Contents.IManager, 'get'>,
  clock: IClock
): Promise<boolean> {
  if (
    context.model.collaborative &&
    (await savedByRoom(context, contents, clock))
  ) {
    return true;
  }
  try {
    await context.save();
  } catch (reason) {
    throw saveError(reason);
  }
  return (
    !context.model.dirty &&
    // Collaboration reports a file that it may not write as saved.
    (!context.model.collaborative || (await isOnDisk(context, contents)))
  );
}

function saveError(reason: unknown): unknown {
  if (typeof reason === 'string') {
    return new ToolError(
      'operation_refused',
      `It was not saved. Collaboration says: ${reason}`
    );
  }
  const name = reason instanceof Error ? reason.name : '';
  if (name === 'ModalCancelError') {
    return new ToolError(
      'operation_refused',
      "The file had changed on disk, and JupyterLab's question what to do was cancelled, so it was not saved."
    );
  }
  if (name === 'ModalDuplicateError') {
    return new ToolError(
      'operation_refused',
      "The file has changed on disk, and JupyterLab's question what to do is open already. It has to be answered first."
    );
  }
  return toServerError(reason, 'The notebook was not saved');
}
