import type { IDocumentManager } from '@jupyterlab/docmanager';
import type {
  DocumentRegistry,
  IDocumentWidget
} from '@jupyterlab/docregistry';
import { ToolError, toToolError } from '../calls/errors';
import { smallestEdit } from '../calls/textEdits';
import { quote } from '../calls/words';
import { Composition } from './composition';
import type { Disk } from './disk';
import { heldEnds, otherEnds } from './lineEnds';
import { assertInRoom, type IRooms, isLive } from './rooms';
import { oneStep } from './undoStep';
import { closed } from './closed';
import type { DiskState, IWritten } from './types';

/** The part of a shared text that is used here. */
interface ISharedText {
  getSource(): string;
  updateSource(start: number, end: number, value: string): void;
}

/** A text file that a document of this tab holds. */
export interface IOpenFile {
  readonly text: string;
  readonly dirty: boolean;
  /** Why the text may be out of date (collaboration lost its room). */
  readonly outOfDate: string | undefined;
  /** Asks the server, briefly; undefined when it does not say in time. */
  disk(): Promise<DiskState | undefined>;
  /**
   * Writes the smallest difference from `before`, as one step of undo, and
   * saves where the person had nothing unsaved and the file is still there.
   */
  write(text: string, before: string | null): Promise<Omit<IWritten, 'path'>>;
}

export interface IOpenFilesOptions {
  /** null: nothing is open. */
  readonly documents: IDocumentManager | null;
  readonly rooms: IRooms;
  readonly disk: Disk;
}

/** The documents of this page that are no notebooks. */
export class OpenFiles {
  constructor(private readonly _options: IOpenFilesOptions) {}

  /** The widget that shows a path, whatever it shows it as. */
  widget(path: string): IDocumentWidget | undefined {
    for (const spelling of [path, `RTC:${path}`]) {
      const widget = this._options.documents?.findWidget(spelling, null);
      if (widget) {
        return widget;
      }
    }
    return undefined;
  }

  /** Whether a document of this path, of whatever kind, has unsaved edits. */
  isDirty(path: string): boolean {
    return this._context(path)?.model.dirty ?? false;
  }

  /** Whether a notebook of this path is open. */
  isNotebook(path: string): boolean {
    return this._notebook(path) !== undefined;
  }

  /** Whether a notebook of this path is open and has unsaved edits. */
  isDirtyNotebook(path: string): boolean {
    return this._notebook(path)?.model.dirty ?? false;
  }

  /** It may be open in an editor as well, as another document. */
  private _notebook(path: string): DocumentRegistry.Context | undefined {
    const { documents } = this._options;
    for (const factory of documents?.registry.widgetFactories() ?? []) {
      for (const spelling of [path, `RTC:${path}`]) {
        const widget = documents?.findWidget(spelling, factory.name);
        const context = widget && documents?.contextForWidget(widget);
        if (context && this._kind(context).type === 'notebook') {
          return context;
        }
      }
    }
    return undefined;
  }

  /** Resolves when the document of this path, if there is one, has loaded. */
  async loaded(path: string): Promise<void> {
    const widget = this.widget(path);
    const context = this._context(path);
    if (widget && context && !context.isReady) {
      await Promise.race([
        context.ready.catch(() => undefined),
        closed(widget)
      ]);
    }
  }

  /** The open text file of this path; undefined while it loads, and for others. */
  find(path: string): IOpenFile | undefined {
    const context = this._context(path);
    if (!context?.isReady || this._kind(context).format !== 'text') {
      return undefined;
    }
    const shared: unknown = context.model.sharedModel;
    if (!isSharedText(shared)) {
      return undefined;
    }
    const widget = this.widget(path);
    if (widget) {
      this._follow(widget);
    }
    return {
      text: shared.getSource(),
      dirty: context.model.dirty,
      outOfDate: this._options.rooms.lost(context),
      disk: () =>
        this._options.disk.state(context, isLive(context, this._options.rooms)),
      write: (text, before) => this._write(path, context, shared, text, before)
    };
  }

  private async _write(
    path: string,
    context: DocumentRegistry.Context,
    shared: ISharedText,
    text: string,
    before: string | null
  ): Promise<Omit<IWritten, 'path'>> {
    const { disk } = this._options;
    // Collaboration saves by itself what anybody changed.
    const hasUnsaved = (): boolean =>
      context.model.dirty && context.model.collaborative !== true;
    // What the person has not saved is not saved for them.
    const obstacle = hasUnsaved() ? undefined : await disk.obstacle(context);
    const ends =
      hasUnsaved() || obstacle ? undefined : await disk.lineEnds(context);
    if (this._context(path) !== context || shared.getSource() !== before) {
      throw new ToolError(
        'stale_revision',
        `${quote(path)} was changed after it was read, so nothing was done. Read it again, and make the change from what it is now, with the new revision.`
      );
    }
    this._assertWritable(path, context);
    const isLeft = hasUnsaved();
    if (obstacle && !obstacle.isGone && !isLeft) {
      throw obstacle.told('Nothing was changed');
    }
    const held = heldEnds(before, text);
    const edit = smallestEdit(before, held);
    if (!edit) {
      throw new ToolError(
        'validation_failed',
        `${quote(path)} holds exactly that text already but for its line ends, which an open editor keeps, so nothing was changed.`
      );
    }
    oneStep(shared, () => shared.updateSource(edit.start, edit.end, edit.text));
    const others = otherEnds(context, text, held);
    const left = {
      text: shared.getSource(),
      saved: false,
      ...(others !== undefined && { notes: [others] })
    };
    // What they or another program took away is not put back.
    if (obstacle?.isGone) {
      return { ...left, disk: 'gone' };
    }
    if (isLeft) {
      return left;
    }
    const { saved, notes = [] } = await this._save(context);
    const isReverted =
      saved &&
      context.model.collaborative !== true &&
      shared.getSource() !== left.text &&
      !(await disk.holds(context, left.text));
    const all = isReverted
      ? [REVERTED]
      : [others, saved ? ends : undefined, ...notes].filter(isText);
    return {
      ...left,
      saved: saved && !isReverted,
      ...(all.length > 0 && { notes: all })
    };
  }

  /** The edit stands also where the save fails, so that is no failure of the call. */
  private async _save(
    context: DocumentRegistry.Context
  ): Promise<Pick<IWritten, 'saved' | 'notes'>> {
    try {
      return { saved: await this._options.disk.saveFree(context) };
    } catch (reason) {
      const { message } = toToolError(reason);
      return {
        saved: false,
        notes: [`The editor holds the new text, its file does not. ${message}`]
      };
    }
  }

  private _assertWritable(
    path: string,
    context: DocumentRegistry.Context
  ): void {
    assertInRoom(path, this._options.rooms.lost(context));
    if (context.model.readOnly) {
      throw new ToolError(
        'operation_refused',
        `${quote(path)} is open and read-only.`
      );
    }
    if (this._composition.isOpenIn(this.widget(path))) {
      throw new ToolError(
        'operation_in_progress',
        `The person is composing text in ${quote(path)}. Try again in a moment.`
      );
    }
  }

  private _context(path: string): DocumentRegistry.Context | undefined {
    const widget = this.widget(path);
    return widget && this._options.documents?.contextForWidget(widget);
  }

  /**
   * What a document is held as. Its contents model does not always tell: of
   * what others changed (a rename, a save by collaboration) it takes what the
   * server says of the file, which has no format and the type of its name.
   */
  private _kind(context: DocumentRegistry.Context): {
    readonly type: unknown;
    readonly format: unknown;
  } {
    const name: unknown = Reflect.get(context, 'factoryName');
    const factory =
      typeof name === 'string'
        ? this._options.documents?.registry.getModelFactory(name)
        : undefined;
    return factory
      ? { type: factory.contentType, format: factory.fileFormat }
      : {
          type: context.contentsModel?.type,
          format: context.contentsModel?.format
        };
  }

  private _follow(widget: IDocumentWidget): void {
    if (!this._followed.has(widget)) {
      this._followed.add(widget);
      this._composition.follow(widget);
    }
  }

  private readonly _composition = new Composition();
  private readonly _followed = new WeakSet<IDocumentWidget>();
}

const REVERTED =
  'Neither the file nor the editor holds what was written: the file had changed on disk, and JupyterLab loaded that in place of saving (Revert). Read it again.';

function isText(note: string | undefined): note is string {
  return note !== undefined;
}

function isSharedText(shared: unknown): shared is ISharedText & object {
  return (
    typeof shared === 'object' &&
    shared !== null &&
    'getSource' in shared &&
    typeof shared.getSource === 'function' &&
    'updateSource' in shared &&
    typeof shared.updateSource === 'function'
  );
}
