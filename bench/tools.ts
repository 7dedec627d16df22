import type { Browser } from 'playwright-core';
import { Agent } from '../test/e2e/support/agent';
import { Echo } from './echo';
import { PATH, SLOW, withLab } from './lab';
import {
  callInPage,
  echoFromPage,
  kernelReady,
  otherExtension,
  requestExecute,
  runCellCommand,
  settled
} from './page';
import {
  inPairs,
  inTurn,
  type IComparison,
  type ISummary,
  type Timed
} from './statistics';

type Call = (
  name: string,
  args: Record<string, unknown>
) => Promise<{ ms: number; data: Record<string, unknown> }>;

/** Pairs are measured this many times as often as what is only listed. */
const PAIRS = 3;

/** Every tool that can be called again and again, over one surface. */
async function calls(
  surface: 'page' | 'stdio',
  call: Call,
  kernelId: string
): Promise<Record<string, Timed>> {
  const prefix = surface.padEnd(5);
  const notebookPath = PATH;
  const slow = await call('run_cell', {
    notebookPath: SLOW[surface],
    cellId: 'slow'
  });
  let added: Record<string, unknown> = {};
  const timed = (name: string, args: Record<string, unknown>) => async () => {
    const { ms, data } = await call(name, args);
    if (data.status === 'pending' && name !== 'wait_for_result') {
      throw new Error(`${name} did not end: ${JSON.stringify(data)}`);
    }
    return ms;
  };
  return {
    [`${prefix} get_context`]: timed('get_context', {}),
    [`${prefix} read_notebook`]: timed('read_notebook', { notebookPath }),
    [`${prefix} read_cell`]: timed('read_cell', {
      notebookPath,
      cellId: 'more-3'
    }),
    [`${prefix} add_cell`]: async () => {
      const { ms, data } = await call('add_cell', {
        notebookPath,
        content: 'x = 1'
      });
      added = data;
      return ms;
    },
    [`${prefix} edit_cell`]: async () => {
      const { ms, data } = await call('edit_cell', {
        notebookPath,
        cellId: added.cellId,
        content: 'x = 2',
        revision: added.revision
      });
      added = data;
      return ms;
    },
    [`${prefix} delete_cell`]: async () =>
      (
        await call('delete_cell', {
          notebookPath,
          cellId: added.cellId,
          revision: added.revision
        })
      ).ms,
    [`${prefix} run_cell 1+1`]: timed('run_cell', {
      notebookPath,
      cellId: 'two'
    }),
    [`${prefix} run_code 1+1`]: timed('run_code', { kernelId, code: '1+1' }),
    [`${prefix} wait_for_result`]: timed('wait_for_result', {
      pendingId: slow.data.pendingId,
      timeout: 0
    })
  };
}

/** The comparisons that matter, and all tools on both surfaces. */
export async function measureTools(
  browser: Browser,
  rounds: number
): Promise<{
  readonly runCode: IComparison;
  readonly runCell: IComparison;
  readonly overStdio: IComparison;
  readonly tools: readonly ISummary[];
}> {
  return withLab(browser, [], async ({ lab, tab, home, opened }) => {
    await tab.openNotebook(SLOW.page);
    await tab.openNotebook(SLOW.stdio);
    const panel = await tab.openNotebook(PATH);
    await kernelReady(panel);
    const agent = await Agent.in(home);
    opened.push(agent);
    await agent.untilConnected();
    await agent.call('run_cell', { notebookPath: PATH, cellId: 'one' });
    const kernelId = await panel.evaluate(
      panel => panel.sessionContext.session?.kernel?.id ?? ''
    );
    const settle = () => settled(tab);
    const callPage: Call = async (name, args) => {
      const { ms, result } = await callInPage(tab, name, args);
      return { ms, data: result };
    };
    const callStdio: Call = async (name, args) => {
      const reply = await agent.call(name, args);
      if (reply.isError) {
        throw new Error(`${name}: ${reply.message}`);
      }
      return reply;
    };
    const inPage = await calls('page', callPage, kernelId);
    const overStdio = await calls('stdio', callStdio, kernelId);
    await echoFromPage(tab);
    const echo = await Echo.find(lab);
    opened.push(echo);
    const bases: Record<string, Timed> = {
      'echo  through the relay': () => echo.there(200),
      'page  kernel.requestExecute 1+1': () => requestExecute(panel, '1+1'),
      'page  notebook:run-cell 1+1': () => runCellCommand(tab, panel, 0)
    };
    const all = { ...inPage, ...overStdio, ...bases };
    const pair = (name: string, base: string) =>
      inPairs(
        [name, named(all, name)],
        [base, named(all, base)],
        rounds * PAIRS,
        settle
      );
    return {
      runCode: await pair(
        'page  run_code 1+1',
        'page  kernel.requestExecute 1+1'
      ),
      runCell: await pair('page  run_cell 1+1', 'page  notebook:run-cell 1+1'),
      overStdio: await pair('stdio get_context', 'echo  through the relay'),
      tools: await inTurn({ ...inPage, ...overStdio }, rounds, settle)
    };
  });
}

function named(things: Readonly<Record<string, Timed>>, name: string): Timed {
  const found = things[name];
  if (!found) {
    throw new Error(`nothing is called ${name}`);
  }
  return found;
}

/**
 * `get_context` beside the tool of that name of another extension, in one page
 * with the same documents open.
 *
 * @param folder - holds prebuilt extensions, each in a folder of its own.
 */
export async function measureBeside(
  browser: Browser,
  rounds: number,
  folder: string
): Promise<IComparison> {
  return withLab(
    browser,
    [`--LabApp.extra_labextensions_path=${folder}`],
    async ({ tab }) => {
      const panel = await tab.openNotebook(PATH);
      await kernelReady(panel);
      const other = await otherExtension(tab, 'get_context');
      const call = (extension?: string) => async () =>
        (await callInPage(tab, 'get_context', {}, extension)).ms;
      return inPairs(
        ['page  get_context', call()],
        [`page  get_context of ${other}`, call(other)],
        rounds * PAIRS,
        () => settled(tab)
      );
    }
  );
}
