import { readFileSync } from 'fs';
import path from 'path';
import { DEFAULT_SETTINGS } from '../../../src/calls/settings';
import { readSettings } from '../../../src/jupyter/readSettings';

const schema: {
  properties: Record<string, { description?: string; default?: unknown }>;
} = JSON.parse(
  readFileSync(path.join(__dirname, '../../../schema/plugin.json'), 'utf8')
);

describe('schema/plugin.json', () => {
  it('holds every setting, with its meaning and the same default', () => {
    const defaults = Object.fromEntries(
      Object.entries(schema.properties).map(([name, each]) => [
        name,
        each.default
      ])
    );
    expect(defaults).toEqual(DEFAULT_SETTINGS);
    for (const each of Object.values(schema.properties)) {
      expect(each.description).toMatch(/\w{3}/);
    }
  });
});

const settingsOf = (raw: Record<string, unknown>) => readSettings(raw).settings;
const namesOf = (raw: Record<string, unknown>) =>
  readSettings(raw).faults.map(({ name }) => name);

describe('readSettings()', () => {
  it('takes defaults for what is missing', () => {
    expect(readSettings({})).toEqual({
      settings: DEFAULT_SETTINGS,
      faults: []
    });
  });

  it('lets what is invalid restrict, and names each', () => {
    const raw = {
      executionTimeout: '20',
      maxResultLength: NaN,
      readCap: null,
      imageCap: {},
      toolsets: 'files',
      disabledTools: { 0: 'run_code' },
      blockedCommands: null,
      tools: 'none',
      readOnly: 'no',
      bridge: 1,
      webmcp: 'some',
      postMessageOrigins: {}
    };
    const { settings, faults } = readSettings(raw);
    expect(settings).toEqual({
      ...DEFAULT_SETTINGS,
      disabledTools: ['*'],
      blockedCommands: ['*'],
      readOnly: true,
      bridge: false,
      webmcp: 'off'
    });
    expect(faults.map(({ name }) => name)).toEqual(Object.keys(raw));
  });

  it.each(['disabledTools', 'blockedCommands'])(
    'takes every name for forbidden when one in %s is none',
    name => {
      expect(settingsOf({ [name]: ['run_code', 3] })).toMatchObject({
        [name]: ['*']
      });
    }
  );

  it('leaves out what is invalid in a list that grants', () => {
    const raw = { toolsets: ['files', null, 3] };
    expect(settingsOf(raw).toolsets).toEqual(['files']);
    expect(namesOf(raw)).toEqual(['toolsets']);
  });

  it('brings numbers into their range, and says so', () => {
    const low = {
      executionTimeout: -5,
      maxResultLength: 0,
      readCap: 1,
      imageCap: -1
    };
    expect(settingsOf(low)).toMatchObject({
      executionTimeout: 1,
      maxResultLength: 1000,
      readCap: 4000,
      imageCap: 1024
    });
    expect(namesOf(low)).toEqual(Object.keys(low));
    const high = { executionTimeout: Infinity, readCap: 5000.5 };
    expect(settingsOf(high)).toMatchObject({
      executionTimeout: 45,
      readCap: 5000
    });
    expect(namesOf(high)).toEqual(Object.keys(high));
  });

  it('names a setting that there is none of', () => {
    expect(readSettings({ readonly: true }).faults).toEqual([
      { name: 'readonly' }
    ]);
  });

  it('takes only exact origins', () => {
    const origins = [
      'https://host.example',
      'https://host.example/',
      'https://host.example/page',
      'https://HOST.example',
      'https://host.example:443',
      'http://localhost:9000',
      '*',
      'null',
      'file://',
      ''
    ].map(origin => ({ origin, scope: 'write' }));
    const raw = { postMessageOrigins: origins };
    expect(settingsOf(raw).postMessageOrigins).toEqual([
      { origin: 'https://host.example', scope: 'write' },
      { origin: 'http://localhost:9000', scope: 'write' }
    ]);
    expect(namesOf(raw)).toEqual(['postMessageOrigins']);
  });

  it('gives a host page the narrowest scope when it names none', () => {
    const origin = 'https://host.example';
    for (const host of [{ origin, scope: 'admin' }, { origin }]) {
      const raw = { postMessageOrigins: [host] };
      expect(settingsOf(raw).postMessageOrigins).toEqual([
        { origin, scope: 'read' }
      ]);
      expect(namesOf(raw)).toEqual(['postMessageOrigins']);
    }
    expect(namesOf({ postMessageOrigins: [{ scope: 'run', origin }] })).toEqual(
      []
    );
  });

  it('gives a host page that is named twice the narrower of both scopes', () => {
    const host = (name: string, scope: string) => ({
      origin: `https://${name}.example`,
      scope
    });
    const postMessageOrigins = [
      host('a', 'run'),
      host('b', 'read'),
      host('a', 'write'),
      host('b', 'read'),
      host('a', 'run')
    ];
    expect(settingsOf({ postMessageOrigins }).postMessageOrigins).toEqual([
      host('b', 'read'),
      host('a', 'write')
    ]);
    expect(namesOf({ postMessageOrigins })).toEqual(['postMessageOrigins']);
  });

  it('passes over tools that cannot be offered', () => {
    const good = { name: 'save_all', description: 'Saves.', command: 'a:b' };
    const tools = [
      good,
      { ...good, name: 'Save All' },
      { ...good, description: '' },
      { ...good, command: 3 },
      { ...good, name: 'with_args', args: { x: 1 } },
      // The agent could choose what these were to fix.
      { ...good, name: 'odd_args', args: [1] },
      { ...good, name: 'misspelt', arguments: { x: 1 } },
      null
    ];
    expect(settingsOf({ tools }).tools).toEqual([
      good,
      { ...good, name: 'with_args', args: { x: 1 } }
    ]);
    expect(namesOf({ tools })).toEqual(['tools']);
  });
});
