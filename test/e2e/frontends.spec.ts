import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { IReply } from './support/agent';
import { Home } from './support/lab';
import { Lite } from './support/lite';
import { cell, notebook } from './support/notebooks';
import { NOTEBOOK7 } from './support/onTop';
import { pause, ROOT } from './support/processes';
import { useSession } from './support/session';
import { statusOf } from './support/settings';
import { startBrowser, Tab } from './support/tab';
import { PageAgent, WEBMCP } from './support/webmcp';

jest.setTimeout(60_000);

const golden: { tools: { name: string }[] } = JSON.parse(
  readFileSync(join(ROOT, 'test', 'golden', 'tools.json'), 'utf8')
);
const NAMES = golden.tools.map(({ name }) => name).sort();

const ONE = 'one.ipynb';

/** The frontends beside JupyterLab (contract: The pieces, Frontends). */
describe('Notebook 7', () => {
  const TWO = 'two.ipynb';
  const session = useSession(
    {
      [ONE]: notebook(cell('a', '1 + 1')),
      [TWO]: notebook(cell('b', 'x = 2\nx + 2'))
    },
    { ...NOTEBOOK7, browser: WEBMCP, page: `notebooks/${ONE}` }
  );

  const run = (notebookPath: string, cellId: string): Promise<IReply> =>
    session.agent.call('run_cell', { notebookPath, cellId });

  it('offers the same tools to agents in the browser', async () => {
    const page = new PageAgent(session.tab.page);
    expect(await page.until(names => names.length >= NAMES.length)).toEqual(
      NAMES
    );
  });

  it('tells what it is and runs, adds and saves in its notebook', async () => {
    const { data } = await session.agent.call('get_context');
    expect(data.app).toEqual({
      name: 'Jupyter Notebook',
      version: expect.stringMatching(/^7\.6\./)
    });
    expect(await run(ONE, 'a')).toHaveReply({
      data: { status: 'ok', outputs: [{ data: { 'text/plain': '2' } }] }
    });
    const added = { notebookPath: ONE, content: 'seen = True' };
    expect((await session.agent.call('add_cell', added)).isError).toBe(false);
    expect(await session.tab.sources(ONE)).toEqual(['1 + 1', 'seen = True']);
    expect(
      await session.agent.call('save_notebook', { notebookPath: ONE })
    ).toHaveReply({ data: { saved: true } });
    expect(await readFile(join(session.home.root, ONE), 'utf8')).toContain(
      'seen = True'
    );
  });

  it('reads another notebook from its file, and asks for a tab of its own to run it', async () => {
    expect(
      await session.agent.call('read_notebook', { notebookPath: TWO })
    ).toHaveReply({ data: { open: false, cellCount: 1 } });
    expect(await run(TWO, 'b')).toHaveReply({
      code: 'operation_refused',
      message: expect.stringContaining('open it in a browser tab of its own')
    });
    expect(session.tab.context.pages()).toHaveLength(1);
  });

  it('is told apart from the other tab that has the other notebook', async () => {
    const other = await Tab.openIn(
      session.tab.context,
      session.lab,
      `notebooks/${TWO}`
    );
    const end = Date.now() + 15_000;
    let reply = await run(TWO, 'b');
    while (reply.isError && Date.now() < end) {
      // The bridge hears of the tab a moment after its page is there.
      await pause(100);
      reply = await run(TWO, 'b');
    }
    expect(reply).toHaveReply({
      data: { status: 'ok', outputs: [{ data: { 'text/plain': '4' } }] }
    });
    expect(await run(ONE, 'a')).toHaveReply({ data: { status: 'ok' } });
    const panel = await other.panel(TWO);
    expect(await panel.evaluate(({ context }) => context.model.dirty)).toBe(
      true
    );
  });
});

describe('JupyterLite', () => {
  let home: Home;
  let lite: Lite;
  let browser: Browser;
  let tab: Tab;
  let page: PageAgent;

  beforeAll(async () => {
    home = await Home.make();
    await home.write(
      ONE,
      notebook(cell('sum', '1 + 1'), cell('bad', 'throw new Error("no")'))
    );
    await home.write('notes.txt', 'one\n');
    [lite, browser] = await Promise.all([
      Lite.start(home),
      startBrowser({ args: WEBMCP })
    ]);
    tab = await Tab.open(browser, { ...lite, token: '' }, 'lab/index.html');
    page = new PageAgent(tab.page);
    await page.until(names => names.length >= NAMES.length);
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    await lite?.stop();
    await home?.remove();
  });

  it('offers the same tools, without a server', async () => {
    expect(await page.names()).toEqual(NAMES);
    expect(await page.call('get_context')).toMatchObject({
      app: { name: 'JupyterLite', version: expect.stringMatching(/^0\.8\./) }
    });
    expect(await statusOf(tab)).toMatchObject({ text: 'MCP: no relay' });
    expect(lite.log).not.toContain('mcp-bridge/');
  });

  it('runs cells and tells errors', async () => {
    const kernel = { notebookPath: ONE, kernelName: 'javascript' };
    expect(await page.call('change_kernel', kernel)).toMatchObject({
      success: true
    });
    const run = (cellId: string) =>
      page.call('run_cell', { notebookPath: ONE, cellId });
    expect(await run('sum')).toMatchObject({
      success: true,
      outputs: [{ data: { 'text/plain': '2' } }]
    });
    expect(await run('bad')).toMatchObject({
      success: false,
      isError: true,
      errorName: 'Error',
      errorValue: 'no'
    });
  });

  it('edits notebooks and files and keeps them', async () => {
    const added = { notebookPath: ONE, content: 'const seen = true;' };
    expect(await page.call('add_cell', added)).toMatchObject({ success: true });
    await page.call('save_notebook', { notebookPath: ONE });
    const notes = { filePath: 'notes.txt' };
    const { revision } = await page.call('read_file', notes);
    const replacements = [{ old: 'one', new: 'two' }];
    expect(
      await page.call('write_file', { ...notes, replacements, revision })
    ).toMatchObject({ success: true, replaced: 'one\n' });
    await tab.page.reload();
    await tab.restored();
    await page.until(names => names.length >= NAMES.length);
    expect(await page.call('read_file', notes)).toMatchObject({
      content: 'two\n'
    });
    const { cells } = await page.call('read_notebook', { notebookPath: ONE });
    expect(cells).toMatchObject([
      { cellId: 'sum' },
      { cellId: 'bad' },
      { source: 'const seen = true;' }
    ]);
  });
});
