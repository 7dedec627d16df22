import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Agent } from '../e2e/support/agent';
import { cell, notebook } from '../e2e/support/notebooks';
import { useSession } from '../e2e/support/session';
import { Tab } from '../e2e/support/tab';
import { pause } from '../e2e/support/processes';

jest.setTimeout(120_000);

/** Whatever goes while a call runs: the call is answered, and nothing runs twice. */
describe('something goes while a cell runs', () => {
  const path = 'faults.ipynb';
  const session = useSession(
    {
      [path]: notebook(
        cell(
          'slow',
          'import time\nwith open("ran.txt", "a") as f:\n    f.write("x")\ntime.sleep(6)'
        ),
        cell('quick', '40 + 2')
      )
    },
    { settings: { executionTimeout: 15 } }
  );
  let tab: Tab;

  beforeAll(async () => {
    tab = session.tab;
    await tab.openNotebook(path);
    await session.agent.call('run_cell', {
      notebookPath: path,
      cellId: 'quick'
    });
  }, 90_000);

  const ran = () =>
    readFile(join(session.home.root, 'ran.txt'), 'utf8').catch(() => '');

  /** Runs the slow cell, lets `fault` happen meanwhile, and waits for both. */
  async function during(fault: () => Promise<void>) {
    const before = (await ran()).length;
    const call = session.agent.call('run_cell', {
      notebookPath: path,
      cellId: 'slow'
    });
    while ((await ran()).length === before) {
      await pause(50);
    }
    await fault();
    const reply = await call;
    return { reply, runs: async () => (await ran()).length - before };
  }

  const unknown = {
    isError: true,
    code: 'internal_error',
    structured: { retryable: false },
    message: expect.stringMatching(/unknown|not known|may have/i)
  };

  const works = async () => {
    await session.agent.untilConnected();
    await tab.openNotebook(path);
    let reply = await session.agent.call('run_cell', {
      notebookPath: path,
      cellId: 'quick'
    });
    for (let tries = 0; tries < 60 && reply.isError; tries++) {
      await pause(500);
      reply = await session.agent.call('run_cell', {
        notebookPath: path,
        cellId: 'quick'
      });
    }
    expect(reply).toHaveReply({ isError: false, data: { status: 'ok' } });
  };

  it('the tab is loaded again', async () => {
    const { reply, runs } = await during(() => tab.reload());
    expect(reply).toHaveReply(unknown);
    await works();
    expect(await runs()).toBe(1);
  });

  it('the tab is closed', async () => {
    const { reply, runs } = await during(() => tab.close());
    expect(reply).toHaveReply(unknown);
    tab = await Tab.open(session.browser, session.lab);
    await works();
    expect(await runs()).toBe(1);
  });

  it('the server ends', async () => {
    const { reply, runs } = await during(() => session.lab.stop());
    expect(reply).toHaveReply({ isError: true });
    await session.lab.start();
    await tab.close();
    tab = await Tab.open(session.browser, session.lab);
    await works();
    expect(await runs()).toBe(1);
  });

  it('the client ends: its bridge goes, the run stays', async () => {
    const other = await Agent.in(session.home, [], 'short-lived');
    await other.untilConnected();
    const { pid } = other;
    const before = (await ran()).length;
    const call = other
      .call('run_cell', { notebookPath: path, cellId: 'slow' })
      .catch(() => 'gone');
    while ((await ran()).length === before) {
      await pause(50);
    }
    await other.close();
    expect(await call).toBe('gone');
    expect(() => process.kill(pid ?? 0, 0)).toThrow();
    const reply = await session.agent.call('run_cell', {
      notebookPath: path,
      cellId: 'quick'
    });
    expect(reply).toHaveReply({ isError: false });
    expect((await ran()).length - before).toBe(1);
  });
});
