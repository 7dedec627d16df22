import {
  PROTOCOL_VERSION,
  type ITabState,
  type RpcMessage,
  type TabToClient
} from '../../../protocol/frames';
import type { Scope } from '../../../protocol/scopes';
import type { IClient } from '../../../src/calls/types';
import { Changes } from '../../../src/surfaces/changes';
import { Clients } from '../../../src/surfaces/clients';
import type { IChannel } from '../../../src/transports/channel';
import { Peers } from '../../../src/transports/peers';
import { settle } from './fakeClock';

const TAB: ITabState = {
  id: 'tab',
  title: 'Lab',
  user: 'me',
  root: '/',
  url: 'http://x/lab',
  notebooks: [],
  kernels: [],
  dialogs: [],
  pending: []
};

function setUp() {
  const sent: [string, TabToClient][] = [];
  const served: { channel: IChannel; client: IClient; scope: Scope }[] = [];
  const stateChanged = new Changes();
  const clients = new Clients();
  const tab = { ...TAB };
  let limit = Infinity;
  let failing = false;
  const peers = new Peers({
    clients,
    stateChanged,
    state: async client => {
      if (failing) {
        throw new Error('chunk');
      }
      return { ...tab, pending: [`of ${client.name}`] };
    },
    send: (peer, body) => {
      if (JSON.stringify(body).length > limit) {
        return 'too_large';
      }
      sent.push([peer, body]);
      return 'sent';
    },
    serve: async (channel, client, scope) => {
      served.push({ channel, client, scope });
    }
  });
  const hello = async (
    peer: string,
    id: string,
    scope: unknown = 'run',
    version = PROTOCOL_VERSION
  ) => {
    const client = { id, name: id, version: '1' };
    peers.receive(peer, { type: 'hello', version, client, scope });
    await settle();
  };
  const setLimit = (bytes: number) => {
    limit = bytes;
  };
  const fail = (on: boolean) => {
    failing = on;
  };
  return {
    peers,
    sent,
    served,
    stateChanged,
    clients,
    tab,
    hello,
    setLimit,
    fail
  };
}

describe('Peers', () => {
  it('tells every peer that the person turned the bridge off', async () => {
    const { peers, sent, hello } = setUp();
    await hello('a', 'one');
    await hello('b', 'two');
    sent.length = 0;
    peers.turnedOff();
    expect(sent).toEqual([
      ['a', { type: 'off' }],
      ['b', { type: 'off' }]
    ]);
  });

  it('answers hello with the state of this client, then serves it', async () => {
    const { sent, served, clients, hello } = setUp();
    await hello('p1', 'one', 'read');
    expect(sent).toEqual([
      [
        'p1',
        {
          type: 'hello',
          version: PROTOCOL_VERSION,
          tab: { ...TAB, pending: ['of one'] }
        }
      ]
    ]);
    expect(served[0].scope).toBe('read');
    expect(clients.connected).toEqual([served[0].client]);
  });

  it('tells a client what to do when the tab cannot load its tools', async () => {
    const { peers, sent, clients, hello, fail } = setUp();
    const logged = jest.spyOn(console, 'error').mockImplementation();
    fail(true);
    await hello('p1', 'one');
    expect(sent.map(([, body]) => body)).toEqual([
      expect.objectContaining({
        type: 'outdated',
        message: expect.stringContaining('reload the page')
      })
    ]);
    expect(clients.connected).toEqual([]);
    fail(false);
    await hello('p1', 'one');
    expect(sent.at(-1)?.[1].type).toBe('hello');
    expect(logged).toHaveBeenCalledTimes(1);
    logged.mockRestore();
    peers.dispose();
  });

  it('keeps clients apart, and tells each its own', async () => {
    const { peers, served, hello } = setUp();
    await hello('p1', 'one');
    await hello('p2', 'two');
    const got: RpcMessage[][] = [[], []];
    served.forEach(({ channel }, i) =>
      channel.receive(
        message => got[i].push(message),
        () => undefined
      )
    );
    peers.receive('p2', { type: 'mcp', message: { id: 7 } });
    peers.receive('p3', { type: 'mcp', message: { id: 8 } });
    expect(got).toEqual([[], [{ id: 7 }]]);
  });

  it('answers a ping at once, also before hello', () => {
    const { peers, sent } = setUp();
    peers.receive('p1', { type: 'ping', n: 5 });
    expect(sent).toEqual([['p1', { type: 'pong', n: 5 }]]);
  });

  it('sends the state again only when it differs, once a turn', async () => {
    const { peers, sent, stateChanged, tab, hello } = setUp();
    stateChanged.emit();
    await settle();
    expect(sent).toEqual([]);
    await hello('p1', 'one');
    sent.length = 0;
    stateChanged.emit();
    await settle();
    expect(sent).toEqual([]);
    tab.kernels = ['k'];
    stateChanged.emit();
    stateChanged.emit();
    await settle();
    expect(sent.map(([, body]) => body.type)).toEqual(['state']);
    peers.receive('p1', { type: 'bye' });
    tab.kernels = [];
    stateChanged.emit();
    await settle();
    expect(sent.length).toBe(1);
  });

  it('tells a bridge of another version which side to update', async () => {
    const { sent, served, hello } = setUp();
    await hello('p1', 'one', 'run', PROTOCOL_VERSION + 2);
    await hello('p2', 'two', 'run', PROTOCOL_VERSION - 2);
    expect(served).toEqual([]);
    expect(sent.map(([, body]) => body)).toEqual([
      expect.objectContaining({
        type: 'outdated',
        message: expect.stringContaining('update the JupyterLab extension')
      }),
      expect.objectContaining({
        type: 'outdated',
        message: expect.stringContaining('update the bridge')
      })
    ]);
  });

  it('serves nobody who does not say who it is and what it may', async () => {
    const { sent, served, hello, peers } = setUp();
    await hello('p1', '');
    await hello('p2', 'two', 'everything');
    peers.receive('p4', {
      type: 'hello',
      version: PROTOCOL_VERSION,
      scope: 'run'
    });
    await settle();
    expect(served).toEqual([]);
    expect(sent).toEqual([]);
  });

  it('ends the channel when the client goes, and knows it again later', async () => {
    const { peers, served, clients, hello } = setUp();
    await hello('p1', 'one');
    const ended = jest.fn();
    served[0].channel.receive(() => undefined, ended);
    peers.gone('p1');
    expect(ended).toHaveBeenCalledTimes(1);
    expect(clients.connected).toEqual([]);
    await hello('p9', 'one');
    expect(served[1].client).toBe(served[0].client);
  });

  it('ends every channel when the relay is lost', async () => {
    const { peers, served, clients, hello } = setUp();
    await hello('p1', 'one');
    await hello('p2', 'two');
    const ended = jest.fn();
    served.forEach(({ channel }) => channel.receive(() => undefined, ended));
    peers.allGone();
    expect(ended).toHaveBeenCalledTimes(2);
    expect(clients.connected).toEqual([]);
  });

  it('answers too_large in place of a result that fits no frame', async () => {
    const { sent, served, hello, setLimit } = setUp();
    await hello('p1', 'one');
    setLimit(1000);
    sent.length = 0;
    const { channel } = served[0];
    const text = 'x'.repeat(2000);
    channel.send({ jsonrpc: '2.0', method: 'notifications/progress', text });
    channel.send({
      jsonrpc: '2.0',
      id: 4,
      result: { structuredContent: { data: text, auditId: 12 } }
    });
    expect(sent).toEqual([
      [
        'p1',
        {
          type: 'mcp',
          message: expect.objectContaining({
            id: 4,
            result: expect.objectContaining({
              isError: true,
              structuredContent: expect.objectContaining({
                code: 'too_large',
                auditId: 12,
                retryable: false
              })
            })
          })
        }
      ]
    ]);
  });
});
