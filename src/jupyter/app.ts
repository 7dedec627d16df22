import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { IConsoleTracker } from '@jupyterlab/console';
import type { CodeEditor } from '@jupyterlab/codeeditor';
import type { IDocumentManager } from '@jupyterlab/docmanager';
import type { IDefaultFileBrowser } from '@jupyterlab/filebrowser';
import type { IEditorTracker } from '@jupyterlab/fileeditor';
import type { INotebookTracker } from '@jupyterlab/notebook';
import type { Widget } from '@lumino/widgets';
import type { Data } from '../calls/types';
import { firstOf, type Redact } from '../results/index';
import type { Disk } from './disk';
import type { Notebooks } from './notebooks';
import type { KernelStatuses } from './kernelStatus';
import type { OpenNotebook } from './openNotebook';
import type { IApp, IKernelInfo } from './types';
import { typeOf } from './unknownCells';

export interface IAppOptions {
  readonly app: Pick<JupyterFrontEnd, 'name' | 'version' | 'shell'>;
  readonly notebooks: Notebooks;
  readonly documents: Pick<IDocumentManager, 'contextForWidget'> | null;
  readonly disk: Pick<Disk, 'isKnownGone'>;
  readonly statuses: Pick<KernelStatuses, 'info'>;
  readonly tracker: INotebookTracker | null;
  readonly editors: IEditorTracker | null;
  readonly consoles: IConsoleTracker | null;
  readonly fileBrowser: IDefaultFileBrowser | null;
  /** Replaces the secrets of this page. */
  readonly redact: Redact;
}

/** Characters of a selected text that are told. */
const SELECTED = 2000;

/** What JupyterLab calls the widgets that have no tracker of their own here. */
const KINDS: readonly (readonly [string, string])[] = [
  ['jp-Launcher', 'launcher'],
  ['jp-Terminal', 'terminal'],
  ['jp-SettingsPanel', 'settings'],
  ['jp-ImageViewer', 'image'],
  ['jp-CSVViewer', 'csv'],
  ['jp-MarkdownViewer', 'markdown'],
  ['jp-HTMLViewer', 'html']
];

/** The page, from its own state: asks no server and waits for nothing. */
export class App implements IApp {
  constructor(private readonly _options: IAppOptions) {}

  describe(): Data {
    const { app, fileBrowser, redact } = this._options;
    const current = app.shell.currentWidget;
    const notebook = this._notebook(current);
    const selection = notebook && selected(notebook, redact);
    return {
      app: { name: app.name, version: app.version },
      fileBrowserPath: fileBrowser?.model.path ?? null,
      currentWidgetId: current?.id ?? null,
      currentEditor: this._editor(current, notebook),
      ...(selection === undefined ? {} : { selection }),
      widgets: [...app.shell.widgets('main')].map(widget =>
        this._widget(widget)
      )
    };
  }

  private _widget(widget: Widget): Data {
    const notebook = this._notebook(widget);
    const { documents, disk } = this._options;
    const context = documents?.contextForWidget(widget);
    const kernel = this._kernel(widget);
    return {
      type: this._kind(widget),
      id: widget.id,
      title: widget.title.label,
      ...(context
        ? {
            path: notebook?.path ?? context.path,
            dirty: context.model.dirty,
            // As a read found it: nothing is asked for here.
            ...(disk.isKnownGone(context) ? { diskChanged: true } : {})
          }
        : {}),
      ...(kernel === undefined ? {} : { kernel }),
      ...(notebook ? { notebook: facts(notebook) } : {})
    };
  }

  private _kind(widget: Widget): string {
    const { tracker, consoles, editors, documents } = this._options;
    const owners: readonly (readonly [
      { find(test: (each: Widget) => boolean): unknown } | null,
      string
    ])[] = [
      [tracker, 'notebook'],
      [consoles, 'console'],
      [editors, 'file']
    ];
    const owner = owners.find(([each]) => each?.find(w => w === widget));
    if (owner) {
      return owner[1];
    }
    const kind = KINDS.find(
      ([name]) =>
        widget.hasClass(name) || widget.node.querySelector(`:scope > .${name}`)
    );
    return (
      kind?.[1] ?? (documents?.contextForWidget(widget) ? 'document' : 'other')
    );
  }

  /** undefined for what has none by its nature; null for one that has none now. */
  private _kernel(widget: Widget): IKernelInfo | null | undefined {
    const notebook = this._notebook(widget);
    if (notebook) {
      return notebook.kernel;
    }
    const console = this._options.consoles?.find(each => each === widget);
    return console && this._options.statuses.info(console.sessionContext);
  }

  private _editor(
    current: Widget | null,
    notebook: OpenNotebook | undefined
  ): Data | null {
    const { editors, redact } = this._options;
    const content = notebook?.panel.content;
    const editor = content?.activeCell?.editor;
    if (notebook && content && editor) {
      const cellId = notebook.cellIds[content.activeCellIndex] ?? null;
      return { cellId, ...caret(editor, redact) };
    }
    const file = editors?.find(each => each === current);
    return file
      ? { cellId: null, ...caret(file.content.editor, redact) }
      : null;
  }

  private _notebook(widget: Widget | null): OpenNotebook | undefined {
    const { tracker, notebooks } = this._options;
    const panel = widget && tracker?.find(each => each === widget);
    return panel && panel.context.isReady && panel.model
      ? notebooks.of(panel)
      : undefined;
  }
}

function facts(notebook: OpenNotebook): Data {
  const { content } = notebook.panel;
  const { activeCellIndex, activeCell } = content;
  const ids = notebook.cellIds;
  return {
    cellCount: ids.length,
    activeCellIndex,
    activeCellId: ids[activeCellIndex] ?? null,
    activeCellType: activeCell ? typeOf(activeCell.model.sharedModel) : null,
    selectedCellIds: content.widgets.flatMap((widget, i) =>
      content.isSelectedOrActive(widget) ? [ids[i]] : []
    )
  };
}

function caret(editor: CodeEditor.IEditor, redact: Redact): Data {
  const { line, column } = editor.getCursorPosition();
  const { start, end } = editor.getSelection();
  const source = editor.model.sharedModel.getSource();
  const [from, to] = [start, end]
    .map(position => editor.getOffsetAt(position))
    .sort((a, b) => a - b);
  return {
    cursor: { line, column },
    // A piece of a secret may be selected.
    selection: firstOf(source.slice(from, to), SELECTED, redact, 'both').text
  };
}

/** The text that is selected on the page, where it lies in a cell or its output. */
function selected(notebook: OpenNotebook, redact: Redact): Data | undefined {
  const selection = notebook.panel.node.ownerDocument.getSelection();
  const text = selection?.toString() ?? '';
  const node = selection?.anchorNode ?? null;
  if (text === '' || !node) {
    return undefined;
  }
  const cell = notebook.cells.find(({ widget }) => widget?.node.contains(node));
  const element = node instanceof Element ? node : node.parentElement;
  return (
    cell && {
      notebookPath: notebook.path,
      cellId: cell.cellId,
      in: element?.closest('.jp-Cell-outputArea') ? 'output' : 'cell',
      text: firstOf(text, SELECTED, redact, 'both').text
    }
  );
}
