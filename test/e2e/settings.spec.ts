import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { Agent } from './support/agent';
import { Home, Lab } from './support/lab';
import { statusOf } from './support/settings';
import { startBrowser, Tab } from './support/tab';

jest.setTimeout(120_000);

/** Where Jupyter keeps what the person set for a plugin. */
const USER_SETTINGS = '.jupyter/lab/user-settings';

async function userSettings(home: Home, plugin: string, text: string) {
  const [folder, file] = plugin.split(':');
  const path = join(
    home.path,
    USER_SETTINGS,
    folder,
    `${file}.jupyterlab-settings`
  );
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

describe('Settings that are not valid', () => {
  let browser: Browser;
  let home: Home;
  let lab: Lab;
  let agent: Agent;

  beforeAll(async () => {
    [browser, home] = await Promise.all([startBrowser(), Home.make()]);
    await userSettings(
      home,
      'jupyterlab-mcp-bridge-extension:plugin',
      '{ /* mine */ "readOnly": true, "executionTimeout": "x" }'
    );
    lab = await Lab.start(home, {
      settings: { readCap: 10, disabledTools: ['list_directory'] }
    });
    agent = await Agent.in(home);
  });

  afterAll(async () => {
    await agent?.close();
    await lab?.stop();
    await browser?.close();
    await home?.remove();
  });

  it('leave the others in force, and the person is told', async () => {
    const tab = await Tab.open(browser, lab);
    await agent.untilConnected();
    const { tools } = await agent.client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toContain('get_context');
    expect(names).not.toContain('run_code');
    expect(names).not.toContain('list_directory');
    const { text, detail } = await statusOf(tab);
    expect(text).toContain('problem');
    expect(detail).toMatch(/“executionTimeout” is not valid.* 20\./);
    expect(detail).toMatch(/“readCap” is not valid.* 4000\./);
    // JupyterLab's own form shows what holds, so that it can be put right.
    const app = await tab.app();
    await app.evaluate(app =>
      app.commands.execute('settingeditor:open', { query: 'MCP Bridge' })
    );
    const field = (name: string) =>
      tab.page.locator(`.jp-SettingsPanel input[id$="plugin_${name}"]`);
    await field('executionTimeout').waitFor();
    expect(await field('executionTimeout').inputValue()).toBe('20');
    expect(await field('readOnly').isChecked()).toBe(true);
    await tab.page.context().close();
  });
});
