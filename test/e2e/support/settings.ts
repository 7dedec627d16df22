import type { ISettingRegistry } from '@jupyterlab/settingregistry';
import type { Token } from '@lumino/coreutils';
import type { Tab } from './tab';

const PLUGIN = 'jupyterlab-mcp-bridge-extension:plugin';

/** Changes a setting of the extension, as the Settings Editor does. */
export async function setSetting(
  tab: Tab,
  name: string,
  value: string | number | boolean | object
): Promise<void> {
  const app = await tab.app();
  await app.evaluate(
    async (app, [plugin, name, value]) => {
      // The registry has no name in the page: only its token's is known.
      const services: Map<Token<unknown>, unknown> = Reflect.get(
        Reflect.get(app, 'pluginRegistry'),
        '_services'
      );
      const token = [...services.keys()].find(({ name }) =>
        name.endsWith(':ISettingRegistry')
      );
      if (!token) {
        throw new Error('There is no setting registry');
      }
      const registry = (await app.resolveRequiredService(
        token
      )) as ISettingRegistry;
      await registry.set(plugin, name, JSON.parse(value));
    },
    [PLUGIN, name, JSON.stringify(value)] as const
  );
}

/** What the status bar item says, and its tooltip. */
export async function statusOf(
  tab: Tab
): Promise<{ text: string; detail: string }> {
  const item = tab.page.locator('.jp-McpBridge-status');
  return {
    text: (await item.textContent()) ?? '',
    detail: (await item.getAttribute('title')) ?? ''
  };
}
