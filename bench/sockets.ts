import type { NotebookPanel } from '@jupyterlab/notebook';
import type { Browser, JSHandle } from 'playwright-core';
import type { Tab } from '../test/e2e/support/tab';
import { PATH, withLab } from './lab';
import { kernelReady, requestExecute, runCellCommand, settled } from './page';
import { inPairs, type IComparison, type Timed } from './statistics';

interface IPlace {
  readonly tab: Tab;
  readonly panel: JSHandle<NotebookPanel>;
}

/** What JupyterLab does by itself; each by its name. */
const RUNS: readonly (readonly [string, (place: IPlace) => Promise<number>])[] =
  [
    ['kernel.requestExecute 1+1', ({ panel }) => requestExecute(panel, '1+1')],
    ['notebook:run-cell 1+1', ({ tab, panel }) => runCellCommand(tab, panel, 0)]
  ];

/**
 * JupyterLab's own runs without and with delay in the kernel's socket: two
 * servers, a page each, in turn.
 */
export async function measureSockets(
  browser: Browser,
  rounds: number
): Promise<IComparison[]> {
  return withSocket(browser, true, off =>
    withSocket(browser, false, async on => {
      const compared: IComparison[] = [];
      for (const [name, run] of RUNS) {
        const place = (words: string, where: IPlace): [string, Timed] => [
          `Nagle ${words} ${name}`,
          () => run(where)
        ];
        compared.push(
          await inPairs(place('off', off), place('on ', on), rounds, () =>
            settled(off.tab, on.tab)
          )
        );
      }
      return compared;
    })
  );
}

function withSocket<T>(
  browser: Browser,
  nodelay: boolean,
  work: (place: IPlace) => Promise<T>
): Promise<T> {
  return withLab(
    browser,
    [`--McpBridge.nodelay=${nodelay ? 'True' : 'False'}`],
    async ({ tab }) => {
      const panel = await tab.openNotebook(PATH);
      await kernelReady(panel);
      await runCellCommand(tab, panel, 0);
      return work({ tab, panel });
    }
  );
}
