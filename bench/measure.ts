import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { Agent } from '../test/e2e/support/agent';
import { Home, Lab } from '../test/e2e/support/lab';
import { cell, notebook } from '../test/e2e/support/notebooks';
import { startBrowser, Tab } from '../test/e2e/support/tab';
import { Echo } from './echo';
import {
  callInPage,
  CATCH_TOOLS,
  echoFromPage,
  kernelReady,
  requestExecute,
  runCellCommand
} from './page';
import { inTurn, type ISummary } from './statistics';

const PATH = 'bench.ipynb';
/** A kernel each that is busy for as long as the bench takes. */
const SLOW = { page: 'slow-page.ipynb', stdio: 'slow-stdio.ipynb' };

const CELLS = notebook(
  cell('one', '1+1'),
  cell('two', '1+1'),
  ...Array.from({ length: 30 }, (_, n) =>
    cell(`more-${n}`, `# ${n}\nvalue_${n} = ${n}`)
  )
);

type Call = (
  name: string,
  args: Record<string, unknown>
) => Promise<{ ms: number; data: Record<string, unknown> }>;

interface IBench {
  readonly lab: Lab;
  readonly tab: Tab;
  readonly home: Home;
}

/** A fresh server with one tab, in which the work is done. */
async function withLab<T>(
  browser: Browser,
  args: readonly string[],
  work: (bench: IBench) => Promise<T>
): Promise<T> {
  const home = await Home.make();
  await home.write(PATH, CELLS);
  const slow = notebook(cell('slow', 'import time\ntime.sleep(3600)'));
  await home.write(SLOW.page, slow);
  await home.write(SLOW.stdio, slow);
  const lab = await Lab.start(home, {
    args,
    settings: { executionTimeout: 5 }
  });
  try {
    const tab = await Tab.open(browser, lab, 'lab', CATCH_TOOLS);
    return await work({ lab, tab, home });
  } finally {
    await lab.stop();
    await home.remove();
  }
}

/** Every tool that can be called again and again, over one surface. */
async function calls(
  surface: 'page' | 'stdio',
  call: Call,
  kernelId: string
): Promise<Record<string, () => Promise<number>>> {
  const prefix = surface.padEnd(5);
  const notebookPath = PATH;
  const slow = await call('run_cell', {
    notebookPath: SLOW[surface],
    cellId: 'slow'
  });
  let added: Record<string, unknown> = {};
  const timed = (name: string, args: Record<string, unknown>) => async () =>
    (await call(name, args)).ms;
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

async function measureTools(
  browser: Browser,
  rounds: number
): Promise<ISummary[]> {
  return withLab(browser, [], async ({ lab, tab, home }) => {
    await tab.openNotebook(SLOW.page);
    await tab.openNotebook(SLOW.stdio);
    const panel = await tab.openNotebook(PATH);
    await kernelReady(panel);
    const agent = await Agent.in(home);
    await agent.untilConnected();
    await agent.call('run_cell', { notebookPath: PATH, cellId: 'one' });
    const kernelId = await panel.evaluate(
      panel => panel.sessionContext.session?.kernel?.id ?? ''
    );
    const inPage = await calls(
      'page',
      async (name, args) => {
        const { ms, result } = await callInPage(tab, name, args);
        return { ms, data: result };
      },
      kernelId
    );
    const overStdio = await calls(
      'stdio',
      async (name, args) => {
        const reply = await agent.call(name, args);
        if (reply.isError) {
          throw new Error(`${name}: ${reply.message}`);
        }
        return reply;
      },
      kernelId
    );
    await echoFromPage(tab);
    const echo = await Echo.find(lab);
    const summaries = await inTurn(
      {
        'echo  through the relay': () => echo.there(200),
        'page  kernel.requestExecute 1+1': () => requestExecute(panel, '1+1'),
        'page  notebook:run-cell 1+1': () => runCellCommand(tab, panel, 0),
        ...inPage,
        ...overStdio
      },
      rounds
    );
    echo.close();
    await agent.close();
    await tab.close();
    return summaries;
  });
}

/** JupyterLab's own runs with and without delay in the kernel's socket. */
async function measureSockets(
  browser: Browser,
  rounds: number,
  nodelay: boolean
): Promise<ISummary[]> {
  const words = nodelay ? 'off' : 'on ';
  return withLab(
    browser,
    [`--McpBridge.nodelay=${nodelay ? 'True' : 'False'}`],
    async ({ tab }) => {
      const panel = await tab.openNotebook(PATH);
      await kernelReady(panel);
      await runCellCommand(tab, panel, 0);
      const summaries = await inTurn(
        {
          [`Nagle ${words} kernel.requestExecute 1+1`]: () =>
            requestExecute(panel, '1+1'),
          [`Nagle ${words} notebook:run-cell 1+1`]: () =>
            runCellCommand(tab, panel, 0)
        },
        rounds
      );
      await tab.close();
      return summaries;
    }
  );
}

function print(summaries: readonly ISummary[]): void {
  const ms = (value: number) => value.toFixed(2).padStart(9);
  console.log(`${''.padEnd(40)}   median       p95  (ms)`);
  for (const { name, median, p95 } of summaries) {
    console.log(`${name.padEnd(40)}${ms(median)} ${ms(p95)}`);
  }
}

/** The comparisons that matter, each beside what it should not exceed. */
function compare(summaries: readonly ISummary[]): string[] {
  const median = (name: string) =>
    summaries.find(one => one.name === name)?.median ?? NaN;
  const ratio = (name: string, base: string, limit: number) =>
    `${name.trim()} / ${base.trim()} = ${(median(name) / median(base)).toFixed(2)} (at most ${limit})`;
  const more = median('stdio get_context') - median('echo  through the relay');
  return [
    ratio('page  run_cell 1+1', 'page  notebook:run-cell 1+1', 1.1),
    ratio('page  run_code 1+1', 'page  kernel.requestExecute 1+1', 1.1),
    `stdio get_context - echo through the relay = ${more.toFixed(2)} ms (at most 5)`,
    ratio(
      'Nagle off kernel.requestExecute 1+1',
      'Nagle on  kernel.requestExecute 1+1',
      1
    )
  ];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '60' },
      json: { type: 'string' }
    }
  });
  const rounds = Math.max(5, Number(values.runs) || 60);
  const browser = await startBrowser();
  try {
    const summaries = [
      ...(await measureTools(browser, rounds)),
      ...(await measureSockets(browser, rounds, false)),
      ...(await measureSockets(browser, rounds, true))
    ];
    print(summaries);
    const comparisons = compare(summaries);
    console.log(`\n${comparisons.join('\n')}`);
    if (values.json !== undefined) {
      writeFileSync(
        values.json,
        `${JSON.stringify({ summaries, comparisons }, null, 2)}\n`
      );
    }
  } finally {
    await browser.close();
  }
}

main().catch((reason: unknown) => {
  console.error(reason);
  process.exitCode = 1;
});
