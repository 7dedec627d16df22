import { readFileSync, writeFileSync } from 'fs';
import path from 'path';
import type { JupyterFrontEnd } from '@jupyterlab/application';
import { CommandRegistry } from '@lumino/commands';
import type { Token } from '@lumino/coreutils';
import commands from '../../src/generated/commands.json';
import plugins from '../../src/index';
import { IBridgePage } from '../../src/tokens';

const GOLDEN = path.join(__dirname, '../golden/plugins.json');

const described = plugins.map(plugin => ({
  id: plugin.id,
  description: plugin.description,
  autoStart: plugin.autoStart,
  provides: plugin.provides?.name ?? null,
  requires: (plugin.requires ?? []).map(({ name }) => name),
  optional: (plugin.optional ?? []).map(({ name }) => name)
}));

/** Waits for what activation has started. */
async function settle(): Promise<void> {
  for (let i = 0; i < 5; i++) {
    await new Promise(resolve => setTimeout(resolve, 0));
  }
}

/** Activates all plugins in a page that offers nothing but the core. */
async function activate(settings: Record<string, unknown> = {}) {
  const dial = jest.fn();
  const registry = new CommandRegistry();
  const app = {
    name: 'Bare',
    version: '0',
    commands: registry,
    restored: Promise.resolve(),
    shell: { widgets: () => [][Symbol.iterator]() },
    serviceManager: {
      serverSettings: {
        wsUrl: 'ws://localhost:1/',
        baseUrl: 'http://localhost:1/',
        token: '',
        appendToken: false,
        fetch: async () => new Response('', { status: 404 }),
        Request,
        init: {},
        WebSocket: class {
          constructor(url: string) {
            dial(url);
          }
          close(): void {
            // Never opened.
          }
        }
      }
    }
  } as unknown as JupyterFrontEnd;
  const settingRegistry = {
    transform: () => undefined,
    load: async () => ({
      composite: settings,
      changed: { connect: () => true }
    })
  };
  const provided = new Map<string, unknown>();
  const find = (token: Token<unknown>): unknown =>
    token.name.endsWith('ISettingRegistry')
      ? settingRegistry
      : (provided.get(token.name) ?? null);
  for (const plugin of plugins) {
    const services = [
      ...(plugin.requires ?? []),
      ...(plugin.optional ?? [])
    ].map(find);
    const value: unknown = await plugin.activate(app, ...services);
    if (plugin.provides) {
      provided.set(plugin.provides.name, value);
    }
  }
  await settle();
  return { registry, dial, page: provided.get(IBridgePage.name) };
}

describe('the plugins', () => {
  it('are those of test/golden/plugins.json (UPDATE_GOLDEN=1 writes it)', () => {
    if (process.env.UPDATE_GOLDEN) {
      writeFileSync(GOLDEN, `${JSON.stringify(described, null, 2)}\n`);
    }
    expect(described).toEqual(JSON.parse(readFileSync(GOLDEN, 'utf8')));
  });

  it('require nothing but each other: all else can be missing', () => {
    const own = new Set(described.map(({ provides }) => provides));
    for (const { requires } of described) {
      expect(requires.filter(name => !own.has(name))).toEqual([]);
    }
  });

  it('work in a page that offers nothing, and dial the relay once', async () => {
    const { registry, dial } = await activate();
    for (let i = 0; i < 100 && dial.mock.calls.length === 0; i++) {
      await settle();
    }
    expect(dial.mock.calls).toEqual([['ws://localhost:1/mcp-bridge/tab']]);
    expect(registry.listCommands().sort()).toEqual(
      commands.map(({ id }) => id).sort()
    );
  });

  it('dial nothing when the bridge is off', async () => {
    const { dial } = await activate({ bridge: false });
    expect(dial).not.toHaveBeenCalled();
  });

  it('know a password that was typed before the tools were loaded', async () => {
    const createEngine = jest.fn();
    jest.doMock('../../src/jupyter/engine', () => ({ createEngine }));
    const { page } = await activate({ bridge: false });
    const field = document.createElement('input');
    field.type = 'password';
    document.body.append(field);
    field.value = 'correcthorse';
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.remove();
    await (page as IBridgePage).loadEngine().catch(() => undefined);
    jest.dontMock('../../src/jupyter/engine');
    const [, { passwords }] = createEngine.mock.lastCall;
    expect(passwords.typed).toEqual(['correcthorse']);
  });

  it('register commands that say what they are and do nothing by themselves', async () => {
    const { registry } = await activate({ bridge: false });
    for (const { id, title } of commands) {
      expect(registry.label(id)).toBe(title);
      expect(registry.isVisible(id)).toBe(false);
      expect((await registry.describedBy(id)).args).toMatchObject({
        type: 'object'
      });
      await expect(registry.execute(id, {})).rejects.toThrow(
        'only as the tool'
      );
    }
  });
});
