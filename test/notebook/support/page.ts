import { DocumentManager } from '@jupyterlab/docmanager';
import {
  ABCWidgetFactory,
  DocumentRegistry,
  DocumentWidget,
  type IDocumentWidget
} from '@jupyterlab/docregistry';
import {
  NotebookModelFactory,
  NotebookPanel,
  NotebookTracker,
  NotebookWidgetFactory,
  StaticNotebook
} from '@jupyterlab/notebook';
import { NBTestUtils } from '@jupyterlab/notebook/lib/testutils';
import { nullTranslator } from '@jupyterlab/translation';
import { Signal } from '@lumino/signaling';
import { Widget } from '@lumino/widgets';
import { Changes } from '../../../src/calls/changes';
import { Revisions } from '../../../src/calls/revision';
import { DEFAULT_SETTINGS } from '../../../src/calls/settings';
import type { ICallsView } from '../../../src/calls/callsView';
import type { Data, ICaller } from '../../../src/calls/types';
import { ToolError } from '../../../src/calls/errors';
import { KernelStatuses } from '../../../src/jupyter/kernelStatus';
import { Files } from '../../../src/jupyter/contents';
import { Disk as OpenDisk } from '../../../src/jupyter/disk';
import { Notebooks } from '../../../src/jupyter/notebooks';
import { PathHistory } from '../../../src/jupyter/pathHistory';
import { redactor } from '../../../src/results/redact';
import { Rooms, roomTitles } from '../../../src/jupyter/rooms';
import { RunBook } from '../../../src/jupyter/runBook';
import type { IToolContext } from '../../../src/tools/context';
import type { AnyTool } from '../../../src/tools/define';
import { FakeClock } from '../../unit/transports/fakeClock';
import { Disk } from './disk';

/** What a refused call leaves: the code and the message. */
export interface IRefusal {
  code: string;
  message: string;
}

/** A JupyterLab page without an application: documents, tracker, tools. */
export class Page {
  constructor(
    files: Readonly<Record<string, string>> = {},
    storage: Storage = new MemoryStorage()
  ) {
    this.disk = new Disk(files);
    this.storage = storage;
    const registry = new DocumentRegistry();
    registry.addModelFactory(
      new NotebookModelFactory({ disableDocumentWideUndoRedo: true })
    );
    registry.addFileType({
      name: 'notebook',
      contentType: 'notebook',
      fileFormat: 'json',
      extensions: ['.ipynb']
    });
    registry.addWidgetFactory(
      new NotebookWidgetFactory({
        name: 'Notebook',
        modelName: 'notebook',
        fileTypes: ['notebook'],
        defaultFor: ['notebook'],
        preferKernel: true,
        canStartKernel: true,
        rendermime: NBTestUtils.defaultRenderMime(),
        contentFactory: NBTestUtils.createNotebookPanelFactory(),
        mimeTypeService: NBTestUtils.mimeTypeService,
        editorConfig: NBTestUtils.defaultEditorConfig,
        // Without a layout every cell counts as out of sight.
        notebookConfig: {
          ...StaticNotebook.defaultNotebookConfig,
          windowingMode: 'none'
        }
      })
    );
    registry.addWidgetFactory(
      new TextFactory({
        name: 'Editor',
        modelName: 'text',
        fileTypes: ['text'],
        defaultFor: ['text']
      })
    );
    registry.addFileType({ name: 'text', extensions: ['.txt', '.py'] });
    this.documents = new DocumentManager({
      registry,
      manager: this.disk.services,
      opener: {
        open: (widget, options) => this._onOpen(widget, options),
        opened: new Signal<never, IDocumentWidget>({} as never)
      }
    });
    const { contents } = this.disk.services;
    this.openDisk = new OpenDisk(contents, this.clock);
    this.history.follow(contents);
    this.notebooks = this.makeNotebooks();
    this.files = new Files({
      app: { shell: undefined as never },
      contents,
      specs: {
        specs: {
          default: 'python3',
          kernelspecs: {
            python3: {
              name: 'python3',
              display_name: 'Python 3',
              language: 'python',
              argv: [],
              env: {},
              resources: {}
            }
          }
        }
      },
      clock: this.clock,
      documents: this.documents,
      rules: { allowHidden: false },
      oneDocument: false,
      rooms: this._rooms,
      disk: this.openDisk,
      history: this.history
    });
  }

  readonly disk: Disk;
  readonly documents: DocumentManager;
  readonly tracker = new NotebookTracker({ namespace: 'notebook' });
  readonly clock = new FakeClock();
  readonly book = new RunBook();
  readonly revisions = new Revisions(new Uint8Array(32).fill(7));
  readonly changes = new Changes(1);
  readonly notebooks: Notebooks;
  readonly files: Files;
  readonly history = new PathHistory();
  readonly openDisk: OpenDisk;
  /** What the tab keeps over reloads. */
  readonly storage: Storage;
  /** The page goes. */
  leave: () => void = () => {};
  /** The calls of the client that have not ended. */
  running: object[] = [];
  /** The open dialogs, as the page would show them. */
  dialogs: { title: string; body: string }[] = [];
  /** The options that widgets were opened with. */
  readonly opened: unknown[] = [];

  /** The server knows no kernel but those of the page. */
  readonly statuses = new KernelStatuses(() => []);

  makeNotebooks(): Notebooks {
    return new Notebooks({
      tracker: this.tracker,
      documents: this.documents,
      services: this.disk.services,
      rules: { allowHidden: false },
      oneDocument: false,
      disk: this.openDisk,
      history: this.history,
      book: this.book,
      storage: this.storage,
      onLeave: leave => (this.leave = leave),
      rooms: this._rooms,
      statuses: this.statuses
    });
  }

  /** The person opens a notebook. */
  async open(path: string): Promise<NotebookPanel> {
    this.documents.open(path, 'Notebook', undefined, undefined, {
      shouldStart: false
    });
    const panel = this.tracker.find(each => each.context.path === path);
    if (!panel) {
      throw new Error(`${path} did not open`);
    }
    await panel.context.ready;
    await panel.revealed;
    // Else a preference set by a test could make it ask for a kernel later.
    await panel.sessionContext.ready;
    return panel;
  }

  /** The person opens a text file. */
  async openText(path: string): Promise<DocumentRegistry.Context> {
    const widget = this.documents.open(path, 'Editor');
    const context = widget && this.documents.contextForWidget(widget);
    if (!context) {
      throw new Error(`${path} did not open`);
    }
    await context.ready;
    return context;
  }

  /** Calls a tool past `call()`: its data, or how it was refused. */
  async call(tool: AnyTool, args: Data, caller = MCP): Promise<Data> {
    const { handler } = tool.bind(args);
    if (!handler) {
      throw new Error(`${tool.name} has no handler`);
    }
    return handler({
      caller,
      report: { printed: () => {}, prompt: () => {}, queued: () => {} },
      context: this.context
    });
  }

  /** Calls a tool that must refuse. */
  async refusal(tool: AnyTool, args: Data, caller = MCP): Promise<IRefusal> {
    try {
      const data = await this.call(tool, args, caller);
      throw new Error(`Not refused: ${JSON.stringify(data)}`);
    } catch (reason) {
      if (reason instanceof ToolError) {
        return { code: reason.code, message: reason.message };
      }
      throw reason;
    }
  }

  get context(): IToolContext {
    const { clock, notebooks, files, revisions, changes } = this;
    const parts: Partial<IToolContext> = {
      clock,
      notebooks,
      contents: files,
      revisions,
      changes,
      settings: DEFAULT_SETTINGS,
      redact: redactor([SECRET]),
      calls: { running: () => this.running } as unknown as ICallsView
    };
    return parts as IToolContext;
  }

  dispose(): void {
    this.notebooks.dispose();
    this.documents.dispose();
    this.tracker.dispose();
    this.disk.services.dispose();
  }

  private readonly _rooms = new Rooms({
    dialogs: () => this.dialogs,
    titles: roomTitles(nullTranslator),
    documents: () => this._contexts
  });

  private get _contexts(): DocumentRegistry.Context[] {
    const contexts: DocumentRegistry.Context[] = [];
    this.tracker.forEach(({ context }) => contexts.push(context));
    return contexts;
  }

  private _onOpen(widget: IDocumentWidget, options: unknown): void {
    this.opened.push(options);
    if (!widget.isAttached) {
      Widget.attach(widget, document.body);
      if (widget instanceof NotebookPanel) {
        void this.tracker.add(widget);
      }
    }
  }
}

/** Shows nothing of a text document, but holds it. */
class TextFactory extends ABCWidgetFactory<DocumentWidget> {
  protected createNewWidget(context: DocumentRegistry.Context): DocumentWidget {
    return new DocumentWidget({ content: new Widget(), context });
  }
}

/** What the page must not show. */
export const SECRET = '0123456789abcdef';

export const CLIENT = { id: 'c0ffee', name: 'Tester', number: 1 };

/** A client of the MCP surface: edits must carry revisions. */
export const MCP: ICaller = {
  client: CLIENT,
  surface: 'mcp',
  scope: 'run',
  demandsRevisions: true,
  auditId: null
};

/** The page's own WebMCP: revisions are taken if given. */
export const WEBMCP: ICaller = {
  ...MCP,
  surface: 'webmcp',
  demandsRevisions: false
};

/** A storage of its own for each test. */
class MemoryStorage implements Storage {
  [name: string]: unknown;
  get length(): number {
    return this._items.size;
  }
  clear(): void {
    this._items.clear();
  }
  key(i: number): string | null {
    return [...this._items.keys()][i] ?? null;
  }
  getItem(name: string): string | null {
    return this._items.get(name) ?? null;
  }
  setItem(name: string, value: string): void {
    this._items.set(name, value);
  }
  removeItem(name: string): void {
    this._items.delete(name);
  }
  private readonly _items = new Map<string, string>();
}
