import type { IReply } from './support/agent';
import { cell, notebook } from './support/notebooks';
import { runsOf } from './support/runs';
import { useSession } from './support/session';

jest.setTimeout(120_000);

const PATH = 'kernel.ipynb';
const CLOSED = 'closed.ipynb';

describe('a kernel that several ask to restart or to change at once', () => {
  const session = useSession({
    [PATH]: notebook(
      cell('one', '1 + 1'),
      cell('set', 'x = 1'),
      cell('get', 'x'),
      cell('slow', 'import time\nprint("began", flush=True)\ntime.sleep(60)')
    ),
    [CLOSED]: notebook(
      cell('one', '1 + 1'),
      cell('set', 'x = 1'),
      cell('get', '2')
    )
  });
  const { call, run, ended } = runsOf(session, PATH);

  const kernels = async (): Promise<string[]> => {
    const answer = await session.lab.api('kernels');
    const all: { id: string }[] = await answer.json();
    return all.map(({ id }) => id);
  };
  const kernelId = async (): Promise<string> => {
    const { data } = await call('change_kernel', { notebookPath: PATH });
    const { id } = Object(data.kernel);
    return id;
  };
  /** A kernel of its own, that is new and the only one. */
  const isFresh = async (): Promise<void> => {
    expect(await ended(await run('get'))).toHaveReply({
      data: { errorName: 'NameError' }
    });
    expect(await ended(await run('one'))).toHaveReply({
      data: { status: 'ok', executionCount: 2 }
    });
    expect(await kernels()).toEqual([await kernelId()]);
  };
  const together = (
    ...calls: [string, Record<string, unknown>][]
  ): Promise<IReply[]> =>
    Promise.all(
      calls.map(async ([name, args]) => ended(await call(name, args)))
    );

  beforeEach(async () => {
    await ended(await run('set'));
  });

  it('is started once for runs in a notebook that is not open', async () => {
    const cellIds = ['one', 'set', 'get'];
    const before = await kernels();
    const replies = await Promise.all(
      cellIds.map(cellId => run(cellId, CLOSED))
    );
    for (const reply of replies) {
      expect(await ended(reply)).toHaveReply({ data: { status: 'ok' } });
    }
    const { data } = await call('change_kernel', { notebookPath: CLOSED });
    const { id } = Object(data.kernel);
    expect((await kernels()).sort()).toEqual([...before, id].sort());
    await session.lab.api(`kernels/${id}`, { method: 'DELETE' });
  });

  it('is restarted once', async () => {
    const id = await kernelId();
    const replies = await together(
      ['restart_kernel', { kernelId: id }],
      ['restart_kernel', { kernelId: id }],
      ['restart_kernel', { kernelId: id }]
    );
    replies.forEach(reply =>
      expect(reply).toHaveReply({ data: { success: true, kernelId: id } })
    );
    await isFresh();
    expect(await kernelId()).toBe(id);
  });

  it('is changed for each, and only the last one is left', async () => {
    const change = { notebookPath: PATH, kernelName: 'python3' };
    const replies = await together(
      ['change_kernel', change],
      ['change_kernel', change]
    );
    replies.forEach(reply =>
      expect(reply).toHaveReply({
        data: { success: true, kernel: { status: 'idle' } }
      })
    );
    await isFresh();
  });

  it('is restarted and changed', async () => {
    const id = await kernelId();
    const [restarted, changed] = await together(
      ['restart_kernel', { kernelId: id }],
      ['change_kernel', { notebookPath: PATH, kernelName: 'python3' }]
    );
    expect(restarted).toHaveReply({ data: { success: true } });
    expect(changed).toHaveReply({ data: { success: true } });
    await isFresh();
    expect(await kernelId()).not.toBe(id);
  });

  it('is restarted under a run, and runs what is asked for meanwhile once', async () => {
    const id = await kernelId();
    const slow = run('slow');
    await session.tab.page
      .getByText('began', { exact: true })
      .waitFor({ state: 'attached' });
    const [restarted, set, again] = await together(
      ['restart_kernel', { kernelId: id }],
      ['run_cell', { notebookPath: PATH, cellId: 'set' }],
      ['restart_kernel', { kernelId: id }]
    );
    expect(await ended(await slow)).toHaveReply({
      isError: true,
      data: { errorName: 'KernelRestarted' }
    });
    [restarted, again].forEach(reply =>
      expect(reply).toHaveReply({ data: { success: true } })
    );
    expect(set).toHaveReply({ data: { status: 'ok', executionCount: 1 } });
    expect(await ended(await run('get'))).toHaveReply({
      data: { status: 'ok', executionCount: 2 }
    });
    expect(await kernels()).toEqual([id]);
  });
});
