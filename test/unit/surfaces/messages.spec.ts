import type { RpcMessage } from '../../../protocol/frames';
import { serveMcp } from '../../../src/surfaces/mcp';
import { Channel } from '../../../src/transports/channel';
import { CLIENT, FakeEngine } from './fakeEngine';

/** What comes back for one raw message. */
async function answersTo(
  message: RpcMessage,
  engine = new FakeEngine()
): Promise<RpcMessage[]> {
  const sent: RpcMessage[] = [];
  const channel = new Channel(answer => sent.push(answer));
  await serveMcp({
    channel,
    client: CLIENT,
    scope: 'read',
    engine,
    version: '1'
  });
  channel.push(message);
  await new Promise(resolve => setTimeout(resolve, 0));
  channel.end();
  return sent;
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) {
    value = { a: value };
  }
  return value;
}

const circle: Record<string, unknown> = {};
circle.circle = circle;

const invalid = (id: unknown, message: unknown = expect.anything()) => [
  { jsonrpc: '2.0', id, error: { code: -32600, message } }
];

describe('a message with an id gets an answer', () => {
  it.each<[string, RpcMessage, unknown]>([
    ['a method that is none', { jsonrpc: '2.0', method: 5, id: 51 }, 51],
    ['another version', { jsonrpc: '1.0', method: 'ping', id: 'a' }, 'a'],
    ['no method', { jsonrpc: '2.0', id: 7 }, 7],
    [
      'params that are none',
      { jsonrpc: '2.0', id: 7, method: 'ping', params: 3 },
      7
    ],
    ['an id that is none', { jsonrpc: '2.0', id: {}, method: 'ping' }, null],
    [
      'what only looks like an answer',
      { jsonrpc: '2.0', id: 7, method: 'ping', result: {} },
      7
    ]
  ])('%s', async (_name, message, id) => {
    expect(await answersTo(message)).toEqual(invalid(id));
  });

  it.each<[string, unknown, string]>([
    ['is nested deeply', nested(3000), 'nested in more than 500 levels'],
    ['holds itself', circle, 'hold themselves'],
    ['holds a Map', { a: new Map() }, '"params.x.a"']
  ])('that %s', async (_name, x, text) => {
    const message = {
      jsonrpc: '2.0',
      id: 8,
      method: 'tools/list',
      params: { x }
    };
    expect(await answersTo(message)).toEqual(
      invalid(8, expect.stringContaining(text))
    );
  });

  it('but not one without, nor one that is an answer itself', async () => {
    for (const message of [
      { hello: 'there' },
      { jsonrpc: '2.0', method: 5 },
      { jsonrpc: '1.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 1, error: 'no' }
    ]) {
      expect(await answersTo(message)).toEqual([]);
    }
  });
});

describe('the arguments of a call', () => {
  it.each<[string, unknown]>([
    ['nested deeply', nested(3000)],
    ['that hold themselves', circle],
    ['with names that parsers drop', JSON.parse('{"__proto__": {"a": 1}}')]
  ])('%s come to the call as they were sent', async (_name, args) => {
    const engine = new FakeEngine();
    const message = {
      jsonrpc: '2.0',
      id: 9,
      method: 'tools/call',
      params: { name: 'look', arguments: args }
    };
    expect(await answersTo(message, engine)).toMatchObject([
      { id: 9, result: { structuredContent: { data: { success: true } } } }
    ]);
    expect(engine.calls[0].args).toBe(args);
  });

  it('that are none are a malformed request', async () => {
    for (const args of [5, [1], null, new Map()]) {
      const message = {
        jsonrpc: '2.0',
        id: 9,
        method: 'tools/call',
        params: { name: 'look', arguments: args }
      };
      expect(await answersTo(message)).toMatchObject([
        { id: 9, error: { code: -32602 } }
      ]);
    }
  });
});
