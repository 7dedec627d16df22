import type { DocumentRegistry } from '@jupyterlab/docregistry';
import { type ITranslator, nullTranslator } from '@jupyterlab/translation';
import { ToolError } from '../calls/errors';
import { plainPath } from '../calls/paths';
import { quote } from '../calls/words';

/**
 * How collaboration titles its dialogs about a document that is no longer the
 * one that the others edit, in English and in the language of the page. The
 * first is of other versions and packages.
 */
export function roomTitles(translator: ITranslator): ReadonlySet<string> {
  return new Set([nullTranslator, translator].flatMap(titlesIn));
}

function titlesIn(translator: ITranslator): string[] {
  const trans = translator.load('jupyter_collaboration');
  return [
    trans.__('Document session error'),
    trans.__('Session expired'),
    trans.__('Collaboration extension updated'),
    trans.__('Document error'),
    trans.__('Edit Conflict')
  ];
}

/** When the dialog has been closed, and the document is left without a room. */
const CUT_OFF =
  'Collaboration has let go of this document, so what is changed in this tab reaches nobody and no file. It has to be closed and opened again, or the page reloaded.';

type Context = Pick<DocumentRegistry.Context, 'path' | 'model'>;

export interface IRoomsOptions {
  /** The dialogs that are open. */
  readonly dialogs: () => Iterable<{
    readonly title: string;
    readonly body: string;
  }>;
  /** What `roomTitles` returns. */
  readonly titles: ReadonlySet<string>;
  /** The documents that are open. */
  readonly documents: () => Iterable<Context>;
}

/** Tells documents that lost the room in which collaboration edits them. */
export interface IRooms {
  /** Why a document may be out of date, in JupyterLab's words; else undefined. */
  lost(context: Context): string | undefined;
}

/** Whether collaboration has a document, and with it what changes on disk. */
export function isLive(context: Context, rooms: IRooms): boolean {
  return (
    context.model.collaborative === true && rooms.lost(context) === undefined
  );
}

/** Reads from dialogs and models whether collaboration still has a document. */
export class Rooms implements IRooms {
  constructor(private readonly _options: IRoomsOptions) {}

  lost(context: Context): string | undefined {
    const { dialogs, titles } = this._options;
    for (const { title, body } of dialogs()) {
      if (titles.has(title.trim()) && this._isAbout(body, context)) {
        return [title, body].filter(Boolean).join(': ');
      }
    }
    return isCutOff(context) ? CUT_OFF : undefined;
  }

  /**
   * A dialog that names no open document is about all that are shared, or
   * about all where none is.
   */
  private _isAbout(body: string, context: Context): boolean {
    const names = ({ path }: Context): boolean =>
      body.includes(plainPath(path));
    const all = [...this._options.documents()];
    return all.some(names)
      ? names(context)
      : context.model.collaborative === true ||
          !all.some(({ model }) => model.collaborative);
  }
}

/** @throws ToolError operation_refused, with JupyterLab's words */
export function assertInRoom(path: string, lost: string | undefined): void {
  if (lost !== undefined) {
    throw new ToolError(
      'operation_refused',
      `${quote(path)} cannot be changed now. JupyterLab says: ${lost}`
    );
  }
}

/**
 * Collaboration ends a shared model rather than have it overwrite the file.
 * With a document that is closed, both models end.
 */
function isCutOff({ model }: Context): boolean {
  const { sharedModel } = model;
  return (
    !model.isDisposed &&
    'isDisposed' in sharedModel &&
    sharedModel.isDisposed === true
  );
}
