import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IReply } from './support/agent';
import { cell, notebook } from './support/notebooks';
import { runsOf, TICKS } from './support/runs';
import { useSession } from './support/session';

jest.setTimeout(90_000);

const TIMEOUT_S = 5;
const WORK = 'work.ipynb';
const caseText = (name: string): string =>
  readFileSync(join(__dirname, '..', 'cases', name), 'utf8');
const CASES = [
  'b12_kernel_missing.ipynb',
  'b12_no_kernelspec.ipynb',
  'b13_restart_loses_state.ipynb',
  'b16_floods.ipynb',
  'b19_long_run.ipynb',
  'b22_error_in_the_middle.ipynb',
  'b25_rerun_replaces.ipynb'
];

const session = useSession(
  {
    ...Object.fromEntries(CASES.map(name => [name, caseText(name)])),
    [WORK]: notebook(
      cell('one', '1 + 1'),
      TICKS,
      cell('ask', "print('menu: a b')\nn = input()\nprint('got', n)"),
      cell('debug', 'x = 41\nimport pdb; pdb.set_trace()\nprint("after", x)'),
      // Without it breakpoint() waits for JupyterLab's own debugger only.
      cell(
        'stop',
        'import sys\nsys.breakpointhook = sys.__breakpointhook__\nx = 41\nbreakpoint()\nprint("after", x)'
      ),
      cell('person', '# the person writes here')
    )
  },
  {
    settings: { executionTimeout: TIMEOUT_S },
    // Whether a flood is over the server's own limit, which then drops parts
    // of it, is a matter of how quick the machine is.
    args: ['--ZMQChannelsWebsocketConnection.iopub_msg_rate_limit=0']
  }
);

const { call, run, wait, ended, code, kernelId, text } = runsOf(session, WORK);

beforeAll(async () => {
  await session.tab.openNotebook(WORK);
  expect(await ended(await run('one'))).toHaveReply({ isError: false });
}, 60_000);

afterAll(() => {
  expect(session.tab.errors).toEqual([]);
});

describe('cases', () => {
  it('b25: run three times, one output', async () => {
    for (let i = 0; i < 3; i++) {
      const reply = await run('again-1', 'b25_rerun_replaces.ipynb');
      expect(reply).toHaveReply({ data: { status: 'ok' } });
      expect(reply.data.outputs).toHaveLength(1);
    }
  });

  it.each([
    ['b12_kernel_missing.ipynb', 'case0343'],
    ['b12_no_kernelspec.ipynb', 'case0344']
  ])('b12: %s is refused with the kernels there are', async (path, id) => {
    const refused = await run(id, path);
    expect(refused).toHaveReply({ isError: true, code: 'operation_refused' });
    expect(refused.message).toContain('python3');
    expect(await session.tab.dialogs()).toEqual([]);
  });

  it('b12: and runs once a kernel is chosen', async () => {
    const notebookPath = 'b12_kernel_missing.ipynb';
    expect(await call('change_kernel', { notebookPath })).toHaveReply({
      data: { success: true, kernel: null, kernelNames: ['python3'] }
    });
    expect(
      await call('change_kernel', { notebookPath, kernelName: 'nothing' })
    ).toHaveReply({ code: 'not_found' });
    expect(
      await ended(
        await call('change_kernel', { notebookPath, kernelName: 'python3' })
      )
    ).toHaveReply({ data: { success: true, kernel: { name: 'python3' } } });
    expect(await run('case0343', notebookPath)).toHaveReply({
      data: { status: 'ok', executionCount: 1 }
    });
    expect(await session.tab.dialogs()).toEqual([]);
  });

  it('b22: the stop is named, the rest is not run, nothing stays queued', async () => {
    const path = 'b22_error_in_the_middle.ipynb';
    const reply = await ended(
      await call('run_cells', { notebookPath: path, all: true })
    );
    expect(reply).toHaveReply({
      isError: true,
      data: {
        status: 'error',
        stoppedAt: { cellId: 'r-2', index: 1 },
        cells: [
          { cellId: 'r-1', state: 'ok' },
          { cellId: 'r-2', state: 'error', errorName: 'ZeroDivisionError' },
          { cellId: 'r-3', state: 'not run' },
          { state: 'not run' },
          { cellId: 'r-4', state: 'not run' }
        ]
      }
    });
    const panel = await session.tab.panel(path);
    expect(
      await panel.evaluate(each =>
        each.content.widgets.map(({ promptNode }) => promptNode?.textContent)
      )
    ).not.toContain('[*]:');
  });

  it.each([
    ['case0338', 'y\\ny\\n'],
    ['case0339', '"4999\\n"'],
    ['case0340', "'2999'"]
  ])('b16: %s ends as one output', async (id, says) => {
    // As code: JupyterLab itself takes minutes to show some of them.
    const { cells } = JSON.parse(caseText('b16_floods.ipynb')) as {
      cells: { id: string; source: string }[];
    };
    const source = cells.find(each => each.id === id)?.source ?? '';
    const reply = await ended(await code(source));
    expect(reply).toHaveReply({ isError: false, data: { status: 'ok' } });
    expect(reply.data.outputs).toHaveLength(1);
    // A machine that is slow drops some of it between kernel and server.
    const isWhole = reply.data.outputsMayBeMissing !== true;
    expect(text(reply)).toContain(isWhole ? says : 'lost on the way');
  });

  it('b16: an endless print can be interrupted within five seconds', async () => {
    const pending = await run('case0337', 'b16_floods.ipynb');
    expect(pending).toHaveReply({ data: { status: 'pending' } });
    const panel = await session.tab.panel('b16_floods.ipynb');
    const id = await panel.evaluate(
      each => each.sessionContext.session?.kernel?.id
    );
    const interrupted = await call('interrupt_kernel', { kernelId: id });
    expect(interrupted).toHaveReply({ data: { success: true, kernelId: id } });
    expect(interrupted.ms).toBeLessThan(5000);
    expect(await ended(pending)).toHaveReply({
      isError: true,
      data: { errorName: 'KeyboardInterrupt' }
    });
  });

  it('b20: each answer has only what was printed since the last, and the end has all', async () => {
    const first = await run('ticks');
    const second = await call('wait_for_result', {
      pendingId: first.data.pendingId,
      timeout: 1
    });
    const ticks = ({ data }: IReply): number[] =>
      [...String(data.printed).matchAll(/tick (\d+)/g)].map(([, n]) => +n);
    expect(ticks(first)[0]).toBe(0);
    expect(ticks(second)[0]).toBe((ticks(first).at(-1) ?? -1) + 1);
    await call('interrupt_kernel', { kernelId: await kernelId() });
    const end = await ended(second);
    expect(end).toHaveReply({
      isError: true,
      data: {
        message: 'Kernel execution failed',
        error: 'KeyboardInterrupt',
        outputs: [{ output_type: 'stream' }, { output_type: 'error' }]
      }
    });
    expect(text(end)).toContain('tick 0\\ntick 1');
  });

  it('b20: a cancel ends only the waiting: the run is listed, and its whole output can be had', async () => {
    const stop = new AbortController();
    const waiting = session.agent.call(
      'run_cell',
      { notebookPath: WORK, cellId: 'ticks' },
      {
        signal: stop.signal,
        onprogress: ({ message }) =>
          /tick 3/.test(message ?? '') && stop.abort()
      }
    );
    await expect(waiting).rejects.toThrow();
    const { pending } = (await call('get_context')).data;
    expect(pending).toEqual([
      expect.objectContaining({ tool: 'run_cell', seconds: expect.any(Number) })
    ]);
    const [{ pendingId }] = pending as { pendingId: string }[];
    expect(
      await call('wait_for_result', { pendingId, timeout: 1 })
    ).toHaveReply({
      data: { status: 'pending', printed: expect.stringContaining('tick 4\n') }
    });
    await call('interrupt_kernel', { kernelId: await kernelId() });
    const end = await call('wait_for_result', { pendingId });
    expect(end).toHaveReply({
      isError: true,
      data: {
        error: 'KeyboardInterrupt',
        outputs: [
          { text: expect.stringMatching(/^tick 0\ntick 1\n/) },
          { output_type: 'error' }
        ]
      }
    });
  });

  it('b13: a restart clears the names and opens no dialog', async () => {
    const path = 'b13_restart_loses_state.ipynb';
    expect(await ended(await run('keep-1', path))).toHaveReply({
      data: { status: 'ok' }
    });
    expect(await run('keep-2', path)).toHaveReply({
      data: { outputs: [{ text: 'still here\n' }] }
    });
    const panel = await session.tab.panel(path);
    const id = await panel.evaluate(
      each => each.sessionContext.session?.kernel?.id
    );
    expect(
      await ended(await call('restart_kernel', { kernelId: id }))
    ).toHaveReply({ data: { success: true, kernelId: id } });
    expect(await session.tab.dialogs()).toEqual([]);
    expect(await run('keep-2', path)).toHaveReply({
      isError: true,
      data: { errorName: 'NameError', executionCount: 1 }
    });
  });
});

describe('prompts', () => {
  it('are told with what was printed before, and answered, while the person types elsewhere', async () => {
    const { page } = session.tab;
    const panel = await session.tab.panel(WORK);
    const editor = page
      .locator('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell .cm-content')
      .last();
    await session.tab.command('docmanager:open', { path: WORK });
    // A click, as the person makes it: this is about the real focus.
    // eslint-disable-next-line jupyter/galata-prefer-notebook-cell-helper
    await editor.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' one');
    const asked = await run('ask');
    expect(asked).toHaveReply({
      data: {
        status: 'pending',
        printed: 'menu: a b\n',
        input: { prompt: '', password: false }
      }
    });
    await page.keyboard.type(' two');
    const done = await call('answer_input', {
      pendingId: asked.data.pendingId,
      value: 'b'
    });
    expect(done).toHaveReply({ isError: false, data: { status: 'ok' } });
    expect(text(done)).toContain('got b');
    // JupyterLab takes its box away half a second after the answer.
    await page.keyboard.type(' three');
    await page.locator('.jp-Stdin').waitFor({ state: 'detached' });
    await page.keyboard.type(' four');
    expect(
      await panel.evaluate(({ content }) => [
        content.mode,
        content.activeCell?.model.id,
        content.activeCell?.model.sharedModel.getSource()
      ])
    ).toEqual([
      'edit',
      'person',
      '# the person writes here one two three four'
    ]);
  });

  it('leave the active cell and the focus where they are, when the person is in no cell', async () => {
    const { page } = session.tab;
    const panel = await session.tab.panel(WORK);
    const place = () =>
      panel.evaluate(({ content }) => [
        content.activeCellIndex,
        content.mode,
        document.activeElement === document.body
      ]);
    await panel.evaluate(({ content }) => {
      content.activeCellIndex = 0;
      content.mode = 'command';
      if (document.activeElement instanceof HTMLElement) {
        document.activeElement.blur();
      }
    });
    const before = await place();
    expect(before).toEqual([0, 'command', true]);
    const asked = await run('ask');
    expect(await place()).toEqual(before);
    await call('answer_input', {
      pendingId: asked.data.pendingId,
      value: 'b'
    });
    await page.locator('.jp-Stdin').waitFor({ state: 'detached' });
    expect(await place()).toEqual(before);
  });

  it.each([
    ['pdb.set_trace()', 'debug'],
    ['breakpoint()', 'stop']
  ])('of %s are answered one after the other', async (_, cellId) => {
    let reply = await run(cellId);
    for (const value of ['p x', 'x = 7', 'c']) {
      expect(reply).toHaveReply({
        data: { status: 'pending', input: { prompt: 'ipdb> ' } }
      });
      reply = await call('answer_input', {
        pendingId: reply.data.pendingId,
        value
      });
    }
    expect(reply).toHaveReply({ isError: false, data: { status: 'ok' } });
    expect(text(reply)).toContain('after 7');
  });

  it('of code without a document stand in a box of their own, for agent and person', async () => {
    const { page } = session.tab;
    const boxes = page.locator('.jp-McpBridge-prompt');
    const focused = () =>
      page.evaluate(() => document.activeElement?.className);
    const before = await focused();
    const first = await code(
      "a = input('')\nb = input('second? ')\nprint(a, b)"
    );
    expect(first).toHaveReply({
      data: { status: 'pending', input: { prompt: '', password: false } }
    });
    expect(await boxes.count()).toBe(1);
    const second = await call('answer_input', {
      pendingId: first.data.pendingId,
      value: 'by agent,'
    });
    expect(second).toHaveReply({
      data: { status: 'pending', input: { prompt: 'second? ' } }
    });
    expect(await focused()).toBe(before);
    expect(await boxes.innerText()).toContain('second?');
    await boxes.locator('input').fill('by person');
    await boxes.locator('input').press('Enter');
    expect(await ended(await wait(second))).toHaveReply({
      data: { status: 'ok', outputs: [{ text: 'by agent, by person\n' }] }
    });
    expect(await boxes.count()).toBe(0);
  });

  it('for a password are masked and left to the person', async () => {
    const { page } = session.tab;
    const asked = await code(
      "import getpass\nprint(len(getpass.getpass('Key: ')))"
    );
    expect(asked).toHaveReply({
      data: { status: 'pending', input: { prompt: 'Key: ', password: true } }
    });
    expect(
      await call('answer_input', {
        pendingId: asked.data.pendingId,
        value: 'guess'
      })
    ).toHaveReply({ code: 'operation_refused' });
    const input = page.locator('.jp-McpBridge-prompt input');
    expect(await input.getAttribute('type')).toBe('password');
    await input.fill('12345');
    await input.press('Enter');
    expect(await ended(await wait(asked))).toHaveReply({
      data: { status: 'ok', outputs: [{ text: '5\n' }] }
    });
  });

  it('go with the run that is interrupted', async () => {
    const asked = await code("input('for ever? ')");
    await call('interrupt_kernel', { kernelId: await kernelId() });
    let reply = asked;
    while (reply.data.status === 'pending') {
      // Until the kernel has taken the interrupt, it still asks.
      reply = await wait(reply);
    }
    expect(reply).toHaveReply({
      isError: true,
      data: { errorName: 'KeyboardInterrupt' }
    });
    expect(await session.tab.page.locator('.jp-McpBridge-prompt').count()).toBe(
      0
    );
    expect(await run('one')).toHaveReply({ data: { status: 'ok' } });
  });
});

describe('b38: a page that is reloaded while a call is pending', () => {
  it('leaves an unknown outcome, and a cell that says what may be missing', async () => {
    const notebookPath = 'b19_long_run.ipynb';
    let pending = await run('case0333', notebookPath);
    while (!pending.data.printed) {
      pending = await wait(pending);
    }
    expect(pending).toHaveReply({
      data: {
        status: 'pending',
        printed: expect.stringMatching(/^minute tick 0\n/)
      }
    });
    await session.tab.reload();
    const lost = await wait(pending);
    expect(lost).toHaveReply({ isError: true, code: 'internal_error' });
    expect(lost.message).toMatch(
      /outcome is unknown.*cell "case0333" of "b19_long_run.ipynb".*read_cell/
    );
    const panel = await session.tab.openNotebook(notebookPath);
    await panel.evaluate(({ sessionContext }) => sessionContext.ready);
    const read = () => call('read_cell', { notebookPath, cellId: 'case0333' });
    expect(await read()).toHaveReply({
      isError: false,
      data: { state: 'running', outputsMayBeMissing: true }
    });
    expect(await run('case0333', notebookPath)).toHaveReply({
      code: 'operation_in_progress',
      message: expect.stringContaining('lost sight of')
    });
    const { kernel } = (await read()).data;
    expect(kernel).toMatchObject({ status: 'busy' });
    const added = await call('add_cell', { notebookPath, content: '1 + 1' });
    const queued = await run(String(added.data.cellId), notebookPath);
    expect(queued).toHaveReply({
      data: {
        status: 'pending',
        queuedBehind: expect.stringContaining('before the page was reloaded')
      }
    });
    await call('interrupt_kernel', {
      kernelId: Object(kernel).id
    });
    expect(await ended(queued)).toHaveReply({
      data: { success: false, errorName: 'Aborted' }
    });
    let after = await read();
    while (after.data.state === 'running') {
      after = await read();
    }
    expect(after).toHaveReply({
      data: { state: 'error', outputsMayBeMissing: true }
    });
  });
});
