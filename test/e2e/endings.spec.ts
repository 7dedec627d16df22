import type { IReply } from './support/agent';
import { cell, notebook } from './support/notebooks';
import { runsOf, TICKS } from './support/runs';
import { useSession } from './support/session';

jest.setTimeout(90_000);

const WORK = 'work.ipynb';

const session = useSession(
  {
    [WORK]: notebook(
      cell('one', '1 + 1'),
      TICKS,
      cell(
        'exit',
        "print('before')\nimport os, time\ntime.sleep(0.5)\nos._exit(1)"
      ),
      cell(
        'kill',
        "import os, time\nprint('before', flush=True)\ntime.sleep(0.5)\nos.kill(os.getpid(), 9)"
      )
    )
  },
  { settings: { executionTimeout: 2 } }
);
const { call, run, wait, ended, code, kernelId, closeDialogs } = runsOf(
  session,
  WORK
);

beforeAll(async () => {
  await session.tab.openNotebook(WORK);
  expect(await ended(await run('one'))).toHaveReply({ isError: false });
  // JupyterLab holds back what is sent on a new connection to a busy kernel
  // for three seconds: from here on there is one.
  expect(await ended(await code('1'))).toHaveReply({ isError: false });
}, 60_000);

afterAll(() => {
  expect(session.tab.errors).toEqual([]);
});

describe('what others do to a run', () => {
  /** Starts the ticking cell and code behind it; both are pending. */
  async function startBoth(): Promise<[IReply, IReply]> {
    const ticking = await run('ticks');
    const queued = await code('1');
    expect(ticking).toHaveReply({ data: { status: 'pending' } });
    expect(queued).toHaveReply({ data: { status: 'pending' } });
    return [ticking, queued];
  }

  it('a second run of a cell that runs names the first call', async () => {
    const [ticking, queued] = await startBoth();
    const refused = await run('ticks');
    expect(refused).toHaveReply({ code: 'operation_in_progress' });
    expect(refused.message).toContain(String(ticking.data.pendingId));
    await session.tab.command('notebook:interrupt-kernel');
    const interrupted = await ended(ticking);
    expect(interrupted).toHaveReply({
      isError: true,
      data: { error: 'KeyboardInterrupt' }
    });
    expect(interrupted.data.message).toContain('not by you');
    expect(await ended(queued)).toHaveReply({
      isError: true,
      data: { status: 'aborted' }
    });
  });

  it.each([
    ['exit', 'os._exit'],
    ['kill', 'kill -9']
  ])('a death (%s) ends its calls, the queued ones too', async id => {
    const dying = run(id);
    const [dead, queued] = await Promise.all([dying.then(ended), code('1')]);
    expect(dead).toHaveReply({
      isError: true,
      data: {
        success: false,
        errorName: 'KernelDied',
        kernelRestarts: true,
        outputs: [{ text: 'before\n' }]
      }
    });
    const behind = await ended(queued);
    if (behind.isError) {
      expect(behind).toHaveReply({
        data: { errorName: 'KernelDied', outputs: [] }
      });
    }
    await session.tab.page.locator('.jp-Dialog').waitFor();
    expect(await closeDialogs()).toEqual(['Kernel Restarting']);
    expect(await ended(await run('one'))).toHaveReply({
      data: { status: 'ok', executionCount: expect.any(Number) }
    });
    expect(await ended(await code('1'))).toHaveReply({
      data: { status: 'ok' }
    });
  });

  it('a restart by the agent ends both, and the new kernel answers', async () => {
    const both = await startBoth();
    expect(
      await ended(await call('restart_kernel', { kernelId: await kernelId() }))
    ).toHaveReply({ data: { success: true } });
    for (const reply of both) {
      expect(await ended(reply)).toHaveReply({
        isError: true,
        data: { errorName: 'KernelRestarted' }
      });
    }
    expect(await run('one')).toHaveReply({
      data: { status: 'ok', executionCount: 1 }
    });
    expect(await session.tab.dialogs()).toEqual([]);
  });

  it('so does one by another program', async () => {
    const both = await startBoth();
    await session.lab.api(`kernels/${await kernelId()}/restart`, {
      method: 'POST'
    });
    for (const reply of both) {
      expect(await ended(reply)).toHaveReply({
        isError: true,
        data: { errorName: 'KernelRestarted' }
      });
    }
    const again = await run('ticks');
    expect(again).toHaveReply({ data: { status: 'pending' } });
    await call('interrupt_kernel', { kernelId: await kernelId() });
    expect(await ended(again)).toHaveReply({ isError: true });
  });

  it('a connection that is lost and back is no death', async () => {
    const pending = await run('ticks');
    const panel = await session.tab.panel(WORK);
    await panel.evaluate(each => {
      const kernel = each.sessionContext.session?.kernel;
      const socket: unknown = kernel && Reflect.get(kernel, '_ws');
      if (socket instanceof WebSocket) {
        socket.close();
      }
    });
    const still = await wait(pending);
    expect(still).toHaveReply({ data: { status: 'pending' } });
    expect(still.data.printed).toContain('tick');
    await call('interrupt_kernel', { kernelId: await kernelId() });
    expect(await ended(still)).toHaveReply({
      isError: true,
      data: { errorName: 'KeyboardInterrupt', outputsMayBeMissing: true }
    });
    const read = await call('read_cell', {
      notebookPath: WORK,
      cellId: 'ticks'
    });
    expect(read).toHaveReply({ data: { outputsMayBeMissing: true } });
  });

  it('a kernel that is shut down ends both, and then there is none', async () => {
    const both = await startBoth();
    const id = await kernelId();
    await session.lab.api(`kernels/${id}`, { method: 'DELETE' });
    for (const reply of both) {
      expect(await ended(reply)).toHaveReply({
        isError: true,
        data: { errorName: expect.stringMatching(/KernelShutDown|KernelGone/) }
      });
    }
    // Its connection may not have heard of it yet.
    expect(
      await ended(await call('run_code', { kernelId: id, code: '1' }))
    ).toHaveReply({ isError: true });
    const panel = await session.tab.panel(WORK);
    await panel.evaluate(async ({ sessionContext }) => {
      while (sessionContext.session) {
        await new Promise(resolve =>
          sessionContext.sessionChanged.connect(resolve)
        );
      }
    });
    expect(await run('one')).toHaveReply({ code: 'operation_refused' });
    expect(await call('run_code', { kernelId: id, code: '1' })).toHaveReply({
      code: 'not_found'
    });
  });

  it.each([
    ['kernels', async () => kernelId()],
    ['sessions', sessionId]
  ])(
    'one that another program shut down just before (%s) is told with those to choose',
    async (what, idOf) => {
      const changed = await call('change_kernel', {
        notebookPath: WORK,
        kernelName: 'python3'
      });
      expect(await ended(changed)).toHaveReply({
        data: { success: true, kernel: { status: 'idle' } }
      });
      await session.lab.api(`${what}/${await idOf()}`, { method: 'DELETE' });
      const refused = await ended(await run('one'));
      expect(refused).toHaveReply({ code: 'operation_refused' });
      expect(refused.message).toMatch(/no kernel, so nothing ran.*python3/);
      expect(refused.ms).toBeLessThan(5000);
      expect(await session.tab.dialogs()).toEqual([]);
    }
  );

  async function sessionId(): Promise<string> {
    const panel = await session.tab.panel(WORK);
    return panel.evaluate(each => each.sessionContext.session?.id ?? 'none');
  }
});
