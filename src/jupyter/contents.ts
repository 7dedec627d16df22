import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { IDocumentManager } from '@jupyterlab/docmanager';
import type { Contents, KernelSpec } from '@jupyterlab/services';
import { UUID } from '@lumino/coreutils';
import { ToolError } from '../calls/errors';
import type { IClock } from '../calls/types';
import {
  assertNewPath,
  canonicalFilePath,
  canonicalPath,
  folderOf,
  type IPathRules
} from '../calls/paths';
import { list, quote } from '../calls/words';
import type { Disk } from './disk';
import { readFileText } from './fileText';
import { Lookups } from './lookups';
import { isNotebookName, NewFiles } from './newFiles';
import { chooseSpec, emptyNotebook } from './newNotebook';
import { parseNotebook } from './notebookFile';
import { OpenFiles } from './openFile';
import type { PathHistory } from './pathHistory';
import { toServerError } from './reasons';
import { beingWritten, Turns } from './turns';
import type { IRooms } from './rooms';
import type {
  IContents,
  IEntry,
  IIdentity,
  IOpenOptions,
  ITextFile,
  IWritten
} from './types';
import { closed } from './closed';

export interface IFilesOptions {
  readonly app: Pick<JupyterFrontEnd, 'shell'>;
  readonly contents: Contents.IManager;
  readonly specs: Pick<KernelSpec.IManager, 'specs'>;
  /** null: nothing can be opened here. */
  readonly documents: IDocumentManager | null;
  readonly rules: IPathRules;
  /** A page of one document: opening another would take a new browser tab. */
  readonly oneDocument: boolean;
  readonly rooms: IRooms;
  readonly disk: Disk;
  readonly history: PathHistory;
  readonly clock: IClock;
}

/** How many factories a refusal lists. */
const NAMED = 12;

/** The files of the server, and the text documents that hold them. */
export class Files implements IContents {
  constructor(private readonly _options: IFilesOptions) {
    this._at = new Lookups(_options);
    this._open = new OpenFiles(_options);
    this._new = new NewFiles({
      ..._options,
      turns: this._turns,
      exists: async path =>
        this._open.widget(path) !== undefined || this._at.exists(path),
      assertFolder: path => this._at.assertFolder(path)
    });
  }

  async list(
    path: string
  ): Promise<{ path: string; entries: IEntry[]; writable: boolean }> {
    const folder = canonicalPath(path, this._options.rules);
    const model = await this._at.get(
      `${quote(folder)} was not listed`,
      folder,
      {
        content: true
      }
    );
    const content: unknown = model.content;
    if (model.type !== 'directory' || !Array.isArray(content)) {
      throw new ToolError(
        'validation_failed',
        `${quote(folder)} is a file, not a folder: read_file or read_notebook reads it.`
      );
    }
    const entries = content.map((entry: Contents.IModel) => ({
      name: entry.name,
      type: entryType(entry.type),
      size: entry.type === 'directory' ? null : (entry.size ?? null),
      lastModified: entry.last_modified
    }));
    entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    return { path: folder, entries, writable: model.writable };
  }

  async read(path: string): Promise<ITextFile> {
    const file = this._file(path);
    const { contents, history } = this._options;
    const disk = await this._open.find(file)?.disk();
    // Looked for anew: it may have been closed meanwhile.
    const open = this._open.find(file);
    if (open) {
      const { text, dirty, outOfDate } = open;
      return {
        path: file,
        text,
        open: true,
        dirty,
        outOfDate,
        disk,
        behindNotebook: this._open.isDirtyNotebook(file)
      };
    }
    const text = await readFileText(contents, file).catch((reason: unknown) => {
      throw history.told(file, reason);
    });
    const dirty = this._open.isDirty(file);
    return {
      path: file,
      text,
      open: this._open.widget(file) !== undefined,
      dirty,
      behindNotebook: this._open.isDirtyNotebook(file)
    };
  }

  identify(path: string): IIdentity {
    return this._options.history.identify(this._file(path));
  }

  async exists(path: string): Promise<boolean> {
    const file = this._file(path);
    return this._open.find(file) !== undefined || this._at.exists(file);
  }

  assertNotRenamed(path: string): void {
    const moved = this._options.history.renamed(
      this._file(path),
      ' Nothing was written: write_file changes it there, and create_file makes a new file here.'
    );
    if (moved) {
      throw moved;
    }
  }

  alone<T>(path: string, work: () => Promise<T>): Promise<T> {
    return this._turns.take([this._file(path)], this._options.clock, work);
  }

  async write(
    path: string,
    text: string,
    before: string | null
  ): Promise<IWritten> {
    const file = this._file(path);
    if (this._open.isNotebook(file)) {
      throw new ToolError(
        'operation_refused',
        `${quote(file)} is open as a notebook, and its file is not changed behind it. edit_cell, add_cell and delete_cell change the open notebook.`
      );
    }
    // What is being opened is changed when it is, and not behind that.
    await this._open.loaded(file);
    const open = this._open.find(file);
    if (open) {
      return { path: file, ...(await open.write(text, before)) };
    }
    if (isNotebookName(file)) {
      parseNotebook(text, file);
    }
    if (before === null) {
      assertNewPath(file);
      await this._at.assertFolder(folderOf(file));
    }
    await this._save(file, { type: 'file', format: 'text', content: text });
    const { contents } = this._options;
    const written = await readFileText(contents, file).catch(() => text);
    return { path: file, text: written, saved: true };
  }

  async createNotebook(
    folder: string,
    name: string,
    language: string | undefined
  ): Promise<{ path: string; kernelName: string | null }> {
    const spec = chooseSpec(this._options.specs.specs, language);
    const path = await this._new.make(
      folder,
      isNotebookName(name) ? name : `${name}.ipynb`,
      emptyNotebook(spec, UUID.uuid4())
    );
    return { path, kernelName: spec?.name ?? null };
  }

  create(
    folder: string,
    name: string,
    type: string | undefined,
    text: string | undefined
  ): Promise<string> {
    return this._new.create(folder, name, type, text);
  }

  async open(
    path: string,
    factory: string | undefined,
    { activate = false, mode, ref }: IOpenOptions
  ): Promise<{ path: string; widgetId: string; factory: string }> {
    const { app, documents, oneDocument } = this._options;
    const file = this._file(path);
    if (!documents || (oneDocument && !this._open.widget(file))) {
      throw new ToolError(
        'operation_refused',
        `This page shows one document only, and a page cannot open another browser tab by itself. Ask the person to open ${quote(file)}.`
      );
    }
    const { registry } = documents;
    if (factory !== undefined && !registry.getWidgetFactory(factory)) {
      const known = registry.preferredWidgetFactories(file);
      throw new ToolError(
        'unsupported_type',
        `There is no document factory ${quote(factory)}. For this file there are: ${list(
          known.map(each => each.name),
          NAMED
        )}.`
      );
    }
    // What is open already is shown also where its file is gone.
    if (!this._open.widget(file)) {
      const what = `${quote(file)} was not opened`;
      const { type } = await this._at.get(what, file, { content: false });
      if (type === 'directory') {
        throw new ToolError(
          'validation_failed',
          `${quote(file)} is a folder; list_directory shows what is in it.`
        );
      }
    }
    const widget = documents.openOrReveal(file, factory, undefined, {
      activate: false,
      ...(mode === undefined ? { mode: 'tab-after' } : modeOf(mode)),
      ...(ref === undefined ? {} : { ref })
    });
    if (!widget) {
      throw new ToolError(
        'operation_refused',
        `JupyterLab has nothing that opens ${quote(file)}.`
      );
    }
    const context = documents.contextForWidget(widget);
    await Promise.race([context?.ready, closed(widget)]);
    if (widget.isDisposed) {
      throw new ToolError(
        'operation_refused',
        `${quote(file)} could not be opened; the dialogs that are open, or the person, say why.`
      );
    }
    if (activate) {
      app.shell.activateById(widget.id);
    }
    return { path: file, widgetId: widget.id, factory: factory ?? 'default' };
  }

  private _file(path: string): string {
    return canonicalFilePath(path, this._options.rules);
  }

  private async _save(
    path: string,
    model: Partial<Contents.IModel>
  ): Promise<void> {
    try {
      await this._options.contents.save(path, model);
    } catch (reason) {
      throw toServerError(reason, `${quote(path)} was not written`);
    }
  }

  private readonly _at: Lookups;
  private readonly _open: OpenFiles;
  private readonly _turns = new Turns(beingWritten);
  private readonly _new: NewFiles;
}

function entryType(type: string): IEntry['type'] {
  return type === 'directory' || type === 'notebook' ? type : 'file';
}

const MODES = [
  'tab-before',
  'tab-after',
  'split-left',
  'split-right',
  'split-top',
  'split-bottom'
] as const;

function modeOf(mode: string): { mode: (typeof MODES)[number] } {
  const known = MODES.find(each => each === mode);
  if (!known) {
    throw new ToolError(
      'validation_failed',
      `options.mode is one of: ${MODES.join(', ')}.`
    );
  }
  return { mode: known };
}
