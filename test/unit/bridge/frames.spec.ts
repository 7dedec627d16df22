import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  frameBytes,
  MAX_FRAME_BYTES,
  packFrame,
  PROTOCOL_VERSION,
  unpackFrame,
  type ClientToTab,
  type RelayToClient,
  type RelayToTab,
  type TabToClient
} from '../../../protocol/frames';
import { olderOf, worksWith } from '../../../protocol/versions';

/** One of each type: a type without an example does not compile. */
type OneOfEach<T extends { type: string }> = {
  [K in T['type']]: Extract<T, { type: K }>;
};

const TAB = {
  id: 'f3a1',
  title: 'demo.ipynb - JupyterLab',
  user: 'ann',
  root: '/home/ann',
  url: 'http://localhost:8888/lab',
  notebooks: [{ path: 'ü/demo.ipynb', dirty: true, shared: false }],
  kernels: ['9c9b'],
  dialogs: ['dialog-7'],
  pending: ['call-7']
};
const MESSAGE = { jsonrpc: '2.0', method: 'ping', id: 1 };

const toTab: OneOfEach<ClientToTab> = {
  hello: {
    type: 'hello',
    version: PROTOCOL_VERSION,
    client: {
      id: '0123456789abcdef0123456789abcdef',
      name: 'claude-code',
      version: '2.1'
    },
    scope: 'run'
  },
  mcp: { type: 'mcp', message: MESSAGE },
  ping: { type: 'ping', n: 3 },
  bye: { type: 'bye' }
};
const toClient: OneOfEach<TabToClient> = {
  hello: { type: 'hello', version: PROTOCOL_VERSION, tab: TAB },
  state: { type: 'state', tab: TAB },
  mcp: { type: 'mcp', message: MESSAGE },
  off: { type: 'off' },
  pong: { type: 'pong', n: 3 },
  outdated: { type: 'outdated', version: PROTOCOL_VERSION, message: 'Update.' }
};
const relayToClient: OneOfEach<RelayToClient> = {
  tabs: { type: 'tabs', version: PROTOCOL_VERSION, tabs: ['a1', 'b2'] },
  'tab-opened': { type: 'tab-opened', peer: 'a1' },
  'tab-closed': { type: 'tab-closed', peer: 'a1' }
};
const relayToTab: OneOfEach<RelayToTab> = {
  ready: { type: 'ready', version: PROTOCOL_VERSION },
  'client-closed': { type: 'client-closed', peer: 'c3' }
};

const notice = (body: object) => `\n${JSON.stringify(body)}`;
const wire = {
  'client to tab': Object.values(toTab).map(body => packFrame('a1', body)),
  'tab to client': Object.values(toClient).map(body => packFrame('c3', body)),
  'relay to client': Object.values(relayToClient).map(notice),
  'relay to tab': Object.values(relayToTab).map(notice)
};

const GOLDEN = join(__dirname, '../../golden/frames.json');

describe('frames', () => {
  it('are on the wire as the golden file has them (UPDATE_GOLDEN=1 writes it)', () => {
    const text = `${JSON.stringify(wire, null, 2)}\n`;
    if (process.env.UPDATE_GOLDEN) {
      writeFileSync(GOLDEN, text);
    }
    expect(text).toBe(readFileSync(GOLDEN, 'utf8'));
  });

  it('come apart as they were put together', () => {
    for (const body of [...Object.values(toTab), ...Object.values(toClient)]) {
      expect(unpackFrame(packFrame('a1', body))).toEqual({ peer: 'a1', body });
    }
    for (const body of [
      ...Object.values(relayToClient),
      ...Object.values(relayToTab)
    ]) {
      expect(unpackFrame(notice(body))).toEqual({ peer: '', body });
    }
  });

  it.each([
    '',
    'x',
    'x\n',
    'x\n{',
    'x\nnull',
    'x\n[]',
    'x\n{}',
    'x\n{"type":1}'
  ])('are not %j', text => {
    expect(unpackFrame(text)).toBeNull();
  });

  it.each([
    '',
    'a',
    'ü',
    '€',
    '😀',
    'a\ud800',
    '\udc00b',
    '\ud800\ud800',
    '😀'.repeat(9)
  ])('are measured in bytes: %j', text => {
    expect(frameBytes(text)).toBe(Buffer.byteLength(text, 'utf8'));
  });

  it('may have 4 MiB', () => {
    expect(MAX_FRAME_BYTES).toBe(4_194_304);
  });
});

describe('versions', () => {
  it('work together when they are neighbours', () => {
    expect([1, 2, 3, 4, 5].filter(each => worksWith(each, 3))).toEqual([
      2, 3, 4
    ]);
    expect(worksWith(NaN)).toBe(false);
  });

  it('tell the older side', () => {
    const ours = { name: 'ours', version: 3 };
    expect(olderOf({ name: 'theirs', version: 1 }, ours)).toBe('theirs');
    expect(olderOf({ name: 'theirs', version: 5 }, ours)).toBe('ours');
  });
});
