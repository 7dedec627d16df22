import { families } from '../e2e/support/family';
import { cell, notebook } from '../e2e/support/notebooks';
import { runsOf } from '../e2e/support/runs';
import { useSession } from '../e2e/support/session';

jest.setTimeout(120_000);

const PATH = 'kernel.ipynb';
/** Seconds without a word of the kernel. */
const CULLED_AFTER = 5;

/** b38: what the kernel ran in goes, and the page stays. */
describe('the kernel goes in the middle of a run, unasked', () => {
  const session = useSession(
    {
      [PATH]: notebook(
        cell('one', '1 + 1'),
        cell('still', "import time\nprint('before')\ntime.sleep(60)"),
        cell(
          'ticks',
          "import time\nfor i in range(300):\n    print('tick', i, flush=True)\n    time.sleep(0.2)"
        )
      )
    },
    {
      settings: { executionTimeout: 2 },
      args: [
        `--MappingKernelManager.cull_idle_timeout=${CULLED_AFTER}`,
        '--MappingKernelManager.cull_interval=1',
        '--MappingKernelManager.cull_busy=True',
        '--MappingKernelManager.cull_connected=True'
      ]
    }
  );
  const { call, run, wait, ended } = runsOf(session, PATH);
  const read = (cellId: string) =>
    call('read_cell', { notebookPath: PATH, cellId });
  /** JupyterLab tells the person of lost servers and kernels. */
  const dialogs = async () => {
    const open = (await call('get_context')).data.dialogs;
    return Array.isArray(open)
      ? open.map((each: { id: string }) => ({ dialogId: each.id }))
      : [];
  };

  /** With a kernel of its own, which the person or agent has to ask for. */
  const works = async () => {
    for (const { dialogId } of await dialogs()) {
      await call('answer_dialog', { button: 0, dialogId });
    }
    const changed = await call('change_kernel', {
      notebookPath: PATH,
      kernelName: 'python3'
    });
    expect(await ended(changed)).toHaveReply({ data: { success: true } });
    expect(await ended(await run('one'))).toHaveReply({
      data: { status: 'ok', executionCount: 1 }
    });
  };

  beforeAll(async () => {
    await session.tab.openNotebook(PATH);
    await ended(await run('one'));
  }, 60_000);

  it('culled: the run has failed, and so has its cell', async () => {
    const pending = await run('still');
    expect(pending).toHaveReply({ data: { status: 'pending' } });
    const end = await ended(pending);
    expect(end).toHaveReply({
      isError: true,
      data: {
        success: false,
        errorName: expect.stringMatching(/^Kernel(ShutDown|Gone)$/),
        outputs: [{ text: 'before\n' }]
      }
    });
    expect(await read('still')).toHaveReply({ data: { state: 'error' } });
    await works();
  });

  it('the server is stopped: the run has failed with its kernel', async () => {
    const pending = await run('ticks');
    expect(pending).toHaveReply({ data: { status: 'pending' } });
    const waiting = wait(pending);
    await session.lab.stop();
    const answer = await waiting;
    await session.lab.start();
    await session.agent.untilConnected(60_000);
    // The kernel told the page, or the way was gone before.
    const end =
      answer.data.status === 'pending' || answer.code
        ? await ended(pending)
        : answer;
    const isTold = end.code === undefined;
    expect(end).toHaveReply({
      isError: true,
      ...(isTold
        ? {
            data: {
              errorName: 'KernelShutDown',
              outputs: [{ text: expect.stringMatching(/^tick 0\n/) }]
            }
          }
        : { code: 'internal_error' })
    });
    expect(await read('ticks')).toHaveReply({
      data: { state: isTold ? 'error' : 'unknown' }
    });
    await works();
  });

  it('the server is killed: nobody knows how the run ended', async () => {
    const pending = await run('ticks');
    expect(pending).toHaveReply({ data: { status: 'pending' } });
    const waiting = wait(pending);
    families(/guard\.mjs/).forEach(pid => process.kill(pid, 'SIGKILL'));
    expect(await waiting).toHaveReply({
      isError: true,
      code: 'internal_error',
      message: expect.stringMatching(/unknown as yet.*cell "ticks"/)
    });
    await session.lab.stop();
    await session.lab.start();
    await session.agent.untilConnected(60_000);
    const end = await ended(pending);
    expect(end).toHaveReply({ isError: true, code: 'internal_error' });
    expect(end.message).toMatch(
      /outcome of the run is unknown.*cell "ticks" of "kernel.ipynb" may be missing: read_cell/
    );
    expect(await read('ticks')).toHaveReply({
      data: {
        state: 'unknown',
        outputsMayBeMissing: true,
        outputs: [{ text: expect.stringMatching(/^tick 0\n/) }]
      }
    });
    await works();
  });
});
