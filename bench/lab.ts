import type { Browser } from 'playwright-core';
import { Home, Lab } from '../test/e2e/support/lab';
import { cell, notebook } from '../test/e2e/support/notebooks';
import { Tab } from '../test/e2e/support/tab';
import { CATCH_TOOLS } from './page';

export const PATH = 'bench.ipynb';
/** A kernel each that is busy for as long as the bench takes. */
export const SLOW = { page: 'slow-page.ipynb', stdio: 'slow-stdio.ipynb' };

const CELLS = notebook(
  cell('one', '1+1'),
  cell('two', '1+1'),
  ...Array.from({ length: 30 }, (_, n) =>
    cell(`more-${n}`, `# ${n}\nvalue_${n} = ${n}`)
  )
);

export interface IBench {
  readonly lab: Lab;
  readonly tab: Tab;
  readonly home: Home;
  /** Closed when the work has ended, however it did. */
  readonly opened: { close(): unknown }[];
}

/** A fresh server with one tab, in which the work is done. */
export async function withLab<T>(
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
  const opened: IBench['opened'] = [];
  try {
    const tab = await Tab.open(browser, lab, 'lab', CATCH_TOOLS);
    opened.push(tab);
    return await work({ lab, tab, home, opened });
  } finally {
    for (const each of opened.reverse()) {
      await each.close();
    }
    await lab.stop();
    await home.remove();
  }
}
