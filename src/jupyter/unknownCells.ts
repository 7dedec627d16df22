import type { DocumentRegistry } from '@jupyterlab/docregistry';
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { Contents } from '@jupyterlab/services';
import { ToolError } from '../calls/errors';
import { quote } from '../calls/words';
import { readFileText } from './fileText';
import { parseNotebook } from './notebookFile';
import { isRecord } from '../../protocol/values';

const KNOWN = ['code', 'markdown', 'raw'];

/** Whether JupyterLab knows a type of cells. */
export function isKnownType(type: string): boolean {
  return KNOWN.includes(type);
}

/**
 * Whether the page has the cells of a notebook. Of a shared one that holds a
 * cell of a type that JupyterLab does not know, the page gets no cell at all,
 * though the document that it shares has them.
 */
export function hasAllCells({ model }: NotebookPanel): boolean {
  const shared: unknown = model?.sharedModel;
  const cells: unknown =
    isRecord(shared) &&
    isRecord(shared.ydoc) &&
    isCallable(shared.ydoc.getArray)
      ? shared.ydoc.getArray('cells')
      : undefined;
  return !isRecord(cells) || cells.length === model?.sharedModel.cells.length;
}

/** Whether notebooks are opened as shared ones here. */
export function isShared(
  registry: Pick<DocumentRegistry, 'getWidgetFactory'>
): boolean {
  return registry.getWidgetFactory('Notebook')?.contentProviderId !== undefined;
}

/** What a notebook is refused with that `hasAllCells` says no of. */
export function cannotBeShared(path: string): ToolError {
  return new ToolError(
    'operation_refused',
    `${quote(path)} holds a cell of a type that JupyterLab does not know, and with collaboration it shows none of the cells of such a notebook. read_notebook reads its file; to change the notebook, that cell has to be made a raw one in the file, while nobody has it open.`
  );
}

function isCallable(value: unknown): value is (name: string) => unknown {
  return typeof value === 'function';
}

type SharedCell = NonNullable<
  NotebookPanel['model']
>['sharedModel']['cells'][number];

/**
 * Cells of types that JupyterLab does not know. It shows them as raw cells,
 * and would save them as such, without the fields it does not know either.
 * Here they are written back as what they were.
 */
export class UnknownCells {
  constructor(private readonly _contents: Pick<Contents.IManager, 'get'>) {}

  /** Looks after a notebook for as long as it is open. */
  follow(panel: NotebookPanel): void {
    const extras = new Map<string, Readonly<Record<string, unknown>>>();
    const { context } = panel;
    let isSaving = false;
    context.saveState.connect((_context, state) => {
      isSaving = state === 'started';
      if (isSaving) {
        unknownIn(panel).forEach(cell => restore(cell, extras));
      }
    });
    const learn = (): void => {
      const learned = context.ready.then(() => this._learn(panel, extras));
      this._learned.set(panel, learned);
    };
    // Loaded anew: another program may have changed the fields too.
    context.fileChanged.connect(() => {
      if (!isSaving) {
        learn();
      }
    });
    learn();
  }

  /** Resolves when a notebook can be saved without a loss. */
  async learned(panel: NotebookPanel): Promise<void> {
    await this._learned.get(panel);
  }

  /** Takes the fields that the model left out from the file. */
  private async _learn(
    panel: NotebookPanel,
    extras: Map<string, Readonly<Record<string, unknown>>>
  ): Promise<void> {
    if (unknownIn(panel).length === 0) {
      return;
    }
    try {
      const { path } = panel.context;
      const text = await readFileText(this._contents, path);
      for (const cell of parseNotebook(text, path).cells) {
        if (typeof cell.id === 'string') {
          extras.set(cell.id, cell.unknown);
        }
      }
    } catch (reason) {
      console.warn('Unknown cells may lose fields when saved', reason);
    }
  }

  private readonly _learned = new WeakMap<NotebookPanel, Promise<void>>();
}

function unknownIn(panel: NotebookPanel): SharedCell[] {
  const cells = panel.model?.sharedModel.cells ?? [];
  return cells.filter(cell => !KNOWN.includes(typeOf(cell)));
}

/** The type that the file gave, which the shared model keeps to itself. */
export function typeOf(cell: SharedCell): string {
  const ymodel: unknown = 'ymodel' in cell ? cell.ymodel : undefined;
  const type: unknown =
    typeof ymodel === 'object' &&
    ymodel !== null &&
    'get' in ymodel &&
    typeof ymodel.get === 'function'
      ? ymodel.get('cell_type')
      : undefined;
  return typeof type === 'string' ? type : cell.cell_type;
}

/** Has the cell written as what it was. Done anew for each save: a move makes another object. */
function restore(
  cell: SharedCell,
  extras: ReadonlyMap<string, Readonly<Record<string, unknown>>>
): void {
  const plain: SharedCell['toJSON'] = Object.getPrototypeOf(cell).toJSON;
  cell.toJSON = () => ({
    ...plain.call(cell),
    cell_type: typeOf(cell),
    ...extras.get(cell.id)
  });
}
