import type { Browser } from 'playwright-core';
import { Agent } from './support/agent';
import { Home, Lab } from './support/lab';
import { cell, notebook } from './support/notebooks';
import { startBrowser, Tab } from './support/tab';

jest.setTimeout(60_000);

/** The daily work: the person looks on while the agent reads, edits and runs. */
describe('an agent at work in an open notebook', () => {
  const path = 'work.ipynb';
  let home: Home;
  let lab: Lab;
  let browser: Browser;
  let tab: Tab;
  let agent: Agent;

  beforeAll(async () => {
    home = await Home.make();
    await home.write(
      path,
      notebook(
        cell('intro', '# Hello', 'markdown'),
        cell('one', 'a = 1'),
        cell('two', 'a + 1')
      )
    );
    [lab, browser] = await Promise.all([
      Lab.start(home, { settings: { executionTimeout: 4 } }),
      startBrowser()
    ]);
    tab = await Tab.open(browser, lab);
    agent = await Agent.in(home);
    await agent.untilConnected();
    await tab.openNotebook(path);
  });

  afterAll(async () => {
    await agent?.close();
    await browser?.close();
    await lab?.stop();
    await home?.remove();
  });

  it('tells what is open', async () => {
    expect(await agent.call('get_context')).toHaveReply({
      isError: false,
      data: {
        untrusted: true,
        app: { name: 'JupyterLab' },
        widgets: expect.arrayContaining([
          expect.objectContaining({ path, dirty: false })
        ])
      }
    });
  });

  it('reads cells by id', async () => {
    const reply = await agent.call('read_notebook', {
      notebookPath: path,
      view: 'cells'
    });
    expect(reply).toHaveReply({
      isError: false,
      data: { notebookPath: path }
    });
    expect(reply.data.cells).toMatchObject([
      { cellId: 'intro', cellType: 'markdown', source: '# Hello' },
      { cellId: 'one', cellType: 'code', source: 'a = 1' },
      { cellId: 'two', cellType: 'code', source: 'a + 1' }
    ]);
  });

  it('runs cells and answers with their outputs', async () => {
    expect(
      await agent.call('run_cell', { notebookPath: path, cellId: 'one' })
    ).toHaveReply({ isError: false, data: { status: 'ok' } });
    expect(
      await agent.call('run_cell', { notebookPath: path, cellId: 'two' })
    ).toHaveReply({
      isError: false,
      data: {
        success: true,
        status: 'ok',
        outputs: [
          { output_type: 'execute_result', data: { 'text/plain': '2' } }
        ]
      }
    });
  });
});
