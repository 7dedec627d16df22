import type { Browser } from 'playwright-core';
import { Agent } from './support/agent';
import { Home, Lab } from './support/lab';
import { cell, notebook } from './support/notebooks';
import { startBrowser, Tab } from './support/tab';
import { pause } from './support/processes';

jest.setTimeout(120_000);

/** One client connection outlives everything that it works with. */
describe('a client that was there first', () => {
  const path = 'life.ipynb';
  let home: Home;
  let agent: Agent;
  let browser: Browser;
  let lab: Lab | undefined;
  let tab: Tab | undefined;
  let startedMs = 0;

  beforeAll(async () => {
    home = await Home.make();
    await home.write(
      path,
      notebook(cell('one', 'x = 41'), cell('two', 'x + 1'))
    );
    browser = await startBrowser();
    const began = performance.now();
    agent = await Agent.in(home);
    await agent.client.listTools();
    startedMs = performance.now() - began;
  });

  afterAll(async () => {
    await agent?.close();
    await browser?.close();
    await lab?.stop();
    await home?.remove();
  });

  const runTwo = async () => {
    await agent.call('run_cell', { notebookPath: path, cellId: 'one' });
    return agent.call('run_cell', { notebookPath: path, cellId: 'two' });
  };
  const answers42 = {
    isError: false,
    data: { status: 'ok', outputs: [{ data: { 'text/plain': '42' } }] }
  };

  it('is greeted and lists the tools before any Jupyter runs', async () => {
    expect(startedMs).toBeLessThan(5000);
    const { tools } = await agent.client.listTools();
    const names = tools.map(tool => tool.name);
    expect(names).toEqual(
      expect.arrayContaining([
        'get_context',
        'read_notebook',
        'add_cell',
        'edit_cell',
        'run_cell',
        'wait_for_result'
      ])
    );
    expect(agent.client.getInstructions()?.length).toBeLessThanOrEqual(1500);
  });

  it('is told to start Jupyter', async () => {
    expect(await agent.call('get_context')).toHaveReply({
      isError: true,
      code: 'operation_refused',
      structured: { retryable: false, auditId: null },
      message: expect.stringMatching(/jupyter/i)
    });
  });

  it('is told to open a tab, once a server runs', async () => {
    lab = await Lab.start(home);
    let reply = await agent.call('get_context');
    for (
      let tries = 0;
      tries < 50 && !reply.message.includes(lab.url);
      tries++
    ) {
      await pause(200);
      reply = await agent.call('get_context');
    }
    expect(reply).toHaveReply({
      isError: true,
      code: 'operation_refused',
      message: expect.stringContaining(`${lab.url}lab`)
    });
  });

  it('works as soon as the tab is there', async () => {
    if (!lab) {
      throw new Error('no server');
    }
    tab = await Tab.open(browser, lab);
    await tab.openNotebook(path);
    await agent.untilConnected();
    expect(await runTwo()).toHaveReply(answers42);
  });

  it('works on after the tab was loaded again', async () => {
    await tab?.reload();
    await agent.untilConnected();
    expect(await runTwo()).toHaveReply(answers42);
  });

  it('refuses while the server is away, and works when it is back', async () => {
    await lab?.stop();
    expect(await agent.call('get_context')).toHaveReply({
      isError: true,
      code: 'operation_refused'
    });
    await lab?.start();
    await agent.untilConnected(60_000);
    expect(await agent.call('get_context')).toHaveReply({ isError: false });
  });

  it('works on in another tab when the first is closed', async () => {
    await tab?.close();
    if (!lab) {
      throw new Error('no server');
    }
    tab = await Tab.open(browser, lab);
    await agent.untilConnected();
    await tab.openNotebook(path);
    expect(await runTwo()).toHaveReply(answers42);
  });
});
