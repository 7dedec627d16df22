import type { IDocumentManager } from '@jupyterlab/docmanager';
import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import type { Contents, ServiceManager } from '@jupyterlab/services';
import { ToolError } from '../calls/errors';
import { canonicalFilePath, type IPathRules, plainPath } from '../calls/paths';
import { quote } from '../calls/words';
import { CellIds } from './cellIds';
import { KernelProgress } from './cellState';
import { closedNotebook, sessionKernel } from './closedNotebook';
import { Composition } from './composition';
import type { Disk } from './disk';
import { readFileText } from './fileText';
import type { KernelStatuses } from './kernelStatus';
import { LostRuns } from './lostRuns';
import { type INotebookFile, parseNotebook } from './notebookFile';
import type { INotebook, INotebooks, INotebookView } from './notebookTypes';
import {
  assertOpens,
  orClose,
  openInBackground,
  startLater
} from './openInBackground';
import { type IOpenOptions, OpenNotebook } from './openNotebook';
import type { PathHistory } from './pathHistory';
import type { RunBook } from './runBook';
import type { IRooms } from './rooms';
import { SentStreams } from './streams';
import {
  cannotBeShared,
  hasAllCells,
  isKnownType,
  isShared,
  UnknownCells
} from './unknownCells';
import { closed } from './closed';

export interface INotebooksOptions {
  /** null: no notebook can be open here. */
  readonly tracker: INotebookTracker | null;
  /** null: none can be opened here. */
  readonly documents: IDocumentManager | null;
  readonly services: Pick<ServiceManager.IManager, 'contents' | 'sessions'>;
  readonly rules: IPathRules;
  /** A page of one document: opening another would take a new browser tab. */
  readonly oneDocument: boolean;
  readonly book: RunBook;
  /** Lives as long as the tab, reloads included; without it nothing does. */
  readonly storage?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** Calls when the page goes. */
  readonly onLeave?: (leave: () => void) => void;
  readonly rooms: IRooms;
  readonly statuses: Pick<KernelStatuses, 'byId' | 'info' | 'shown'>;
  readonly disk: Disk;
  readonly history: PathHistory;
}

/** The notebooks of the page and of the server behind it. */
export class Notebooks implements INotebooks {
  constructor(private readonly _options: INotebooksOptions) {
    const { tracker, services } = _options;
    this._unknown = new UnknownCells(services.contents);
    this._lost = new LostRuns({
      book: _options.book,
      storage: _options.storage,
      panels: () => this.open().map(({ panel }) => panel),
      stateOf: (panel, index) => this.of(panel).cells[index]?.state ?? 'unknown'
    });
    _options.onLeave?.(() => this._lost.leave());
    tracker?.forEach(panel => this._follow(panel));
    tracker?.widgetAdded.connect(this._onAdded, this);
    services.contents.fileChanged.connect(this._onFileChanged, this);
  }

  /** Follows nothing more; what it gave out still works. */
  dispose(): void {
    const { tracker, services } = this._options;
    tracker?.widgetAdded.disconnect(this._onAdded, this);
    services.contents.fileChanged.disconnect(this._onFileChanged, this);
  }

  open(): OpenNotebook[] {
    const found = new Map<unknown, OpenNotebook>();
    const { tracker } = this._options;
    const add = (panel: NotebookPanel): void => {
      // Views of one document count once.
      if (isUsable(panel) && !found.has(panel.context)) {
        found.set(panel.context, this.of(panel));
      }
    };
    if (tracker?.currentWidget) {
      add(tracker.currentWidget);
    }
    tracker?.forEach(add);
    return [...found.values()];
  }

  find(path: string): OpenNotebook | undefined {
    const canonical = this.canonical(path);
    return this.open().find(notebook => notebook.path === canonical);
  }

  async read(path: string): Promise<INotebookView> {
    const canonical = this.canonical(path);
    const panel = this._panel(canonical);
    return panel && isUsable(panel)
      ? this.of(panel)
      : this._readFile(canonical);
  }

  async acquire(path: string): Promise<INotebook> {
    return this.of(await this._acquire(this.canonical(path)));
  }

  async change<T>(
    path: string,
    change: (notebook: INotebook) => T
  ): Promise<T> {
    const canonical = this.canonical(path);
    const isNew = this._panel(canonical) === undefined;
    const panel = await this._acquire(canonical);
    const run = (): T => change(this.of(panel));
    return isNew && this._acquired.get(panel) === 1
      ? orClose(panel, run)
      : run();
  }

  /** The notebook that a panel shows. */
  of(panel: NotebookPanel): OpenNotebook {
    const known = this._notebooks.get(panel);
    if (known) {
      return known;
    }
    const notebook = new OpenNotebook(panel, this._openOptions);
    this._notebooks.set(panel, notebook);
    return notebook;
  }

  /** The one spelling of a path. @throws ToolError validation_failed, not_found */
  canonical(path: string): string {
    return canonicalFilePath(path, this._options.rules);
  }

  private async _acquire(canonical: string): Promise<NotebookPanel> {
    const shown = this._panel(canonical);
    if (shown && !isUsable(shown)) {
      // Still loading, or left over from a load that failed.
      await this._assertOpens(canonical);
    }
    const panel = shown ?? (await this._open(canonical));
    this._acquired.set(panel, (this._acquired.get(panel) ?? 0) + 1);
    await Promise.race([panel.context.ready, closed(panel)]);
    if (!isUsable(panel)) {
      throw hasAllCells(panel)
        ? new ToolError(
            'operation_refused',
            `JupyterLab could not open ${quote(canonical)}; the dialogs that are open, or the person, say why.`
          )
        : cannotBeShared(canonical);
    }
    await this._unknown.learned(panel);
    return panel;
  }

  private async _readFile(path: string): Promise<INotebookView> {
    const file = await this._parseFile(path);
    const { history, services, statuses } = this._options;
    const kernel = sessionKernel(services.sessions, statuses, path);
    return closedNotebook(file, {
      path,
      identity: history.identify(path),
      ids: this._ids,
      kernel,
      endOf: (id, index) => this._lost.ofFile(path, id, index, kernel)
    });
  }

  private async _parseFile(path: string): Promise<INotebookFile> {
    const { contents } = this._options.services;
    const text = await readFileText(contents, path).catch((reason: unknown) => {
      throw this._options.history.told(path, reason);
    });
    return parseNotebook(text, path);
  }

  /** What is no notebook, or none that JupyterLab can load, is refused before anything is opened. */
  private async _assertOpens(path: string): Promise<INotebookFile> {
    const file = await this._parseFile(path);
    await assertOpens(this._options.services.contents, path, file.odd);
    return file;
  }

  private async _open(path: string): Promise<NotebookPanel> {
    const { documents, oneDocument } = this._options;
    if (!documents || oneDocument) {
      throw new ToolError(
        'operation_refused',
        `${quote(path)} is not open, and this page shows one document only. Ask the person to open it in a browser tab of its own.`
      );
    }
    const { cells, hasMinor } = await this._assertOpens(path);
    // JupyterLab gives new ids to cells of one id: from then on they cannot be told from others.
    this._ids.ofFile(path, cells, hasMinor);
    if (
      isShared(documents.registry) &&
      !cells.every(({ cellType }) => isKnownType(cellType))
    ) {
      throw cannotBeShared(path);
    }
    const opened = this._panel(path);
    if (opened) {
      // By somebody else meanwhile.
      return opened;
    }
    openInBackground(documents, this._options.services.contents, path);
    const panel = this._panel(path);
    if (!panel) {
      throw new ToolError(
        'operation_refused',
        `JupyterLab does not open ${quote(path)} as a notebook.`
      );
    }
    startLater(panel);
    return panel;
  }

  private _panel(canonical: string): NotebookPanel | undefined {
    const { tracker } = this._options;
    const isIt = (panel: NotebookPanel): boolean =>
      !panel.isDisposed && this._pathOf(panel) === canonical;
    const current = tracker?.currentWidget;
    return current && isIt(current) ? current : tracker?.find(isIt);
  }

  /** undefined for what is open from a hidden folder. */
  private _pathOf(panel: NotebookPanel): string | undefined {
    try {
      return this.canonical(panel.context.path);
    } catch {
      return undefined;
    }
  }

  private _onAdded(_tracker: INotebookTracker, panel: NotebookPanel): void {
    this._follow(panel);
  }

  private _follow(panel: NotebookPanel): void {
    this._progress.follow(panel);
    SentStreams.follow(panel);
    this._composition.follow(panel);
    this._unknown.follow(panel);
    this._lost.follow(panel);
    let path = plainPath(panel.context.path);
    panel.context.pathChanged.connect((_context, now) => {
      const from = path;
      path = plainPath(now);
      if (from !== path) {
        this._options.history.rename(from, path);
        this._ids.rename(from, path);
      }
    });
    // Before the person changes them: later it would not be known what they were.
    const name = (): void => {
      try {
        if (isUsable(panel)) {
          void this.of(panel).cellIds;
        }
      } catch (reason) {
        // Whoever reads it is told.
        console.warn('The cells of a notebook were not named', reason);
      }
    };
    let isDue = false;
    const nameSoon = (): void => {
      if (!isDue) {
        isDue = true;
        void Promise.resolve().then(() => {
          isDue = false;
          name();
        });
      }
    };
    panel.context.ready.then(name, () => undefined);
    panel.context.model.cells?.changed.connect(nameSoon);
    panel.context.saveState.connect((_context, state) => {
      if (state === 'completed' && isUsable(panel)) {
        this.of(panel).remember();
      }
    });
  }

  private _onFileChanged(
    _contents: Contents.IManager,
    { type, oldValue, newValue }: Contents.IChangedArgs
  ): void {
    // The history follows these by itself.
    if (type === 'rename' && oldValue?.path && newValue?.path) {
      this._ids.rename(plainPath(oldValue.path), plainPath(newValue.path));
    }
  }

  private get _openOptions(): IOpenOptions {
    return {
      ids: this._ids,
      progress: this._progress,
      composition: this._composition,
      book: this._options.book,
      disk: this._options.disk,
      canonical: plainPath,
      identify: path => this._options.history.identify(path),
      rooms: this._options.rooms,
      statuses: this._options.statuses
    };
  }

  private readonly _ids = new CellIds();
  private readonly _progress = new KernelProgress();
  private readonly _composition = new Composition();
  private readonly _unknown: UnknownCells;
  private readonly _lost: LostRuns;
  /** How many calls had a notebook to work on. */
  private readonly _acquired = new WeakMap<NotebookPanel, number>();
  private readonly _notebooks = new WeakMap<NotebookPanel, OpenNotebook>();
}

function isUsable(panel: NotebookPanel): boolean {
  return (
    !panel.isDisposed &&
    panel.context.isReady &&
    panel.model !== null &&
    !panel.model.isDisposed &&
    hasAllCells(panel)
  );
}
