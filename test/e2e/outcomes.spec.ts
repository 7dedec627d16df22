import { cell, notebook } from './support/notebooks';
import { useSession } from './support/session';
import type { IReply } from './support/agent';

jest.setTimeout(90_000);

const TIMEOUT_S = 5;
const READ_CAP = 40_000;
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** An inner progress bar below an outer one, drawn as tqdm draws them. */
const BARS = `for outer in range(4):
    print(f'\\router {outer}/3 ' + '#' * outer, end='', flush=True)
    for inner in range(40, -1, -1):
        print('\\n\\r\\x1b[K' + f'inner {inner} ' + '=' * inner + '\\x1b[A', end='', flush=True)
print('\\n\\n\\x1b[1mdone\\x1b[0m')`;

/** Everything that code can do to whoever waits for it. */
describe('however a run goes, it is answered in time and within the limit', () => {
  const path = 'outcomes.ipynb';
  const session = useSession(
    {
      [path]: notebook(
        cell('flood', 'print("x" * 1_000_000)'),
        cell(
          'lines',
          'for i in range(20_000):\n    print("line", i, end="\\r" if i % 2 else "\\n")'
        ),
        cell('bars', BARS),
        cell(
          'plot',
          `import base64\nfrom IPython.display import Image, display\ndisplay(Image(base64.b64decode("${PNG}") + b"\\0" * 60_000, format="png"))`
        ),
        cell(
          'raise',
          'def deep(n):\n    return deep(n - 1) if n else 1 / 0\ndeep(50)'
        ),
        cell('ask', 'name = input("Your name? ")\nprint("hello", name)'),
        cell('secret', 'from getpass import getpass\nlen(getpass("Key: "))'),
        cell(
          'sleep',
          'import time\nprint("begin", flush=True)\ntime.sleep(60)'
        ),
        // What a kernel hands to its sockets goes with it when it ends at once.
        cell(
          'exit',
          'import os, time\nprint("last words")\ntime.sleep(0.5)\nos._exit(1)'
        ),
        cell('after', '40 + 2')
      )
    },
    { settings: { executionTimeout: TIMEOUT_S } }
  );

  beforeAll(() => session.tab.openNotebook(path), 60_000);

  async function run(cellId: string): Promise<IReply> {
    const reply = await session.agent.call('run_cell', {
      notebookPath: path,
      cellId
    });
    // Room for a busy machine, but well before a client gives up.
    expect(reply.ms).toBeLessThan((TIMEOUT_S + 10) * 1000);
    expect(reply.bytes).toBeLessThanOrEqual(READ_CAP);
    return reply;
  }

  const pendingId = (reply: IReply) => String(reply.data.pendingId);

  it('a million characters in one line', async () => {
    const reply = await run('flood');
    expect(reply).toHaveReply({
      isError: false,
      data: { status: 'ok', untrusted: true },
      truncation: { total: 1_000_001 }
    });
    expect(reply.data).not.toHaveProperty('truncated');
  });

  it('what was cut of it can be read to its end', async () => {
    const reply = await run('flood');
    const truncation = reply.truncation as {
      resultId: string;
      field: string;
      nextRange: { offset: number; length: number };
    };
    const part = await session.agent.call('read_result', {
      resultId: truncation.resultId,
      field: truncation.field,
      range: { offset: 999_990, length: 100 }
    });
    expect(part).toHaveReply({ isError: false });
    expect(JSON.stringify(part.data)).toContain('xxxxxxxxxx\\n');
  });

  it('twenty thousand lines, half of them overwritten', async () => {
    expect(await run('lines')).toHaveReply({
      isError: false,
      data: { status: 'ok' }
    });
  });

  it('progress bars below each other are what a terminal shows, in a cell and without (b32)', async () => {
    const outputs = [
      {
        output_type: 'stream',
        name: 'stdout',
        text: 'outer 3/3 ###\ninner 0 \ndone\n'
      }
    ];
    const inCell = await run('bars');
    expect(inCell).toHaveReply({ data: { status: 'ok', outputs } });
    const panel = await session.tab.panel(path);
    const kernelId = await panel.evaluate(
      each => each.sessionContext.session?.kernel?.id
    );
    const without = await session.agent.call('run_code', {
      kernelId,
      code: BARS
    });
    expect(without.data.outputs).toEqual(inCell.data.outputs);
    const cellIds = ['bars'];
    const several = { notebookPath: path, cellIds };
    expect(await session.agent.call('run_cells', several)).toHaveReply({
      data: { cells: [{ state: 'ok', outputs }] }
    });
    // Also where the person runs it.
    await panel.evaluate(({ content }) => {
      content.activeCellIndex = content.widgets.findIndex(
        ({ model }) => model.id === 'bars'
      );
    });
    await session.tab.command('notebook:run-cell');
    const read = { notebookPath: path, cellId: 'bars' };
    expect(await session.agent.call('read_cell', read)).toHaveReply({
      data: { state: 'done', outputs }
    });
  });

  it('a picture is told, not sent', async () => {
    const reply = await run('plot');
    expect(reply).toHaveReply({ isError: false, data: { status: 'ok' } });
    expect(JSON.stringify(reply.data)).toMatch(
      /\[omitted image\/png data, \d+ characters/
    );
    expect(reply.bytes).toBeLessThan(3000);
  });

  it('an exception is data, with its name and traceback', async () => {
    const reply = await run('raise');
    expect(reply).toHaveReply({
      isError: true,
      code: undefined,
      data: {
        success: false,
        status: 'error',
        errorName: 'ZeroDivisionError',
        errorValue: 'division by zero'
      }
    });
    expect(JSON.stringify(reply.data)).not.toContain('\\u001b');
  });

  it('input() is told at once and can be answered', async () => {
    const asked = await run('ask');
    expect(asked).toHaveReply({
      isError: false,
      data: {
        status: 'pending',
        tool: 'run_cell',
        input: { prompt: 'Your name? ', password: false }
      }
    });
    expect(asked.ms).toBeLessThan(TIMEOUT_S * 1000);
    const answered = await session.agent.call('answer_input', {
      pendingId: pendingId(asked),
      value: 'Ada'
    });
    expect(answered).toHaveReply({ isError: false, data: { status: 'ok' } });
    expect(JSON.stringify(answered.data.outputs)).toContain('hello Ada');
    // JupyterLab keeps the box a moment, so that the focus does not jump.
    await session.tab.page
      .locator('.jp-Stdin-input')
      .waitFor({ state: 'detached' });
  });

  it('a password is left to the person', async () => {
    const asked = await run('secret');
    expect(asked).toHaveReply({
      data: { status: 'pending', input: { prompt: 'Key: ', password: true } }
    });
    expect(
      await session.agent.call('answer_input', {
        pendingId: pendingId(asked),
        value: 'guess'
      })
    ).toHaveReply({ isError: true, code: 'operation_refused' });
    const box = session.tab.page.locator('input.jp-Stdin-input');
    await box.fill('hunter22hunter');
    await box.press('Enter');
    const done = await session.agent.call('wait_for_result', {
      pendingId: pendingId(asked)
    });
    expect(done).toHaveReply({ isError: false, data: { status: 'ok' } });
    expect(JSON.stringify(done.structured)).not.toContain('hunter22');
  });

  it('a long run goes on in the background and can be stopped', async () => {
    const pending = await run('sleep');
    expect(pending).toHaveReply({
      isError: false,
      data: { status: 'pending', printed: 'begin\n' }
    });
    expect(pending.ms).toBeGreaterThan((TIMEOUT_S - 0.5) * 1000);
    const context = await session.agent.call('get_context');
    expect(context).toHaveReply({
      data: {
        pending: [{ pendingId: pendingId(pending), tool: 'run_cell' }]
      }
    });
    const kernels = context.data.kernels as { id: string }[];
    await session.agent.call('interrupt_kernel', { kernelId: kernels[0]?.id });
    expect(
      await session.agent.call('wait_for_result', {
        pendingId: pendingId(pending)
      })
    ).toHaveReply({
      isError: true,
      data: { success: false, errorName: 'KeyboardInterrupt' }
    });
  });

  it('a kernel that dies ends the call with what it had printed', async () => {
    const reply = await run('exit');
    expect(reply).toHaveReply({ isError: true });
    expect(JSON.stringify(reply.structured)).toContain('last words');
    expect(JSON.stringify(reply.structured)).toMatch(/died|restart/i);
    expect(reply.ms).toBeLessThan(TIMEOUT_S * 1000);
  });

  it('and the next run works in the kernel that came after', async () => {
    const { page } = session.tab;
    const dialog = page.locator('.jp-Dialog');
    await dialog.waitFor({ timeout: 10_000 });
    await dialog.locator('.jp-mod-accept').click();
    expect(await run('after')).toHaveReply({
      isError: false,
      data: { status: 'ok' }
    });
  });

  it('no uncaught error was left in the page', () => {
    expect(session.tab.errors).toEqual([]);
  });
});
