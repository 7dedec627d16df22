import {
  type ISettingRegistry,
  SettingRegistry
} from '@jupyterlab/settingregistry';
import type { IDataConnector } from '@jupyterlab/statedb';
import { readFileSync } from 'fs';
import path from 'path';
import { DEFAULT_SETTINGS } from '../../src/calls/settings';
import { SettingsSource } from '../../src/jupyter/settings';

const ID = 'jupyterlab-mcp-bridge-extension:plugin';

type Connector = IDataConnector<
  ISettingRegistry.IPlugin,
  string,
  string,
  string
>;

/** JupyterLab's own registry over what a server would hold. */
async function follow(
  raw: string,
  overrides: Readonly<Record<string, unknown>> = {}
) {
  const stored = { raw };
  const fetch = async (): Promise<ISettingRegistry.IPlugin> => {
    const schema = JSON.parse(
      readFileSync(path.join(__dirname, '../../schema/plugin.json'), 'utf8')
    );
    // As the server applies overrides.json: without a look at the values.
    for (const [name, value] of Object.entries(overrides)) {
      schema.properties[name] = { ...schema.properties[name], default: value };
    }
    return {
      id: ID,
      schema,
      raw: stored.raw,
      data: { composite: {}, user: {} },
      version: '1'
    };
  };
  const connector: Connector = {
    fetch,
    list: async () => ({ ids: [ID], values: [await fetch()] }),
    remove: async () => undefined,
    save: async (_id, text) => {
      stored.raw = text;
    }
  };
  const registry = new SettingRegistry({
    connector,
    plugins: [await fetch()]
  });
  const source = new SettingsSource();
  const changed = jest.fn();
  source.changed.connect(changed);
  await source.load(registry, ID);
  return { source, registry, stored, changed };
}

const faulty = (source: SettingsSource) =>
  source.faults.map(({ name }) => name);

let warn: jest.SpyInstance;
beforeEach(() => {
  warn = jest.spyOn(console, 'warn').mockImplementation();
  jest.spyOn(console, 'error').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

describe('SettingsSource', () => {
  it('takes valid settings as they are, comments and all', async () => {
    const raw = '{ /* mine */ "readOnly": true, maxResultLength: 5000, }';
    const { source, stored } = await follow(raw, { readCap: 5000 });
    expect(source.current).toEqual({
      ...DEFAULT_SETTINGS,
      readOnly: true,
      maxResultLength: 5000,
      readCap: 5000
    });
    expect(source.faults).toEqual([]);
    expect(stored.raw).toBe(raw);
    expect(warn).not.toHaveBeenCalled();
  });

  it.each([
    ['the person’s own', true],
    ['a deployment’s', false]
  ])('keeps every other of %s settings when one is invalid', async (_, own) => {
    const values = {
      readOnly: true,
      executionTimeout: 100,
      disabledTools: ['read_file'],
      tools: [{ name: 'Bad-Name', description: 'x', command: 'a:b' }]
    };
    const { source } = own
      ? await follow(JSON.stringify(values))
      : await follow('{}', values);
    expect(source.current).toEqual({
      ...DEFAULT_SETTINGS,
      readOnly: true,
      executionTimeout: 45,
      disabledTools: ['read_file']
    });
    expect(source.faults).toEqual([
      { name: 'executionTimeout', held: 45 },
      { name: 'tools', held: [] }
    ]);
  });

  it('lets a deployment’s number hold where the person’s own is none', async () => {
    const numbers = {
      executionTimeout: 5,
      maxResultLength: 2000,
      readCap: 5000,
      imageCap: 2048
    };
    const { source } = await follow(
      JSON.stringify({
        ...numbers,
        executionTimeout: '60',
        readCap: null,
        maxResultLength: [],
        imageCap: 'big'
      }),
      numbers
    );
    expect(source.current).toEqual({ ...DEFAULT_SETTINGS, ...numbers });
    expect(faulty(source).sort()).toEqual(Object.keys(numbers).sort());
  });

  it('names a setting that there is none of', async () => {
    const { source } = await follow('{"readonly": true, "readOnly": true}', {
      bridg: false
    });
    expect(source.current).toEqual({ ...DEFAULT_SETTINGS, readOnly: true });
    expect(source.faults).toEqual([{ name: 'readonly' }, { name: 'bridg' }]);
  });

  it('stays in JupyterLab’s settings, where the person can correct it', async () => {
    const { source, registry } = await follow(
      '{"executionTimeout": 100, "readOnly": "yes"}'
    );
    expect(faulty(source)).toEqual(['executionTimeout', 'readOnly']);
    await registry.set(ID, 'executionTimeout', 10);
    expect(source.current).toMatchObject({
      readOnly: true,
      executionTimeout: 10
    });
    expect(faulty(source)).toEqual([]);
  });

  it('takes up an invalid setting that comes while it runs', async () => {
    const { source, registry, stored, changed } = await follow('{}');
    changed.mockClear();
    stored.raw = '{"readOnly": 1, "readCap": 5000}';
    await registry.reload(ID);
    expect(source.current).toMatchObject({ readOnly: true, readCap: 5000 });
    expect(faulty(source)).toEqual(['readOnly']);
    expect(changed).toHaveBeenCalledTimes(1);
    stored.raw = '{"readOnly": true, "readCap": 5000}';
    await registry.reload(ID);
    // The same settings hold, and nothing is wrong with them any more.
    expect(faulty(source)).toEqual([]);
    expect(changed).toHaveBeenCalledTimes(2);
  });

  it.each(['{"readOnly": true', '[]', '"x"', 'null'])(
    'lets nothing be written or run when %j is all there is to read',
    async raw => {
      const { source } = await follow(raw, { readCap: 5000 });
      expect(source.current).toEqual({
        ...DEFAULT_SETTINGS,
        readOnly: true,
        readCap: 5000
      });
      expect(source.faults).toEqual([{ name: null }]);
    }
  );

  it('does so as well where there is no registry or it fails', async () => {
    const source = new SettingsSource();
    await source.load(null, ID);
    expect(source.current).toEqual({ ...DEFAULT_SETTINGS, readOnly: true });
    expect(source.faults).toEqual([{ name: null }]);
    const other = new SettingsSource();
    const failing: Connector = {
      fetch: async () => Promise.reject(new Error('500')),
      list: async () => Promise.reject(new Error('500')),
      remove: async () => undefined,
      save: async () => undefined
    };
    await other.load(new SettingRegistry({ connector: failing }), ID);
    expect(other.current).toEqual({ ...DEFAULT_SETTINGS, readOnly: true });
    expect(other.faults).toEqual([{ name: null }]);
  });
});
