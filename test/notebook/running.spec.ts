import { Dialog } from '@jupyterlab/apputils';
import { CodeCell } from '@jupyterlab/cells';
import type { IOutput } from '@jupyterlab/nbformat';
import {
  type INotebookCellExecutor,
  NotebookActions,
  NotebookPanel
} from '@jupyterlab/notebook';
import { ServerConnection } from '@jupyterlab/services';
import type { IRunningCall } from '../../src/calls/callsView';
import type { Data, IPrompt } from '../../src/calls/types';
import { ToolError } from '../../src/calls/errors';
import { KernelLoad } from '../../src/jupyter/busy';
import { KernelProgress } from '../../src/jupyter/cellState';
import { panelOf, widgetOf } from '../../src/jupyter/openNotebook';
import { Runs } from '../../src/jupyter/runs';
import type { IToolContext } from '../../src/tools/context';
import type { AnyTool } from '../../src/tools/define';
import { deleteCell, readCell } from '../../src/tools/cells';
import { runCells } from '../../src/tools/runCells';
import { runCell } from '../../src/tools/running';
import { settle } from '../unit/transports/fakeClock';
import { caseText } from './support/disk';
import {
  attachSession,
  type ISessionScript,
  ScriptedKernel
} from './support/kernel';
import { CLIENT, MCP, Page, WEBMCP } from './support/page';

const B13 = 'b13_restart_loses_state.ipynb';
const KEEP_1 = { notebookPath: B13, cellId: 'keep-1' };
const B22 = 'b22_error_in_the_middle.ipynb';
const B25 = 'b25_rerun_replaces.ipynb';

let page: Page;
let panel: NotebookPanel;
let kernel: ScriptedKernel;
let session: ISessionScript;
let asked: string[];
let printed: string;
let prompts: IPrompt[];
let mine: IRunningCall[];
let specs: string[];
let dialogs: string[];

function close(): void {
  // A dirty document would ask whether to save it.
  if (panel.model) {
    panel.model.dirty = false;
  }
  page.dispose();
}

/** As the person closes the tab: the document goes, and its session with it. */
function closeNotebook(): void {
  const { context } = panel;
  context.model.dirty = false;
  panel.dispose();
  context.dispose();
}

function onDialog(_: unknown, dialog: Dialog<unknown>): void {
  dialogs.push(dialog.node.textContent ?? '');
}

async function open(
  name: string,
  script: Partial<ISessionScript> = {}
): Promise<void> {
  page = new Page({ [name]: caseText(name) });
  panel = await page.open(name);
  attach(script);
}

/** Puts a scripted kernel behind the notebook that is open. */
function attach(script: Partial<ISessionScript> = {}): void {
  kernel = new ScriptedKernel();
  session = { kernel, ...script };
  asked = attachSession(panel, session);
  printed = '';
  prompts = [];
  mine = [];
  specs = ['python3', 'ir'];
  dialogs = [];
  executor = null;
  Dialog.tracker.widgetAdded.connect(onDialog);
}

afterEach(() => {
  Dialog.tracker.widgetAdded.disconnect(onDialog);
  close();
  // Nothing that runs do asks the person anything.
  expect(dialogs).toEqual([]);
});

/** How JupyterLab runs cells; null: its usual way. */
let executor: INotebookCellExecutor | null = null;

/** An executor that has the server run a cell, which answers as the test says. */
function onServer(
  answer: (cell: CodeCell) => boolean | Promise<boolean>
): INotebookCellExecutor {
  return {
    runCell: async ({ cell, onCellExecutionScheduled, onCellExecuted }) => {
      onCellExecutionScheduled({ cell });
      const success = await answer(cell as CodeCell);
      onCellExecuted({ cell, success });
      return true;
    }
  };
}

function context(): IToolContext {
  const { book, clock, tracker } = page;
  const runs = new Runs({
    executor,
    book,
    clock,
    panel: panelOf,
    locate: (notebook, cellId) => ({
      panel: panelOf(notebook),
      cell: widgetOf(notebook, cellId)
    }),
    specs: async () => specs,
    load: new KernelLoad(book, tracker, page.statuses),
    refreshSessions: async () => {
      if (session.isForgotten) {
        session.kernel?.vanish();
        session.kernel = null;
      }
    }
  });
  return {
    ...page.context,
    runs,
    calls: { running: () => mine } as unknown as IToolContext['calls']
  };
}

async function call(tool: AnyTool, args: Data, caller = WEBMCP): Promise<Data> {
  const { handler } = tool.bind({
    notebookPath: panel.context.path,
    ...args
  });
  return (
    (await handler?.({
      caller,
      context: context(),
      report: {
        printed: text => (printed += text),
        prompt: prompt => prompts.push(prompt),
        queued: () => undefined
      }
    })) ?? {}
  );
}

async function refusal(args: Data, caller = WEBMCP): Promise<ToolError> {
  try {
    const data = await call(runCell, args, caller);
    throw new Error(`Not refused: ${JSON.stringify(data)}`);
  } catch (reason) {
    if (reason instanceof ToolError) {
      return reason;
    }
    throw reason;
  }
}

/** Starts a run and waits until its request is sent. */
async function begin(args: Data, tool: AnyTool = runCell) {
  const before = kernel.requests.length;
  const run = call(tool, args);
  for (let i = 0; i < 200 && kernel.requests.length === before; i++) {
    await Promise.resolve();
  }
  return { run, request: kernel.last };
}

function codeCell(index: number): CodeCell {
  const cell = panel.content.widgets[index];
  if (!(cell instanceof CodeCell)) {
    throw new Error('Not a code cell');
  }
  return cell;
}

describe('run_cell', () => {
  it('replaces the outputs when a cell is run again (b25)', async () => {
    await open(B25);
    for (const count of [2, 3, 4]) {
      const { run, request } = await begin({ cellId: 'again-1' });
      await request.print('one line only\n');
      await request.ok(count);
      expect(await run).toMatchObject({
        success: true,
        status: 'ok',
        executionCount: count,
        outputs: [
          { output_type: 'stream', name: 'stdout', text: 'one line only\n' }
        ],
        cellId: 'again-1',
        index: 0
      });
    }
    expect(codeCell(0).model.outputs.length).toBe(1);
  });

  it('sends the code as it is in the page, unsaved edits included', async () => {
    await open(B25);
    codeCell(0).model.sharedModel.setSource('unsaved');
    const { run, request } = await begin({ cellId: 'again-1' });
    expect(request.code).toBe('unsaved');
    await request.ok();
    await run;
  });

  it('leaves mode, selection and active cell alone, and tells the page of the run', async () => {
    await open(B13);
    const { content } = panel;
    content.activeCellIndex = 1;
    content.mode = 'edit';
    const told: string[] = [];
    const onScheduled = () => told.push('scheduled');
    const onExecuted = (_: unknown, { success }: { success: boolean }) =>
      told.push(`executed ${success}`);
    NotebookActions.executionScheduled.connect(onScheduled);
    NotebookActions.executed.connect(onExecuted);
    const { run, request } = await begin({ cellId: 'keep-1' });
    await request.ok();
    await run;
    NotebookActions.executionScheduled.disconnect(onScheduled);
    NotebookActions.executed.disconnect(onExecuted);
    expect(content.activeCellIndex).toBe(1);
    expect(content.mode).toBe('edit');
    expect(told).toEqual(['scheduled', 'executed true']);
  });

  it('tells what is printed while it runs, of this run only', async () => {
    await open(B13);
    const { run, request } = await begin({ cellId: 'keep-1' });
    await request.print('tick\n');
    const other = kernel.requestExecute({ code: 'theirs' });
    await kernel.last.print('not ours\n');
    expect(printed).toBe('tick\n');
    other.dispose();
    await request.ok();
    await run;
  });

  it('takes from the cell what the server ran, and how it ended', async () => {
    await open(B13);
    const ran = (output: IOutput) => (cell: CodeCell) => {
      cell.model.outputs.fromJSON([output]);
      cell.model.executionCount = 7;
      return true;
    };
    executor = onServer(
      ran({ output_type: 'stream', name: 'stdout', text: 'hi' })
    );
    expect(await call(runCell, { cellId: 'keep-1' })).toMatchObject({
      success: true,
      status: 'ok',
      executionCount: 7,
      outputs: [{ text: 'hi' }]
    });
    // The server says of code that raised that it ran.
    const raised = { ename: 'KeyError', evalue: 'x', traceback: ['last'] };
    executor = onServer(ran({ output_type: 'error', ...raised }));
    expect(await call(runCell, { cellId: 'keep-1' })).toMatchObject({
      success: false,
      status: 'error',
      errorName: 'KeyError',
      errorValue: 'x',
      traceback: ['last']
    });
    expect(kernel.requests).toEqual([]);
  });

  it('waits for what the server printed last', async () => {
    await open(B13);
    const { model } = codeCell(0);
    executor = onServer(() => {
      model.executionState = 'running';
      return true;
    });
    const run = call(runCell, { cellId: 'keep-1' });
    await page.clock.advance(0);
    model.outputs.fromJSON([
      { output_type: 'stream', name: 'stdout', text: 'late' }
    ]);
    model.executionState = 'idle';
    expect(await run).toMatchObject({
      success: true,
      outputs: [{ text: 'late' }]
    });
  });

  it('says so when the server did not run the cell', async () => {
    await open(B13);
    executor = onServer(() => false);
    expect(await call(runCell, { cellId: 'keep-1' })).toMatchObject({
      success: false,
      status: 'error',
      errorName: 'NotRun'
    });
    executor = onServer(() => {
      throw new ServerConnection.NetworkError(new TypeError('Failed to fetch'));
    });
    expect((await refusal({ cellId: 'keep-1' })).code).toBe(
      'operation_refused'
    );
  });

  it('returns what the code raised as data', async () => {
    await open(B22);
    const { run, request } = await begin({ cellId: 'r-2' });
    const error = {
      ename: 'ZeroDivisionError',
      evalue: 'division by zero',
      traceback: ['last line']
    };
    await request.say('error', error);
    await request.end({ status: 'error', execution_count: 5, ...error });
    expect(await run).toMatchObject({
      success: false,
      status: 'error',
      message: 'Kernel execution failed',
      errorName: 'ZeroDivisionError',
      errorValue: 'division by zero',
      traceback: ['last line'],
      error: 'ZeroDivisionError: division by zero',
      executionCount: 5,
      outputs: [{ output_type: 'error', ename: 'ZeroDivisionError' }]
    });
  });

  it('frees a cell that was queued behind code that failed', async () => {
    await open(B13);
    const { run, request } = await begin({ cellId: 'keep-1' });
    await request.end({ status: 'aborted' });
    // Time for the end of the kernel that it may have been part of.
    await page.clock.advance(1000);
    expect(await run).toMatchObject({ success: false, status: 'aborted' });
    expect(codeCell(0).model.executionState).toBe('idle');
  });

  it('edits first, with the revision that was read', async () => {
    await open(B13);
    const { revision } = await page.call(readCell, {
      notebookPath: B13,
      cellId: 'keep-1'
    });
    const { run, request } = await begin({
      cellId: 'keep-1',
      content: '6 * 7',
      revision
    });
    expect(request.code).toBe('6 * 7');
    await request.ok();
    const data = await run;
    expect(data).toMatchObject({
      success: true,
      replaced: "kept = 'still here'",
      changeId: 'change-1'
    });
    expect(data.revision).not.toBe(revision);
  });

  it('neither edits nor runs from a stale revision, or where one is missing', async () => {
    await open(B13);
    const { revision } = await page.call(readCell, {
      notebookPath: B13,
      cellId: 'keep-1'
    });
    codeCell(0).model.sharedModel.setSource('the person was here');
    const edit = { cellId: 'keep-1', content: 'mine' };
    expect(await refusal({ ...edit, revision })).toMatchObject({
      code: 'stale_revision'
    });
    expect(await refusal(edit, MCP)).toMatchObject({
      code: 'validation_failed'
    });
    expect(codeCell(0).model.sharedModel.getSource()).toBe(
      'the person was here'
    );
    expect(kernel.requests).toEqual([]);
  });

  it('runs without a revision where nothing is edited', async () => {
    await open(B13);
    const run = call(runCell, { cellId: 'keep-1' }, MCP);
    for (let i = 0; i < 200 && kernel.requests.length === 0; i++) {
      await Promise.resolve();
    }
    await kernel.last.ok();
    expect(await run).toMatchObject({ success: true });
  });

  it('names the caller’s own call where the cell runs already', async () => {
    await open(B13);
    const { run, request } = await begin({ cellId: 'keep-1' });
    mine = [
      {
        client: CLIENT,
        tool: 'run_cell',
        args: { cellId: 'keep-1' },
        seconds: 1,
        pendingId: 'call-7'
      }
    ];
    const refused = await refusal({ cellId: 'keep-1' });
    expect(refused).toMatchObject({
      code: 'operation_in_progress',
      extra: { pendingId: 'call-7' }
    });
    expect(refused.message).toContain('call-7');
    await request.ok();
    await run;
    expect(kernel.requests).toHaveLength(1);
  });

  it('says that the person runs it, where the person does', async () => {
    await open(B13);
    codeCell(0).model.executionState = 'running';
    expect((await refusal({ cellId: 'keep-1' })).message).toContain(
      'by the person'
    );
  });

  it('renders a markdown cell, but not one that the person writes in', async () => {
    await open(B22);
    const [cell] = panel.content.widgets.filter(
      ({ model }) => model.type === 'markdown'
    );
    Object.assign(cell, { rendered: false });
    expect(await call(runCell, { cellId: 'case0342' })).toMatchObject({
      success: true,
      outputs: [],
      message: expect.stringContaining('rendered')
    });
    expect(cell).toMatchObject({ rendered: true });

    panel.content.activeCellIndex = panel.content.widgets.indexOf(cell);
    Object.assign(cell, { rendered: false });
    panel.content.mode = 'edit';
    cell.editor?.focus();
    expect(await call(runCell, { cellId: 'case0342' })).toMatchObject({
      success: true,
      message: expect.stringContaining('the person is writing')
    });
    expect(cell).toMatchObject({ rendered: false });
    expect(kernel.requests).toEqual([]);
  });
});

describe('half of a surrogate pair, which a kernel never answers', () => {
  const half = 'a = "\ud83d"';

  it('in a cell is not sent, and says how to mend it', async () => {
    await open(B13);
    codeCell(0).model.sharedModel.setSource(half);
    const refused = await refusal({ cellId: 'keep-1' });
    expect(refused.code).toBe('operation_refused');
    expect(refused.message).toMatch(/"keep-1".*nothing ran.*edit_cell/);
    await expect(call(runCells, { all: true })).resolves.toMatchObject({
      success: false,
      stoppedAt: { cellId: 'keep-1' },
      counts: { 'not run': 2 }
    });
    expect(kernel.requests).toEqual([]);
  });

  it('in a new source is refused before anything is edited', async () => {
    await open(B13);
    await expect(refusal({ cellId: 'keep-1', content: half })).resolves.toEqual(
      expect.objectContaining({ code: 'validation_failed' })
    );
    expect(codeCell(0).model.sharedModel.getSource()).not.toBe(half);
  });

  it('is gone with a new source, which then runs', async () => {
    await open(B13);
    codeCell(0).model.sharedModel.setSource(half);
    const { run, request } = await begin({ cellId: 'keep-1', content: 'ok' });
    expect(request.code).toBe('ok');
    await request.ok();
    expect(await run).toMatchObject({ success: true });
  });
});

describe('a run whose kernel or cell goes', () => {
  it('ends with the kernel, keeps what was printed, and leaves the cell idle', async () => {
    await open(B13);
    const { run, request } = await begin({ cellId: 'keep-1' });
    await request.begin();
    await request.print('before\n');
    const queued = call(runCell, { cellId: 'keep-2' });
    for (let i = 0; i < 200 && kernel.requests.length < 2; i++) {
      await Promise.resolve();
    }
    kernel.die();
    expect(await run).toMatchObject({
      success: false,
      status: 'error',
      errorName: 'KernelDied',
      kernelRestarts: true,
      error: expect.stringContaining('while this ran'),
      outputs: [{ text: 'before\n' }]
    });
    expect(await queued).toMatchObject({
      success: false,
      errorName: 'KernelDied',
      error: expect.stringContaining('before it reported that this began'),
      outputs: []
    });
    expect(codeCell(0).model.executionState).toBe('idle');
    expect(codeCell(1).model.executionState).toBe('idle');
    expect(page.book.inKernel('k-1')).toEqual([]);
  });

  it('frees the cell when another program restarts the kernel', async () => {
    await open(B13);
    const { run, request } = await begin({ cellId: 'keep-1' });
    await request.begin();
    expect(codeCell(0).model.executionState).toBe('running');
    kernel.announceRestart();
    expect(await run).toMatchObject({ errorName: 'KernelRestarted' });
    await settle();
    expect(codeCell(0).model.executionState).toBe('idle');
  });

  it('leaves the cell as it is when the connection is given up, until it is known to be over', async () => {
    await open(B13);
    const { run, request } = await begin({ cellId: 'keep-1' });
    const refused = run.catch((reason: unknown) => reason);
    await request.begin();
    await request.print('before\n');
    kernel.connection('connecting', 'disconnected');
    expect(await refused).toMatchObject({
      code: 'internal_error',
      message: expect.stringMatching(
        /outcome of the run is unknown.*cell "keep-1" of "b13_restart_loses_state.ipynb" may be missing: read_cell/
      ),
      extra: {
        success: false,
        errorName: 'KernelConnectionLost',
        outputsMayBeMissing: true,
        outputs: [{ text: 'before\n' }]
      }
    });
    expect(codeCell(0).model.executionState).toBe('running');
    expect(await page.call(readCell, KEEP_1)).toMatchObject({
      state: 'unknown',
      outputsMayBeMissing: true
    });
    // Connected again for the next run, which the kernel is not free for yet.
    expect((await refusal({ cellId: 'keep-1' })).message).toContain(
      'lost sight of'
    );
    expect(kernel.connectionStatus).toBe('connected');
    expect(await page.call(readCell, KEEP_1)).toMatchObject({
      state: expect.stringMatching(/queued|running/),
      outputsMayBeMissing: true
    });
    kernel.announceRestart();
    await settle();
    expect(codeCell(0).model.executionState).toBe('idle');
    expect(await page.call(readCell, KEEP_1)).toMatchObject({
      state: 'unknown',
      outputsMayBeMissing: true
    });
  });

  it('is shown as failed in its cell, where the kernel went while it ran', async () => {
    await open(B13);
    const { run, request } = await begin({ cellId: 'keep-1' });
    await request.begin();
    await request.print('before\n');
    kernel.announceRestart();
    await run;
    expect(await page.call(readCell, KEEP_1)).toMatchObject({
      state: 'error',
      outputsMayBeMissing: false
    });
    const again = await begin({ cellId: 'keep-1' });
    await again.request.ok();
    await again.run;
    expect(await page.call(readCell, KEEP_1)).toMatchObject({ state: 'done' });
  });

  it('does not claim that code ran, or failed, while nobody listened', async () => {
    await open(B13);
    const { run } = await begin({ cellId: 'keep-1' });
    const refused = run.catch((reason: unknown) => reason);
    kernel.connection('connecting', 'connected');
    kernel.status = 'dead';
    kernel.statusChanged.emit('dead');
    expect(await refused).toMatchObject({
      extra: { errorName: 'KernelGone', outputsMayBeMissing: true }
    });
  });

  it('is sent when a restart that is under way is over', async () => {
    await open(B13);
    session.isRestarting = true;
    const run = call(runCell, { cellId: 'keep-1' });
    await settle();
    session.changed?.();
    await settle();
    expect(kernel.requests).toHaveLength(0);
    session.isRestarting = false;
    session.changed?.();
    for (let i = 0; i < 200 && kernel.requests.length < 1; i++) {
      await Promise.resolve();
    }
    await kernel.last.ok();
    expect(await run).toMatchObject({ success: true });
  });

  it('ends when the person runs the cell again, and says so', async () => {
    await open(B13);
    const { run } = await begin({ cellId: 'keep-1' });
    void NotebookActions.runCells(
      panel.content,
      [panel.content.widgets[0]],
      panel.sessionContext
    );
    expect(await run).toMatchObject({
      success: false,
      errorName: 'RunCanceled',
      error: expect.stringContaining('run again')
    });
    await kernel.last.ok();
  });

  it.each([
    { status: 'ok', execution_count: 5 },
    { status: 'error', execution_count: 6, ename: 'E', evalue: 'v' }
  ])('goes on in the cell that the person moved ($status)', async reply => {
    await open(B13);
    const { run, request } = await begin({ cellId: 'keep-1' });
    await request.begin();
    await request.print('one\n');
    NotebookActions.moveCells(panel.content, 0, 1);
    const moved = await page.call(readCell, KEEP_1);
    expect(moved).toMatchObject({
      index: 1,
      startedBy: expect.stringContaining(CLIENT.name)
    });
    await request.print('two\n');
    await request.end(reply);
    expect(await run).toMatchObject({
      success: reply.status === 'ok',
      status: reply.status,
      executionCount: reply.execution_count,
      outputs: [{ name: 'stdout', text: 'one\ntwo\n' }],
      index: 1,
      revision: moved.revision
    });
    expect(page.book.inKernel('k-1')).toEqual([]);
    expect((await page.call(readCell, KEEP_1)).startedBy).toBeUndefined();
  });

  it('goes on where the person deletes the cell and takes that back', async () => {
    await open(B13);
    const { content } = panel;
    const { run, request } = await begin({ cellId: 'keep-1' });
    await request.begin();
    content.activeCellIndex = 0;
    NotebookActions.deleteCells(content);
    await request.print('unseen\n');
    await request.ask('Who?');
    NotebookActions.undo(content);
    await settle();
    await page.clock.advance(100);
    expect(prompts).toMatchObject([{ prompt: 'Who?' }]);
    prompts[0].answer('me');
    await settle();
    await request.ok(2);
    expect(await run).toMatchObject({
      success: true,
      executionCount: 2,
      outputs: [{ text: 'unseen\n' }, { text: 'Who? me\n' }],
      index: 0
    });
  });

  it('is unknown in a cell that was cut and pasted, with a part of its outputs', async () => {
    await open(B13);
    const { content } = panel;
    const { run, request } = await begin({ cellId: 'keep-1' });
    await request.begin();
    await request.print('one\n');
    content.activeCellIndex = 0;
    NotebookActions.cut(content);
    NotebookActions.paste(content);
    await settle();
    const pasted = { state: 'unknown', outputsMayBeMissing: true };
    expect(await page.call(readCell, KEEP_1)).toMatchObject(pasted);
    await request.ok();
    expect(await run).toMatchObject({ errorName: 'RunCanceled' });
    expect(await page.call(readCell, KEEP_1)).toMatchObject(pasted);
  });

  it('ends with the deletion of its cell that nobody takes back', async () => {
    await open(B13);
    const { run, request } = await begin({ cellId: 'keep-1' });
    panel.content.activeCellIndex = 0;
    NotebookActions.deleteCells(panel.content);
    await request.ok();
    expect(await run).toMatchObject({
      success: false,
      errorName: 'RunCanceled',
      index: -1
    });
  });

  it('is one of a sequence whose other cells the person moves meanwhile', async () => {
    await open(B22);
    const { run, request } = await begin(
      { cellIds: ['r-1', 'r-3', 'r-4'] },
      runCells
    );
    NotebookActions.moveCells(panel.content, 0, 1);
    NotebookActions.moveCells(panel.content, 2, 4);
    await request.ok(1);
    for (let i = 0; i < 200 && kernel.requests.length < 2; i++) {
      await Promise.resolve();
    }
    await kernel.last.ok(2);
    expect(await run).toMatchObject({
      success: true,
      cells: [
        { cellId: 'r-1', state: 'ok', executionCount: 1 },
        { cellId: 'r-3', state: 'ok', executionCount: 2, index: 4 },
        { cellId: 'r-4', state: 'skipped', index: 3 }
      ]
    });
  });

  it('ends when the cell is deleted, and says so', async () => {
    await open(B13);
    const { run } = await begin({ cellId: 'keep-1' });
    panel.model?.sharedModel.deleteCell(0);
    expect(await run).toMatchObject({
      success: false,
      errorName: 'RunCanceled',
      error: expect.stringContaining('deleted'),
      index: -1
    });
  });

  it.each([
    ['from the server', true],
    ['from the page', false]
  ])('ends when its notebook is closed (run %s)', async (_, atServer) => {
    await open(B13);
    if (atServer) {
      executor = onServer(cell => {
        cell.model.executionState = 'running';
        return true;
      });
    }
    const run = call(runCell, { cellId: 'keep-1' });
    for (let i = 0; i < 200 && !codeCell(0).outputArea.future; i++) {
      await Promise.resolve();
    }
    closeNotebook();
    expect(await run).toMatchObject({
      success: false,
      errorName: 'RunCanceled',
      error: expect.stringMatching(/its notebook closed.*may still be working/),
      outputs: [],
      index: -1
    });
    expect(page.book.inKernel('k-1')).toEqual([]);
  });

  it.each([
    ['an agent ran', true],
    ['the person ran', false]
  ])(
    'can be run again where its view was closed (%s it)',
    async (_, byAgent) => {
      page = new Page({ [B13]: caseText(B13) });
      panel = await page.open(B13);
      const clone = page.documents.cloneWidget(panel);
      attach();
      if (!(clone instanceof NotebookPanel)) {
        throw new Error('No second view');
      }
      await page.tracker.add(clone);
      const found = page.notebooks.find(B13);
      if (!found) {
        throw new Error('Not found');
      }
      // The person's run is in the view that the tools do not use.
      const used = panelOf(found);
      const other = used === panel ? clone : panel;
      const [runs, stays] = byAgent ? [used, other] : [other, used];
      await runs.revealed;
      const [cell] = runs.content.widgets;
      const run = byAgent
        ? (await begin({ cellId: 'keep-1' })).run
        : NotebookActions.runCells(runs.content, [cell], runs.sessionContext);
      expect((await refusal({ cellId: 'keep-1' })).code).toBe(
        'operation_in_progress'
      );
      runs.dispose();
      panel = stays;
      await run;
      const state = async () => (await page.call(readCell, KEEP_1)).state;
      expect(await state()).toBe('unknown');
      const again = await begin({ cellId: 'keep-1' });
      expect(await state()).toBe('queued');
      await again.request.ok(4);
      expect(await again.run).toMatchObject({
        success: true,
        executionCount: 4
      });
      expect(await state()).toBe('done');
    }
  );

  it('ends each cell of a sequence when the notebook is closed', async () => {
    await open(B13);
    const run = call(runCells, { all: true, continueOnError: true });
    for (let i = 0; i < 200 && kernel.requests.length === 0; i++) {
      await Promise.resolve();
    }
    closeNotebook();
    expect(await run).toMatchObject({
      success: false,
      stoppedAt: { cellId: 'keep-1' },
      error: expect.stringContaining('its notebook closed'),
      cells: [
        { cellId: 'keep-1', state: 'error', errorName: 'RunCanceled' },
        { cellId: 'keep-2', state: 'not run' }
      ]
    });
  });

  it('is not called done where the notebook was closed before its end', async () => {
    await open(B13);
    const { run, request } = await begin({ cellId: 'keep-1' });
    await request.begin();
    await request.print('before\n');
    panel.context.model.dirty = false;
    panel.close();
    await run;
    const lost = { state: 'unknown', outputsMayBeMissing: true };
    expect(await page.call(readCell, KEEP_1)).toMatchObject({
      open: false,
      ...lost
    });
    await page.open(B13);
    expect(await page.call(readCell, KEEP_1)).toMatchObject({
      open: true,
      ...lost
    });
  });

  it('is what it was where it had ended before the notebook was closed', async () => {
    await open(B13);
    const { run, request } = await begin({ cellId: 'keep-1' });
    await request.ok();
    await run;
    panel.context.model.dirty = false;
    panel.close();
    for (let i = 0; i < 50 && !panel.isDisposed; i++) {
      await settle();
    }
    expect(await page.call(readCell, KEEP_1)).toMatchObject({
      open: false,
      outputsMayBeMissing: false
    });
  });

  it('tells of outputs that may be missing, until the cell is run again', async () => {
    await open(B13);
    const first = await begin({ cellId: 'keep-1' });
    kernel.connection('connecting', 'connected');
    expect(await page.call(readCell, KEEP_1)).toMatchObject({
      state: expect.stringMatching(/queued|running/),
      outputsMayBeMissing: true
    });
    await first.request.ok();
    expect(await first.run).toMatchObject({
      success: true,
      outputsMayBeMissing: true
    });
    const read = () =>
      page.call(readCell, { notebookPath: B13, cellId: 'keep-1' });
    expect(await read()).toMatchObject({
      state: 'done',
      outputsMayBeMissing: true
    });
    const second = await begin({ cellId: 'keep-1' });
    await second.request.ok();
    expect(await second.run).not.toHaveProperty('outputsMayBeMissing');
    expect(await read()).toMatchObject({ outputsMayBeMissing: false });
  });
});

describe('a shared document that shows a cell as running', () => {
  const read = () => page.call(readCell, KEEP_1);

  async function openShared(collaborative = true): Promise<void> {
    await open(B13);
    Object.defineProperty(panel.model, 'collaborative', {
      value: collaborative
    });
    codeCell(0).model.executionState = 'running';
  }

  it('is believed while its kernel is at work, whoever runs it', async () => {
    await openShared();
    kernel.setStatus('busy');
    expect(await read()).toMatchObject({
      state: 'running',
      outputsMayBeMissing: false
    });
    expect((await refusal(KEEP_1)).code).toBe('operation_in_progress');
  });

  it('is not when its kernel is at rest: the page that ran it went (b38)', async () => {
    await openShared();
    expect(await read()).toMatchObject({
      state: 'unknown',
      outputsMayBeMissing: true
    });
    const { run, request } = await begin({ cellId: 'keep-1' });
    kernel.setStatus('busy');
    expect(await read()).toMatchObject({ state: 'queued' });
    await request.ok();
    kernel.setStatus('idle');
    expect(await run).toMatchObject({ success: true });
    expect(await read()).toMatchObject({
      state: 'done',
      outputsMayBeMissing: false
    });
    // Another page runs it after that.
    codeCell(0).model.executionState = 'running';
    kernel.setStatus('busy');
    expect(await read()).toMatchObject({ state: 'running' });
  });

  it('is believed of a document of one person', async () => {
    await openShared(false);
    expect(await read()).toMatchObject({ state: 'running' });
    expect((await refusal(KEEP_1)).code).toBe('operation_in_progress');
  });
});

describe('where there is no kernel', () => {
  it.each([
    ['b12_kernel_missing.ipynb', 'case0343', 'ghost-kernel-9'],
    ['b12_no_kernelspec.ipynb', 'case0344', 'change_kernel']
  ])('%s is refused with the kernels there are', async (name, cellId, says) => {
    await open(name, { kernel: null });
    const refused = await refusal({ cellId });
    expect(refused.code).toBe('operation_refused');
    expect(refused.message).toContain('python3, ir');
    expect(refused.message).toContain(says);
    expect(asked).toEqual([]);
  });

  it('the kernel that the notebook names is started, without asking', async () => {
    await open(B13, { kernel: null });
    const run = call(runCell, { cellId: 'keep-1' });
    for (let i = 0; i < 200 && !session.kernel?.requests.length; i++) {
      await Promise.resolve();
    }
    await session.kernel?.last.ok();
    expect(await run).toMatchObject({ success: true });
    expect(asked).toEqual(['changeKernel python3']);
  });

  it('it is started once for all that come to run something at once', async () => {
    await open(B13, { kernel: null });
    const { runs } = context();
    const notebook = page.notebooks.of(panel);
    const all = [1, 2, 3].map(() => runs.prepare(notebook));
    expect(await Promise.allSettled(all)).toEqual(
      all.map(() => ({ status: 'fulfilled', value: undefined }))
    );
    expect(asked).toEqual(['changeKernel python3']);
  });

  it.each([
    ['the person shut it down', { prevKernelName: 'python3' }],
    ['JupyterLab asks the person for one', { asksPerson: true }]
  ])('none is started when %s', async (_, script) => {
    await open(B13, { kernel: null, ...script });
    expect(await refusal({ cellId: 'keep-1' })).toMatchObject({
      code: 'operation_refused'
    });
    expect(asked).toEqual([]);
  });

  it.each([
    [false, ['session: changeKernel ir']],
    [true, ['session: changeKernel ir', 'changeKernel ir']]
  ])(
    'another is started also where the server forgot the session (%s)',
    async (isForgotten, wanted) => {
      await open(B13, { isForgotten });
      const notebook = page.notebooks.of(panel);
      await context().runs.changeKernel(notebook, 'ir');
      expect(asked).toEqual(wanted);
    }
  );

  it('another is told with its state, once it is idle', async () => {
    await open(B13, { displayStatus: 'unknown' });
    const notebook = page.notebooks.of(panel);
    const change = () => context().runs.changeKernel(notebook, 'ir');
    let isDone = false;
    const changed = change().then(() => (isDone = true));
    await settle();
    session.displayStatus = 'busy';
    session.changed?.();
    await settle();
    expect(isDone).toBe(false);
    session.displayStatus = 'idle';
    session.changed?.();
    await changed;
    expect(notebook.kernel).toMatchObject({ status: 'idle' });
    // It does not wait for ever.
    session.displayStatus = 'starting';
    const late = change();
    await settle();
    await page.clock.advance(1000);
    await late;
  });

  describe('another is started', () => {
    const answers: (() => void)[] = [];
    /** A kernel that answers when it is told to. */
    const fresh = (id: string): ScriptedKernel => {
      const made = new ScriptedKernel(id);
      made.info = new Promise(resolve => answers.push(() => resolve({})));
      return made;
    };
    const change = () =>
      context().runs.changeKernel(page.notebooks.of(panel), 'ir');

    beforeEach(async () => {
      answers.length = 0;
      await open(B13);
      session.changing = () => {
        session.kernel?.dispose();
        session.kernel = fresh(`new-${asked.length}`);
      };
    });

    it('one after the other, and what is to run waits for the last', async () => {
      const changes = [change(), change()];
      const run = call(runCell, KEEP_1);
      await settle();
      expect(asked).toHaveLength(1);
      answers[0]();
      await changes[0];
      await settle();
      expect(asked).toHaveLength(2);
      answers[1]();
      await changes[1];
      for (let i = 0; i < 200 && !session.kernel?.requests.length; i++) {
        await Promise.resolve();
      }
      expect(session.kernel?.id).toBe('new-2');
      await session.kernel?.last.ok();
      expect(await run).toMatchObject({ success: true });
    });

    it('and nobody waits for it when the person takes yet another', async () => {
      const changed = change().catch((reason: unknown) => reason);
      await settle();
      session.kernel?.dispose();
      session.kernel = fresh('theirs');
      expect(await changed).toMatchObject({
        code: 'operation_refused',
        message: expect.stringMatching(/"new-1" was exchanged.*get_context/)
      });
    });

    it('after a restart that the person asked for, which ends within a minute', async () => {
      session.isRestarting = true;
      const changed = change();
      await settle();
      expect(asked).toEqual([]);
      session.isRestarting = false;
      session.changed?.();
      await settle();
      answers[0]();
      await changed;
      session.isRestarting = true;
      const never = change().catch((reason: unknown) => reason);
      await page.clock.advance(60_000);
      expect(await never).toMatchObject({
        code: 'operation_in_progress',
        message: expect.stringContaining('call again')
      });
    });
  });

  it('because another program shut it down, that is found out at once', async () => {
    await open(B13);
    session.isForgotten = true;
    const refused = refusal({ cellId: 'keep-1' });
    for (let i = 0; i < 200 && kernel.requests.length === 0; i++) {
      await Promise.resolve();
    }
    await page.clock.advance(1000);
    expect(await refused).toMatchObject({
      code: 'operation_refused',
      message: expect.stringMatching(/no kernel, so nothing ran.*python3, ir/)
    });
    expect(codeCell(0).model.executionState).toBe('idle');
    expect(await page.call(readCell, KEEP_1)).toMatchObject({
      state: 'never run'
    });
  });

  it('because it said that it ends, nothing is sent to it, nor edited', async () => {
    await open(B13);
    new KernelProgress().follow(panel);
    kernel.announceEnd();
    expect(await refusal({ cellId: 'keep-1', content: 'new' })).toMatchObject({
      code: 'operation_refused',
      message: expect.stringMatching(/no kernel, so nothing ran.*python3, ir/)
    });
    expect(codeCell(0).model.sharedModel.getSource()).not.toBe('new');
    expect(kernel.requests).toEqual([]);
  });

  it('an edit that went before is told all the same', async () => {
    await open(B13);
    session.isForgotten = true;
    const refused = refusal({ cellId: 'keep-1', content: 'new' });
    for (let i = 0; i < 200 && kernel.requests.length === 0; i++) {
      await Promise.resolve();
    }
    await page.clock.advance(1000);
    expect(await refused).toMatchObject({
      code: 'operation_refused',
      message: expect.stringContaining('has its new source already'),
      extra: { changeId: 'change-1', revision: expect.any(String) }
    });
  });

  it('run_cells stops at the first cell', async () => {
    await open(B13);
    session.isForgotten = true;
    const run = call(runCells, { all: true });
    for (let i = 0; i < 200 && kernel.requests.length === 0; i++) {
      await Promise.resolve();
    }
    await page.clock.advance(1000);
    expect(await run).toMatchObject({
      success: false,
      stoppedAt: { cellId: 'keep-1' },
      error: expect.stringContaining('python3, ir')
    });
    expect(kernel.requests).toHaveLength(1);
  });

  it('nothing is edited either', async () => {
    await open(B13, { kernel: null, prevKernelName: 'python3' });
    await refusal({ cellId: 'keep-1', content: 'new' });
    expect(codeCell(0).model.sharedModel.getSource()).toBe(
      "kept = 'still here'"
    );
  });

  it('a kernel that ends, or waits for input, is not sent anything', async () => {
    await open(B13, { isTerminating: true });
    expect(await refusal({ cellId: 'keep-1' })).toMatchObject({
      code: 'operation_refused'
    });
    close();
    await open(B13, { pendingInput: true });
    expect(await refusal({ cellId: 'keep-1' })).toMatchObject({
      code: 'operation_in_progress'
    });
    expect(kernel.requests).toEqual([]);
  });
});

describe('prompts of a cell', () => {
  async function ask(prompt: string, password = false) {
    const started = await begin({ cellId: 'keep-1' });
    await started.request.ask(prompt, password);
    await page.clock.advance(100);
    return started;
  }

  function box(): HTMLInputElement {
    const input = panel.node.querySelector<HTMLInputElement>('.jp-Stdin input');
    if (!input) {
      throw new Error('No box');
    }
    return input;
  }

  it.each(['', 'Name: '])('are told with their text %j (b18)', async text => {
    await open(B13);
    const { run, request } = await ask(text);
    expect(prompts).toHaveLength(1);
    expect(prompts[0]).toMatchObject({ prompt: text, password: false });
    expect(prompts[0].isOpen()).toBe(true);
    await request.ok();
    await run;
    expect(prompts[0].isOpen()).toBe(false);
  });

  it('take an answer once, and close the person’s box', async () => {
    await open(B13);
    const { run, request } = await ask('? ');
    const input = box();
    prompts[0].answer('42');
    expect(kernel.inputs).toEqual([{ status: 'ok', value: '42' }]);
    expect(() => prompts[0].answer('43')).toThrow(ToolError);
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
    expect(kernel.inputs).toHaveLength(1);
    await request.ok();
    expect(await run).toMatchObject({
      outputs: [{ output_type: 'stream', name: 'stdin', text: '?  42\n' }]
    });
  });

  it('leave the focus where the person has it', async () => {
    await open(B13);
    // Some windowing modes keep it out of the page until it comes into view.
    codeCell(0).outputArea.node.remove();
    const elsewhere = document.body.appendChild(
      document.createElement('input')
    );
    elsewhere.focus();
    const { run, request } = await ask('? ');
    expect(document.activeElement).toBe(elsewhere);
    prompts[0].answer('42');
    await settle();
    expect(document.activeElement).toBe(elsewhere);
    elsewhere.remove();
    await request.ok();
    await run;
  });

  it('leave the notebook where the person scrolled it to', async () => {
    await open(B13);
    const { content } = panel;
    const scroll = jest.spyOn(content, 'scrollToItem').mockResolvedValue();
    content.widgets.forEach(cell => (cell.inViewport = false));
    const { run, request } = await ask('? ');
    await request.ok();
    await run;
    expect(scroll).not.toHaveBeenCalled();
    // To what the person runs it goes as ever.
    const cell = codeCell(1);
    const session = panel.sessionContext;
    const theirs = NotebookActions.runCells(content, [cell], session);
    scroll.mockClear();
    await kernel.last.ask('? ');
    expect(scroll.mock.calls).toEqual([[1]]);
    await kernel.last.ok();
    await theirs;
  });

  it('are not answered over what the person types', async () => {
    await open(B13);
    const { run, request } = await ask('? ');
    const input = box();
    HTMLInputElement.prototype.focus.call(input);
    expect(document.activeElement).toBe(input);
    input.value = 'half an ans';
    expect(() => prompts[0].answer('42')).toThrow(/typing/);
    expect(input.value).toBe('half an ans');
    input.value = 'mine';
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
    await settle();
    expect(kernel.inputs).toEqual([{ status: 'ok', value: 'mine' }]);
    expect(prompts[0].isOpen()).toBe(false);
    await request.ok();
    await run;
  });

  it('never take a password', async () => {
    await open(B13);
    const { run, request } = await ask('Key: ', true);
    expect(prompts[0].password).toBe(true);
    expect(() => prompts[0].answer('hunter2')).toThrow(/password/);
    expect(kernel.inputs).toEqual([]);
    await request.ok();
    await run;
  });

  it('hold nobody up when the run ended without an answer', async () => {
    await open(B13);
    const { run, request } = await ask('? ');
    expect(kernel.hasPendingInput).toBe(true);
    await request.end({
      status: 'error',
      execution_count: 1,
      ename: 'KeyboardInterrupt',
      evalue: '',
      traceback: []
    });
    await page.clock.advance(1000);
    expect(await run).toMatchObject({ error: 'KeyboardInterrupt' });
    expect(kernel.hasPendingInput).toBe(false);
  });
});

describe('run_cells', () => {
  const failure = {
    ename: 'ZeroDivisionError',
    evalue: 'division by zero',
    traceback: []
  };

  /** Answers each request in turn; `r-2` fails. */
  async function answerAll(run: Promise<Data>): Promise<Data> {
    let done = false;
    void run.finally(() => (done = true));
    for (let i = 0, next = 0; i < 2000 && !done; i++) {
      const request = kernel.requests[next];
      if (request) {
        next++;
        await (request.code === '1/0'
          ? request.end({ status: 'error', execution_count: next, ...failure })
          : request.ok(next));
      }
      await Promise.resolve();
    }
    return run;
  }

  const states = ({ cells }: Data) =>
    (cells as { cellId: string; state: string }[]).map(
      ({ cellId, state }) => `${cellId} ${state}`
    );

  it('stops at the first error and names it; no cell stays queued (b22)', async () => {
    await open(B22);
    const data = await answerAll(call(runCells, { all: true }));
    expect(states(data)).toEqual([
      'r-1 ok',
      'r-2 error',
      'r-3 not run',
      'case0342 not run',
      'r-4 not run'
    ]);
    expect(data).toMatchObject({
      success: false,
      status: 'error',
      stoppedAt: { cellId: 'r-2', index: 1 },
      error: expect.stringContaining('ZeroDivisionError: division by zero'),
      counts: { ok: 1, error: 1, 'not run': 3 }
    });
    for (const { model } of panel.content.widgets) {
      expect(model).not.toMatchObject({ executionState: 'running' });
    }
    expect(kernel.requests).toHaveLength(2);
  });

  it('goes on after an error when asked to, and leaves out tagged cells', async () => {
    await open(B22);
    const data = await answerAll(
      call(runCells, { all: true, continueOnError: true })
    );
    expect(states(data)).toEqual([
      'r-1 ok',
      'r-2 error',
      'r-3 ok',
      'case0342 no code',
      'r-4 skipped'
    ]);
    expect(data.success).toBe(false);
    expect(data).not.toHaveProperty('stoppedAt');
  });

  it('goes on after an error that the cell is meant to raise', async () => {
    await open(B22);
    const { metadata } = codeCell(1).model.sharedModel;
    codeCell(1).model.sharedModel.metadata = {
      ...metadata,
      tags: ['raises-exception']
    };
    const data = await answerAll(
      call(runCells, { cellIds: ['r-1', 'r-2', 'r-3'] })
    );
    expect(states(data)).toEqual(['r-1 ok', 'r-2 error', 'r-3 ok']);
    expect(data).toMatchObject({
      success: true,
      status: 'ok',
      counts: { ok: 2, error: 1 },
      cells: [{}, { expected: true, errorName: expect.any(String) }, {}]
    });
    expect(data).not.toHaveProperty('error');
  });

  it('does not go on after an interrupt of such a cell', async () => {
    await open(B22);
    codeCell(1).model.sharedModel.metadata = { tags: ['raises-exception'] };
    const run = call(runCells, { cellIds: ['r-2', 'r-3'] });
    for (let i = 0; i < 200 && kernel.requests.length === 0; i++) {
      await Promise.resolve();
    }
    await kernel.last.end({
      status: 'error',
      ename: 'KeyboardInterrupt',
      evalue: '',
      traceback: []
    });
    await page.clock.advance(1000);
    const data = await run;
    expect(states(data)).toEqual(['r-2 error', 'r-3 not run']);
    expect(data.success).toBe(false);
  });

  it.each([
    [{ from: 'r-3' }, ['r-3', 'case0342', 'r-4']],
    [{ to: 'r-1' }, ['r-1']],
    [{ from: 'r-3', to: 'case0342' }, ['r-3', 'case0342']],
    [{ cellIds: ['r-3', 'r-1'] }, ['r-3', 'r-1']]
  ])('runs the cells of %j in that order', async (choice, ids) => {
    await open(B22);
    const data = await answerAll(call(runCells, choice));
    expect(states(data).map(state => state.split(' ')[0])).toEqual(ids);
    expect(data).toMatchObject({ success: true, status: 'ok' });
  });

  it.each([
    {},
    { all: true, from: 'r-1' },
    { cellIds: ['r-1'], all: true },
    { from: 'r-3', to: 'r-1' }
  ])('refuses the choice %j before anything runs', async choice => {
    await open(B22);
    await expect(call(runCells, choice)).rejects.toMatchObject({
      code: 'validation_failed'
    });
    expect(kernel.requests).toEqual([]);
  });

  it('has nothing to run in an empty cell', async () => {
    await open(B22);
    codeCell(0).model.sharedModel.setSource(' \n');
    const data = await answerAll(call(runCells, { cellIds: ['r-1', 'r-3'] }));
    expect(data).toMatchObject({
      success: true,
      counts: { 'no code': 1, ok: 1 },
      cells: [
        { state: 'no code', message: expect.stringContaining('empty') },
        {}
      ]
    });
    expect(await call(runCell, { cellId: 'r-1' })).toMatchObject({
      success: true,
      executionCount: null,
      message: 'The cell is empty: there is nothing to run.'
    });
    expect(kernel.requests).toHaveLength(1);
  });

  it('stops when its kernel dies, also where errors do not stop it', async () => {
    await open(B22);
    const run = call(runCells, { all: true, continueOnError: true });
    for (let i = 0; i < 200 && kernel.requests.length === 0; i++) {
      await Promise.resolve();
    }
    kernel.die();
    const data = await run;
    expect(states(data).slice(0, 3)).toEqual([
      'r-1 error',
      'r-2 not run',
      'r-3 not run'
    ]);
    expect(kernel.requests).toHaveLength(1);
  });

  it('stops at a cell that somebody deleted meanwhile', async () => {
    await open(B22);
    const run = call(runCells, { cellIds: ['r-1', 'r-3', 'r-4'] });
    for (let i = 0; i < 200 && kernel.requests.length === 0; i++) {
      await Promise.resolve();
    }
    panel.model?.sharedModel.deleteCell(2);
    await kernel.last.ok();
    const data = await run;
    expect(states(data)).toEqual(['r-1 ok', 'r-3 not run', 'r-4 not run']);
    expect(data).toMatchObject({
      success: false,
      stoppedAt: { cellId: 'r-3' }
    });
  });
});

it('a cell whose outputs the person clears while it runs is running', async () => {
  await open(B13);
  const { run, request } = await begin({ cellId: 'keep-1' });
  await request.begin();
  await request.print('before\n');
  NotebookActions.clearAllOutputs(panel.content);
  expect(['running', 'queued']).toContain(
    (await page.call(readCell, KEEP_1)).state
  );
  expect((await refusal({ cellId: 'keep-1' })).code).toBe(
    'operation_in_progress'
  );
  expect(await page.refusal(deleteCell, KEEP_1, WEBMCP)).toMatchObject({
    code: 'operation_in_progress'
  });
  expect(kernel.requests).toHaveLength(1);
  await request.print('after\n');
  await request.ok(1);
  expect(await run).toMatchObject({
    success: true,
    outputs: [{ text: 'after\n' }]
  });
  expect(await page.call(readCell, KEEP_1)).toMatchObject({ state: 'done' });
});

it('a prompt of a cell that the person moves can be answered', async () => {
  await open(B13);
  const { run, request } = await begin({ cellId: 'keep-1' });
  await request.begin();
  await request.ask('Who?');
  await settle();
  await page.clock.advance(100);
  NotebookActions.moveCells(panel.content, 0, 1);
  await settle();
  await page.clock.advance(100);
  const prompt = prompts.at(-1);
  expect(prompt?.isOpen()).toBe(true);
  prompt?.answer('me');
  await settle();
  expect(kernel.inputs).toEqual([{ status: 'ok', value: 'me' }]);
  await request.ok(1);
  expect(await run).toMatchObject({ success: true, index: 1 });
});
