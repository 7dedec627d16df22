import { readFileSync } from 'fs';
import path from 'path';
import { DEFAULT_SETTINGS } from '../../../src/calls/settings';
import { readSettings } from '../../../src/jupyter/settings';

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

describe('readSettings()', () => {
  it('takes defaults for what is missing or of the wrong kind', () => {
    expect(readSettings({})).toEqual(DEFAULT_SETTINGS);
    expect(
      readSettings({
        executionTimeout: '20',
        maxResultLength: NaN,
        readCap: null,
        imageCap: Infinity,
        toolsets: 'files',
        disabledTools: { 0: 'run_code' },
        blockedCommands: null,
        tools: 'none',
        readOnly: 'yes',
        bridge: 1,
        webmcp: 'some',
        postMessageOrigins: {}
      })
    ).toEqual(DEFAULT_SETTINGS);
  });

  it('brings numbers into their range', () => {
    const low = readSettings({
      executionTimeout: -5,
      maxResultLength: 0,
      readCap: 1,
      imageCap: -1
    });
    expect(low).toMatchObject({
      executionTimeout: 1,
      maxResultLength: 1000,
      readCap: 4000,
      imageCap: 1024
    });
    expect(readSettings({ executionTimeout: 3600 }).executionTimeout).toBe(45);
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
    expect(
      readSettings({ postMessageOrigins: origins }).postMessageOrigins
    ).toEqual([
      { origin: 'https://host.example', scope: 'write' },
      { origin: 'http://localhost:9000', scope: 'write' }
    ]);
  });

  it('gives a host page the narrowest scope when it names none', () => {
    const [host] = readSettings({
      postMessageOrigins: [{ origin: 'https://host.example', scope: 'admin' }]
    }).postMessageOrigins;
    expect(host.scope).toBe('read');
  });

  it('passes over tools that cannot be offered', () => {
    const good = { name: 'save_all', description: 'Saves.', command: 'a:b' };
    const tools = [
      good,
      { ...good, name: 'Save All' },
      { ...good, description: '' },
      { ...good, command: 3 },
      { ...good, name: 'with_args', args: { x: 1 } },
      { ...good, name: 'odd_args', args: [1] },
      null
    ];
    expect(readSettings({ tools }).tools).toEqual([
      good,
      { ...good, name: 'with_args', args: { x: 1 } },
      { ...good, name: 'odd_args' }
    ]);
  });
});
