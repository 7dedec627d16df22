import { readFileSync } from 'fs';
import path from 'path';
import type { Browser } from 'playwright-core';
import { Agent } from './support/agent';
import { Home, Lab } from './support/lab';
import { cell, notebook } from './support/notebooks';
import { setSetting, statusOf } from './support/settings';
import { startBrowser, Tab } from './support/tab';
import { PageAgent, WEBMCP } from './support/webmcp';

jest.setTimeout(60_000);

const golden: { tools: { name: string; description: string }[] } = JSON.parse(
  readFileSync(path.join(__dirname, '../golden/tools.json'), 'utf8')
);

/** The same tools for an agent in the browser (contract: Results on the WebMCP surface). */
describe('an agent in the browser', () => {
  const notebookPath = 'work.ipynb';
  let home: Home;
  let lab: Lab;
  let browser: Browser;
  let tab: Tab;
  let page: PageAgent;

  beforeAll(async () => {
    home = await Home.make();
    await home.write(
      notebookPath,
      notebook(
        cell('one', 'a = 1'),
        cell('bad', '1 / 0'),
        cell('loud', 'print("x" * 100_000)')
      )
    );
    [lab, browser] = await Promise.all([
      Lab.start(home),
      startBrowser({ args: WEBMCP })
    ]);
    tab = await Tab.open(browser, lab);
    page = new PageAgent(tab.page);
    await tab.openNotebook(notebookPath);
    await page.until(names => names.length >= golden.tools.length);
  });

  afterAll(async () => {
    await browser?.close();
    await lab?.stop();
    await home?.remove();
  });

  it('finds every tool, in the same words', async () => {
    const tools = await page.tools();
    expect(
      tools
        .map(({ name, description }) => ({ name, description }))
        .sort((a, b) => (a.name < b.name ? -1 : 1))
    ).toEqual(
      golden.tools.map(({ name, description }) => ({ name, description }))
    );
    expect(tools.find(({ name }) => name === 'run_cell')?.annotations).toEqual(
      expect.objectContaining({
        readOnlyHint: false,
        untrustedContentHint: true,
        consequentialHint: true
      })
    );
  });

  it('is answered with R’s object, an error included', async () => {
    expect(await page.call('run_cell', { notebook: 'x' })).toEqual({
      success: false,
      error: expect.stringMatching(/^Unknown argument "notebook"\. Accepted/),
      isError: true
    });
    expect(
      await page.call('read_cell', { notebookPath, cellId: 'no' })
    ).toEqual({
      success: false,
      error: expect.stringContaining('one, bad, loud'),
      isError: true
    });
  });

  it('needs no revision, and may give one', async () => {
    const edited = await page.call('edit_cell', {
      notebookPath,
      cellId: 'one',
      content: 'a = 2'
    });
    expect(edited).toMatchObject({ success: true, cellId: 'one' });
    expect((await tab.sources(notebookPath))[0]).toBe('a = 2');
    expect(
      await page.call('edit_cell', {
        notebookPath,
        cellId: 'one',
        content: 'a = 3',
        revision: '0'.repeat(16)
      })
    ).toMatchObject({ success: false, isError: true });
  });

  it('gets long results shortened within the limit, and reads on', async () => {
    const result = await page.call('run_cell', {
      notebookPath,
      cellId: 'loud'
    });
    expect(result).toMatchObject({
      success: true,
      truncated: true,
      truncation: [{ path: 'outputs[0].text', omittedCharacters: 80001 }]
    });
    expect(JSON.stringify(result).length).toBeLessThanOrEqual(40000);
    const part = await page.call('read_result', {
      resultId: result.resultId,
      field: 'outputs[0].text',
      range: { offset: 50_000, length: 10 }
    });
    expect(JSON.stringify(part)).toContain('x'.repeat(10));
  });

  it('gets the same object as over MCP', async () => {
    const agent = await Agent.in(home);
    try {
      await agent.untilConnected();
      for (const [name, args] of [
        ['read_notebook', { notebookPath }],
        ['read_cell', { notebookPath, cellId: 'bad' }],
        ['list_all_commands', { query: 'restart kernel' }],
        ['get_context', {}]
      ] as const) {
        const { untrusted, ...data } = (await agent.call(name, args)).data;
        expect(untrusted).toBe(true);
        expect(await page.call(name, args)).toEqual(data);
      }
      const args = { notebookPath, cellId: 'bad' };
      const raised = await page.call('run_cell', args);
      expect(raised).toMatchObject({
        success: false,
        errorName: 'ZeroDivisionError',
        isError: true
      });
      const reply = await agent.call('run_cell', args);
      expect(reply).toHaveReply({ isError: true });
      const changing = { executionCount: null, traceback: null, outputs: null };
      expect({ ...reply.data, ...changing }).toEqual({
        untrusted: true,
        ...raised,
        ...changing
      });
    } finally {
      await agent.close();
    }
  });

  it('gives up in the middle of a run and can still have the result (b43)', async () => {
    const first = await page.call('run_cell', { notebookPath, cellId: 'one' });
    expect(first).toMatchObject({ success: true });
    const context = await page.call('get_context');
    const [{ id: kernelId }] = context.kernels as { id: string }[];
    expect(
      await page.callAndAbort(
        'run_code',
        { kernelId, code: 'import time; time.sleep(1.5); print("all there")' },
        300
      )
    ).toBe('given up');
    const { pending } = await page.call('get_context');
    expect(pending).toEqual([
      expect.objectContaining({
        tool: 'run_code',
        pendingId: expect.anything()
      })
    ]);
    const [{ pendingId }] = pending as { pendingId: string }[];
    expect(await page.call('wait_for_result', { pendingId })).toMatchObject({
      success: true,
      outputs: [{ text: 'all there\n' }]
    });
    expect((await page.call('get_context')).pending).toEqual([]);
  });

  it('sees tools come and go with the settings', async () => {
    const all = golden.tools.map(({ name }) => name);
    await setSetting(tab, 'disabledTools', ['run_code']);
    expect(await page.until(names => !names.includes('run_code'))).toEqual(
      all.filter(name => name !== 'run_code')
    );
    await setSetting(tab, 'tools', [
      {
        name: 'save_all',
        description: 'Saves every document.',
        command: 'docmanager:save-all'
      },
      { name: 'no_such', description: 'Nothing.', command: 'no:such-command' }
    ]);
    expect(await page.until(names => names.includes('save_all'))).not.toContain(
      'no_such'
    );
    expect(await page.call('save_all')).toMatchObject({ success: true });
    await setSetting(tab, 'webmcp', 'read');
    expect(await page.until(names => !names.includes('run_cell'))).toContain(
      'read_cell'
    );
    await setSetting(tab, 'webmcp', 'off');
    expect(await page.until(names => names.length === 0)).toEqual([]);
    await setSetting(tab, 'tools', []);
    await setSetting(tab, 'disabledTools', []);
    await setSetting(tab, 'webmcp', 'all');
    expect(await page.until(names => names.length === all.length)).toEqual(all);
  });

  it('is not offered a tool whose name is taken, and the person is told', async () => {
    const context = await browser.newContext();
    await context.addInitScript(() => {
      const api: { registerTool(tool: object): Promise<void> } = Reflect.get(
        document,
        'modelContext'
      );
      void api.registerTool({
        name: 'run_code',
        description: 'Of another extension.',
        inputSchema: { type: 'object', properties: {} },
        execute: async () => ({ mine: true })
      });
    });
    const other = await Tab.openIn(context, lab);
    try {
      const agent = new PageAgent(other.page);
      await agent.until(names => names.length >= golden.tools.length);
      expect(await agent.call('run_code')).toEqual({ mine: true });
      await other.page
        .locator('.jp-McpBridge-status', { hasText: '1 problem' })
        .waitFor();
      expect((await statusOf(other)).detail).toMatch(/names.*run_code/);
    } finally {
      await context.close();
    }
  });
});

it('registers nothing and works all the same without the API', async () => {
  const home = await Home.make();
  const [lab, browser] = await Promise.all([Lab.start(home), startBrowser()]);
  const agent = await Agent.in(home);
  try {
    const tab = await Tab.open(browser, lab);
    expect(await tab.page.evaluate(() => 'modelContext' in document)).toBe(
      false
    );
    await agent.untilConnected();
    expect(tab.errors).toEqual([]);
    expect((await statusOf(tab)).text).toBe('MCP: e2e');
  } finally {
    await agent.close();
    await browser.close();
    await lab.stop();
    await home.remove();
  }
});
