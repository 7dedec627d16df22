import type { DocumentRegistry } from '@jupyterlab/docregistry';
import { type Contents, ServerConnection } from '@jupyterlab/services';
import { ToolError } from '../calls/errors';
import { inTime } from '../calls/inTime';
import { plainPath } from '../calls/paths';
import type { IClock } from '../calls/types';
import { quote } from '../calls/words';
import { isAbsent, isMissing } from './fileText';
import { mixedEnds } from './lineEnds';
import { toServerError } from './reasons';
import { isOnDisk, savedByRoom } from './roomSaves';
import type { DiskState } from './types';

/** How long a read waits for the server to say whether a file has changed. */
const DISK_MS = 1500;

/** Modification times differ by less where nothing changed, as JupyterLab reckons. */
const MARGIN_MS = 500;

/** Why an open document cannot be saved, known before it is tried. */
export interface IObstacle {
  /** There is no file any more; else it may not be written, or is out of reach. */
  readonly isGone: boolean;
  /** What is thrown of it; `what` was not done. */
  told(what: string): unknown;
}

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
    const look = this._look(context).then(({ state }) => state);
    return inTime(look, DISK_MS, undefined, this._clock);
  }

  /** Whether the file was gone when it was last looked for; asks nobody. */
  isKnownGone(context: DocumentRegistry.Context): boolean {
    // What was saved, loaded or renamed since then has been found.
    return this._gone.get(context) === mark(context);
  }

  /** What is in the way of a save, as JupyterLab would tell in a dialog. */
  async obstacle(
    context: DocumentRegistry.Context
  ): Promise<IObstacle | undefined> {
    const { path } = context;
    const look = await this._look(context);
    if (look.state === 'gone') {
      return { isGone: true, told: what => goneError(what, path, look.place) };
    }
    if (look.state === undefined) {
      const { reason } = look;
      return reason === undefined
        ? undefined
        : { isGone: false, told: what => toServerError(reason, what) };
    }
    return look.isLocked
      ? { isGone: false, told: what => lockedError(what, path) }
      : undefined;
  }

  /**
   * Saves as the person's own Save does, its question about a changed file
   * included, where nothing is known to be in the way. Resolves with whether
   * the document is on disk as it is now. Throws operation_refused or
   * permission_denied with the reason otherwise.
   */
  async save(context: DocumentRegistry.Context): Promise<boolean> {
    if (await this._isSavedByRoom(context)) {
      return true;
    }
    const obstacle = await this.obstacle(context);
    if (obstacle) {
      throw obstacle.told(NOT_SAVED);
    }
    return this._save(context);
  }

  /** The same where `obstacle` has just found nothing. */
  async saveFree(context: DocumentRegistry.Context): Promise<boolean> {
    return context.model.collaborative
      ? this.save(context)
      : this._save(context);
  }

  /** Whether a text file holds a text, line ends aside; true where it cannot be read. */
  async holds(
    context: DocumentRegistry.Context,
    text: string
  ): Promise<boolean> {
    const asText = { type: 'file', format: 'text', content: true } as const;
    const plain = (some: unknown): string =>
      String(some).replace(/\r\n?/g, '\n');
    return this._contents.get(context.path, asText).then(
      ({ content }) => plain(content) === plain(text),
      () => true
    );
  }

  /** What there is to say of what a save makes of the file's line ends. */
  lineEnds(context: DocumentRegistry.Context): Promise<string | undefined> {
    return mixedEnds(context, this._contents);
  }

  private async _isSavedByRoom(
    context: DocumentRegistry.Context
  ): Promise<boolean> {
    return (
      context.model.collaborative === true &&
      savedByRoom(context, this._contents, this._clock)
    );
  }

  private async _save(context: DocumentRegistry.Context): Promise<boolean> {
    try {
      await context.save();
    } catch (reason) {
      throw saveError(reason);
    }
    return (
      !context.model.dirty &&
      // Collaboration reports a file that it may not write as saved.
      (!context.model.collaborative ||
        (await isOnDisk(context, this._contents)))
    );
  }

  private async _look(context: DocumentRegistry.Context): Promise<Look> {
    const { path, contentsModel: known } = context;
    if (!known) {
      return { state: undefined };
    }
    try {
      const options = { content: false, hash: true };
      const now = await this._contents.get(path, options);
      if (now.type === 'directory') {
        return this._found(context, path, 'folder');
      }
      this._gone.delete(context);
      return {
        state: differs(known, now) ? 'changed' : 'same',
        isLocked: now.writable === false
      };
    } catch (reason) {
      const place = await this._placeOf(path, reason);
      return place === undefined
        ? { state: undefined, reason }
        : this._found(context, path, place);
    }
  }

  private _found(
    context: DocumentRegistry.Context,
    path: string,
    place: Place
  ): Look {
    // What moved meanwhile is looked for at its new path the next time.
    if (context.path !== path) {
      return { state: undefined };
    }
    this._gone.set(context, mark(context));
    return { state: 'gone', place };
  }

  /** What is where a file cannot be found; undefined when nobody knows. */
  private async _placeOf(
    path: string,
    reason: unknown
  ): Promise<Place | undefined> {
    if (isMissing(reason)) {
      return 'empty';
    }
    if (await isAbsent(this._contents, path, reason)) {
      return 'behindFile';
    }
    // Asked for the hash of a folder the server breaks off.
    if (
      reason instanceof ServerConnection.ResponseError &&
      reason.response.status >= 500
    ) {
      const facts = await this._contents
        .get(path, { content: false })
        .catch(() => undefined);
      return facts?.type === 'directory' ? 'folder' : undefined;
    }
    return undefined;
  }

  private readonly _gone = new WeakMap<DocumentRegistry.Context, string>();
}

const NOT_SAVED = 'It was not saved';

/** What there is where a file was. */
type Place = 'empty' | 'folder' | 'behindFile';

type Look =
  | { readonly state: 'same' | 'changed'; readonly isLocked: boolean }
  | { readonly state: 'gone'; readonly place: Place }
  /** `reason`: why the server did not tell. */
  | { readonly state: undefined; readonly reason?: unknown };

const PLACES = {
  empty:
    ', moved, renamed or deleted by another program, and saving would make it anew at its old path',
  folder: ', and a folder has taken its place',
  behindFile: ', and a file has taken the place of a folder it lay in'
} as const;

function goneError(what: string, path: string, place: Place): ToolError {
  return new ToolError(
    'operation_refused',
    `${what}: the file of ${quote(plainPath(path))} is gone from disk${PLACES[place]}. The open document keeps its edits. list_directory shows whether the file lies elsewhere; ask the person, whose ${place === 'empty' ? 'Save or Save As' : 'Save As'} in JupyterLab writes it where they want it.`
  );
}

function lockedError(what: string, path: string): ToolError {
  return new ToolError(
    'permission_denied',
    `${what}: the Jupyter server may not write the file of ${quote(plainPath(path))}. Ask the person, who can allow that, or save the open document elsewhere (Save As).`
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
  return toServerError(reason, NOT_SAVED);
}
