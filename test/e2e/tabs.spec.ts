import type { Browser } from 'playwright-core';
import { Agent } from './support/agent';
import { Home, Lab } from './support/lab';
import { cell, notebook } from './support/notebooks';
import { RelayClient } from './support/relayClient';
import { setSetting, statusOf } from './support/settings';
import { startBrowser, Tab } from './support/tab';

jest.setTimeout(90_000);

/** A name that is not localhost: over plain http its pages are no secure context. */
const INSECURE = 'jupyter.example';

describe.each([
  ['localhost', '127.0.0.1'],
  ['plain http, which is no secure context', INSECURE]
])('a tab on %s', (_name, host) => {
  let home: Home;
  let lab: Lab;
  let browser: Browser;
  let looker: RelayClient;
  let tab: Tab;

  beforeAll(async () => {
    home = await Home.make();
    await home.write('work.ipynb', notebook(cell('one', '40 + 2')));
    [lab, browser] = await Promise.all([
      Lab.start(home, { args: [`--ServerApp.local_hostnames=${INSECURE}`] }),
      startBrowser({
        args: [`--host-resolver-rules=MAP ${INSECURE} 127.0.0.1`]
      })
    ]);
    const context = await browser.newContext();
    tab = await Tab.openIn(context, lab, 'lab', host);
    looker = await RelayClient.open(lab);
  });

  afterAll(async () => {
    looker?.close();
    await browser?.close();
    await lab?.stop();
    await home?.remove();
  });

  it('is there, and is what it says', async () => {
    const secure = await tab.page.evaluate(() => window.isSecureContext);
    expect(secure).toBe(host !== INSECURE);
    const [state] = await looker.tabs(1);
    expect(state).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{8}$/),
      url: expect.stringContaining(`http://${host}:${lab.port}/lab`),
      root: expect.stringMatching(/work$/),
      notebooks: []
    });
  });

  it('keeps its id over a reload; a duplicate gets its own', async () => {
    const [{ id }] = await looker.tabs(1);
    await tab.page.reload();
    await tab.restored();
    const [again] = await looker.tabs(1);
    expect(again.id).toBe(id);
    // An opened window starts with a copy of the session storage.
    const [twin] = await Promise.all([
      tab.context.waitForEvent('page'),
      tab.page.evaluate(() => {
        window.open(location.href);
      })
    ]);
    const ids = (await looker.tabs(2)).map(state => state.id);
    expect(new Set(ids).size).toBe(2);
    expect(ids).toContain(id);
    await twin.close();
    expect((await looker.tabs(1))[0].id).toBe(id);
  });

  it('tells what is opened, changed and closed in it', async () => {
    const until = async (wanted: object) => {
      for (let i = 0; i < 100; i++) {
        const [state] = await looker.tabs(1);
        if (JSON.stringify(state.notebooks) === JSON.stringify(wanted)) {
          break;
        }
        await tab.page.waitForTimeout(50);
      }
      expect((await looker.tabs(1))[0].notebooks).toEqual(wanted);
    };
    await until([]);
    const panel = await tab.openNotebook('work.ipynb');
    await panel.evaluate(async panel => {
      // The kernel's start marks it as changed: that is over then.
      await panel.sessionContext.ready;
      await panel.sessionContext.session?.kernel?.info;
      await panel.context.save();
    });
    const told = { path: 'work.ipynb', dirty: false, shared: false };
    await until([told]);
    await panel.evaluate(panel => {
      panel.content.model?.cells.get(0).sharedModel.setSource('6 * 7');
    });
    await until([{ ...told, dirty: true }]);
    await panel.evaluate(async panel => {
      await panel.context.save();
      panel.dispose();
    });
    await until([]);
  });

  it('works for several agents at once, and hangs up when told to', async () => {
    const agents = await Promise.all([
      Agent.in(home, [], 'first'),
      Agent.in(home, [], 'second')
    ]);
    try {
      await Promise.all(agents.map(agent => agent.untilConnected()));
      const item = tab.page.locator('.jp-McpBridge-status');
      await item.filter({ hasText: 'MCP: 3 agents' }).waitFor();
      expect((await statusOf(tab)).detail).toMatch(
        /looker \(\d+\)\n.*(first|second)/
      );
      const args = { notebookPath: 'work.ipynb' };
      const replies = await Promise.all(
        agents.map(agent => agent.call('read_notebook', args))
      );
      for (const reply of replies) {
        expect(reply).toHaveReply({ isError: false, data: { success: true } });
      }
      await setSetting(tab, 'bridge', false);
      await item.filter({ hasText: 'MCP: off' }).waitFor();
      await looker.tabs(0);
      // The first can be on its way to the tab as that hangs up.
      await agents[0].call('get_context');
      expect(await agents[0].call('get_context')).toHaveReply({
        isError: true,
        code: 'operation_refused'
      });
      await setSetting(tab, 'bridge', true);
      await Promise.all(agents.map(agent => agent.untilConnected()));
    } finally {
      await Promise.all(agents.map(agent => agent.close()));
    }
    expect(tab.errors).toEqual([]);
  });
});
