import type { DocumentRegistry } from '@jupyterlab/docregistry';
import type { Contents } from '@jupyterlab/services';
import { ToolError } from '../calls/errors';
import { plainPath } from '../calls/paths';
import type { IClock } from '../calls/types';
import { quote } from '../calls/words';
import { isMissing } from './fileText';
import { toServerError } from './reasons';
import { isOnDisk, savedByRoom } from './roomSaves';
import type { DiskState } from './types';

/** How long a read waits for the server to say whether a file has changed. */
const DISK_MS = 1500;

/** Modification times differ by less where nothing changed, as JupyterLab reckons. */
const MARGIN_MS = 500;

/** The documents that are open, and their files on disk. */
export class Disk {
  constructor(
    private readonly _contents: Pick<Contents.IManager, 'get'>,
    private readonly _clock: IClock
  ) {}

  /**
   * How the file of a document stands to it; undefined when the server does
   * not say in time. A document that is shared takes over what is changed on
   * disk, so it does not fall behind.
   */
  async state(
    context: DocumentRegistry.Context,
    isShared: boolean
  ): Promise<DiskState | undefined> {
    if (isShared) {
      return 'same';
    }
    let timer: { dispose(): void } | undefined;
    const late = new Promise<undefined>(resolve => {
      timer = this._clock.after(DISK_MS, () => resolve(undefined));
    });
    try {
      return await Promise.race([this._look(context), late]);
    } finally {
      timer?.dispose();
    }
  }

  /** Whether the file was gone when it was last looked for; asks nobody. */
  isKnownGone(context: DocumentRegistry.Context): boolean {
    // What was saved, loaded or renamed since then has been found.
    return this._gone.get(context) === mark(context);
  }

  /** Whether there is no file any more to which a document could be saved. */
  async isGone(context: DocumentRegistry.Context): Promise<boolean> {
    return (await this._look(context)) === 'gone';
  }

  /**
   * Saves as the person's own Save does, JupyterLab's questions included.
   * Resolves with whether the document is on disk as it is now. Throws
   * operation_refused or permission_denied with the reason otherwise.
   */
  async save(context: DocumentRegistry.Context): Promise<boolean> {
    const isShared = context.model.collaborative === true;
    if (isShared && (await savedByRoom(context, this._contents, this._clock))) {
      return true;
    }
    // JupyterLab asks where a file has changed, and not where it is gone.
    if (await this.isGone(context)) {
      throw goneError(context.path);
    }
    try {
      await context.save();
    } catch (reason) {
      throw saveError(reason);
    }
    return (
      !context.model.dirty &&
      // Collaboration reports a file that it may not write as saved.
      (!isShared || (await isOnDisk(context, this._contents)))
    );
  }

  private async _look(
    context: DocumentRegistry.Context
  ): Promise<DiskState | undefined> {
    const { path, contentsModel: known } = context;
    if (!known) {
      return undefined;
    }
    try {
      const options = { content: false, hash: true };
      const now = await this._contents.get(path, options);
      this._gone.delete(context);
      return differs(known, now) ? 'changed' : 'same';
    } catch (reason) {
      // What moved meanwhile is looked for at its new path the next time.
      if (isMissing(reason) && context.path === path) {
        this._gone.set(context, mark(context));
        return 'gone';
      }
      // Out of reach: the one who saves will be told.
      return undefined;
    }
  }

  private readonly _gone = new WeakMap<DocumentRegistry.Context, string>();
}

function goneError(path: string): ToolError {
  return new ToolError(
    'operation_refused',
    `It was not saved: the file of ${quote(plainPath(path))} is gone from disk, moved, renamed or deleted by another program, and saving would make it anew at its old path. The open document keeps its edits. list_directory shows whether the file lies elsewhere; ask the person, whose Save or Save As in JupyterLab writes it where they want it.`
  );
}

/** Another after each load, save and rename. */
function mark({ path, contentsModel }: DocumentRegistry.Context): string {
  return JSON.stringify([
    path,
    contentsModel?.hash,
    contentsModel?.last_modified
  ]);
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
  return toServerError(reason, 'It was not saved');
}
