import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { Data } from '../../src/calls/types';
import { App } from '../../src/jupyter/app';
import type { ICodeRun } from '../../src/jupyter/types';
import { redactor } from '../../src/results/redact';
import type { IToolContext } from '../../src/tools/context';
import { deleteCell, editCell } from '../../src/tools/cells';
import { getContext } from '../../src/tools/page';
import { caseText } from './support/disk';
import { CLIENT, MCP, Page, SECRET, WEBMCP } from './support/page';

const B01 = 'b01_three_cells.ipynb';
const NO_IDS = 'b35_v44_no_ids.ipynb';

let page: Page;
let panels: NotebookPanel[];
let current: NotebookPanel | null;
let codeRuns: ICodeRun[];

beforeEach(() => {
  page = new Page({ [B01]: caseText(B01), [NO_IDS]: caseText(NO_IDS) });
  panels = [];
  current = null;
  codeRuns = [];
});

afterEach(() => page.dispose());

async function open(path: string): Promise<NotebookPanel> {
  const panel = await page.open(path);
  panels.push(panel);
  current = panel;
  return panel;
}

/** The tool over a shell that holds what was opened. */
async function describe_(): Promise<Data> {
  const shell = {
    get currentWidget() {
      return current;
    },
    widgets: () => panels.values()
  } as unknown as JupyterFrontEnd.IShell;
  const app = new App({
    app: { name: 'JupyterLab', version: '4.6.6', shell },
    notebooks: page.notebooks,
    documents: page.documents,
    disk: page.openDisk,
    statuses: page.statuses,
    tracker: page.tracker,
    editors: null,
    consoles: null,
    fileBrowser: null,
    redact: redactor([SECRET])
  });
  const parts: Partial<IToolContext> = {
    ...page.context,
    app,
    kernels: {
      running: () => [],
      runs: () => codeRuns
    } as unknown as IToolContext['kernels'],
    dialogs: { list: () => [] } as unknown as IToolContext['dialogs'],
    calls: { list: () => [] } as unknown as IToolContext['calls']
  };
  const { handler } = getContext.bind({});
  return handler!({
    caller: MCP,
    report: { printed: () => {}, prompt: () => {}, queued: () => {} },
    context: parts as IToolContext
  });
}

describe('get_context', () => {
  it('tells a page without documents', async () => {
    expect(await describe_()).toEqual({
      success: true,
      app: { name: 'JupyterLab', version: '4.6.6' },
      fileBrowserPath: null,
      currentWidgetId: null,
      currentEditor: null,
      widgets: [],
      kernels: [],
      runs: [],
      dialogs: [],
      pending: []
    });
  });

  it('tells what is open, which cell is active and where the caret is', async () => {
    const panel = await open(B01);
    panel.content.activeCellIndex = 1;
    await panel.content.widgets[1].ready;
    panel.content.widgets[1].editor?.setSelection({
      start: { line: 0, column: 0 },
      end: { line: 0, column: 6 }
    });
    panel.model!.sharedModel.cells[2].setSource('changed');
    const asked = page.disk.requests.length;
    expect(await describe_()).toMatchObject({
      currentWidgetId: panel.id,
      currentEditor: {
        cellId: 'setup-1',
        cursor: { line: 0, column: 6 },
        selection: 'crates'
      },
      widgets: [
        {
          type: 'notebook',
          id: panel.id,
          path: B01,
          dirty: true,
          kernel: null,
          notebook: {
            cellCount: 3,
            activeCellIndex: 1,
            activeCellId: 'setup-1',
            activeCellType: 'code',
            selectedCellIds: ['setup-1']
          }
        }
      ]
    });
    expect(page.disk.requests).toHaveLength(asked);
  });

  it('tells of a file that a read found gone', async () => {
    await open(B01);
    page.disk.remove(B01);
    await page.notebooks.open()[0].diskState();
    expect(await describe_()).toMatchObject({
      widgets: [
        {
          path: B01,
          diskChanged: true
        }
      ]
    });
  });

  it('names "these cells" by the ids that reads give', async () => {
    const panel = await open(NO_IDS);
    panel.content.activeCellIndex = 0;
    panel.content.extendContiguousSelectionTo(1);
    const { widgets } = await describe_();
    const [{ notebook }] = widgets as { notebook: Data }[];
    const ids = page.notebooks.open()[0].cells.map(cell => cell.cellId);
    expect(notebook.selectedCellIds).toEqual(ids.slice(0, 2));
  });

  it('tells the text that is selected in an output', async () => {
    const panel = await open(B01);
    const output = panel.content.widgets[2].node.querySelector(
      '.jp-Cell-outputArea'
    );
    document.getSelection()?.selectAllChildren(output!.querySelector('pre')!);
    expect(await describe_()).toMatchObject({
      selection: {
        notebookPath: B01,
        cellId: 'total-1',
        in: 'output',
        text: '36'
      }
    });
  });

  it('tells no piece of a secret that is selected', async () => {
    const panel = await open(B01);
    panel.model!.sharedModel.cells[1].setSource(`t = "${SECRET}"`);
    panel.content.activeCellIndex = 1;
    const editor = panel.content.activeCell!.editor!;
    editor.setSelection({
      start: { line: 0, column: 3 },
      end: { line: 0, column: 17 }
    });
    expect(await describe_()).toMatchObject({
      currentEditor: { selection: ' "[redacted]' }
    });
  });

  it('tells what runs, and who started it', async () => {
    const panel = await open(B01);
    const [, mine, theirs] = [0, 1, 2].map(i => panel.model!.cells.get(i));
    const run = page.book.begin({
      client: CLIENT,
      kernelId: 'k',
      what: 'cell',
      cell: mine
    });
    for (const model of [mine, theirs]) {
      Object.assign(model, { executionState: 'running' });
    }
    expect((await describe_()).runs).toMatchObject([
      { notebookPath: B01, cellId: 'setup-1', startedBy: 'you' },
      { notebookPath: B01, cellId: 'total-1', startedBy: 'person' }
    ]);
    run.dispose();
    Object.assign(mine, { executionState: 'idle' });
    expect((await describe_()).runs).toMatchObject([{ cellId: 'total-1' }]);
  });

  it('tells of code without a cell who runs it, and in which kernel', async () => {
    const other = { id: 'o', name: 'Other', number: 7 };
    codeRuns = [
      { kernelId: 'k', state: 'running', startedBy: other },
      { kernelId: 'k', state: 'queued', startedBy: CLIENT }
    ];
    expect((await describe_()).runs).toEqual([
      { kernelId: 'k', state: 'running', startedBy: 'Other (client 7)' },
      { kernelId: 'k', state: 'queued', startedBy: 'you' }
    ]);
  });
});

describe('a cell that is queued or running', () => {
  it('cannot be deleted, but edited', async () => {
    const panel = await open(B01);
    Object.assign(panel.model!.cells.get(1), { executionState: 'running' });
    const args = { notebookPath: B01, cellId: 'setup-1' };
    const refusal = await page.refusal(deleteCell, args, WEBMCP);
    expect(refusal.code).toBe('operation_in_progress');
    expect(refusal.message).toContain('the person');
    const run = page.book.begin({
      client: CLIENT,
      kernelId: 'k',
      what: 'cell',
      cell: panel.model!.cells.get(1)
    });
    page.running = [{ tool: 'run_cell', args, pendingId: 'call-7' }];
    const mine = await page.refusal(deleteCell, args, WEBMCP);
    expect(mine.message).toContain('call-7');
    run.dispose();
    await page.call(editCell, { ...args, content: 'x = 1' }, WEBMCP);
  });
});
