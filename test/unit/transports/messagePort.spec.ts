import { MessageChannel } from 'worker_threads';
import type { RpcMessage } from '../../../protocol/frames';
import type { IChannel } from '../../../src/transports/channel';
import {
  CONNECT,
  HostPages,
  READY,
  type HostOrigin
} from '../../../src/transports/messagePort';

const HOST = 'https://host.example';

function setUp(
  origins: readonly HostOrigin[] = [{ origin: HOST, scope: 'write' }]
) {
  const listeners = new Set<(event: MessageEvent<unknown>) => void>();
  const parent = { postMessage: jest.fn() };
  const opener = { postMessage: jest.fn() };
  const window = {
    parent,
    opener,
    addEventListener: (
      _type: 'message',
      listener: (event: MessageEvent<unknown>) => void
    ) => void listeners.add(listener),
    removeEventListener: (
      _type: 'message',
      listener: (event: MessageEvent<unknown>) => void
    ) => void listeners.delete(listener)
  };
  const served: { channel: IChannel; host: HostOrigin }[] = [];
  const pages = new HostPages({
    window,
    serve: (channel, host) => served.push({ channel, host })
  });
  pages.setOrigins(origins);
  const channels: MessageChannel[] = [];
  const post = (fields: {
    source?: unknown;
    origin?: string;
    data?: unknown;
    ports?: number;
  }) => {
    const made = Array.from(
      { length: fields.ports ?? 1 },
      () => new MessageChannel()
    );
    channels.push(...made);
    const event = {
      source: 'source' in fields ? fields.source : parent,
      origin: fields.origin ?? HOST,
      data: fields.data ?? { type: CONNECT },
      ports: made.map(({ port2 }) => port2)
    };
    for (const listener of listeners) {
      listener(event as unknown as MessageEvent<unknown>);
    }
    return made[0]?.port1;
  };
  const close = () => channels.forEach(({ port1 }) => port1.close());
  return { window, parent, opener, pages, served, post, close, listeners };
}

describe('HostPages', () => {
  it('serves a host of a named origin, with its scope, both ways', async () => {
    const { served, post, close } = setUp();
    const port = post({});
    expect(served.map(({ host }) => host)).toEqual([
      { origin: HOST, scope: 'write' }
    ]);
    const { channel } = served[0];
    const got: RpcMessage[] = [];
    const arrived = new Promise<void>(resolve =>
      channel.receive(
        message => {
          got.push(message);
          resolve();
        },
        () => undefined
      )
    );
    port.postMessage('no message');
    port.postMessage({ id: 1 });
    await arrived;
    expect(got).toEqual([{ id: 1 }]);
    const answer = new Promise(resolve => port.once('message', resolve));
    channel.send({ id: 1, result: {} });
    expect(await answer).toEqual({ id: 1, result: {} });
    close();
  });

  it('takes a port from the opener too', () => {
    const { served, opener, post, close } = setUp();
    post({ source: opener });
    expect(served.length).toBe(1);
    close();
  });

  it.each([
    ['another origin', { origin: 'https://host.example.evil.example' }],
    ['the origin in other letters', { origin: 'https://HOST.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['another window', { source: { postMessage: () => undefined } }],
    ['no window', { source: null }],
    ['another message', { data: { type: 'connect' } }],
    ['no message', { data: 'jupyterlab-mcp-bridge:connect' }],
    ['no port', { ports: 0 }],
    ['two ports', { ports: 2 }]
  ])('takes nothing from %s', (_name, fields) => {
    const { served, post, close } = setUp();
    post(fields);
    expect(served).toEqual([]);
    close();
  });

  it('takes nothing from a script of this very page', () => {
    const { served, window, post, close } = setUp();
    Object.assign(window, { parent: window, opener: null });
    post({ source: window });
    expect(served).toEqual([]);
    close();
  });

  it('says that it listens, to the named origins only', () => {
    const { parent, opener } = setUp();
    for (const host of [parent, opener]) {
      expect(host.postMessage.mock.calls).toEqual([[{ type: READY }, HOST]]);
    }
  });

  it('closes the port of a host that was taken away or narrowed', () => {
    const { served, pages, post, close } = setUp();
    post({});
    const ended = jest.fn();
    served[0].channel.receive(() => undefined, ended);
    pages.setOrigins([{ origin: HOST, scope: 'write' }]);
    expect(ended).not.toHaveBeenCalled();
    pages.setOrigins([{ origin: HOST, scope: 'read' }]);
    expect(ended).toHaveBeenCalledTimes(1);
    post({});
    expect(served[1].host.scope).toBe('read');
    pages.dispose();
    close();
  });

  it('listens no more when disposed', () => {
    const { served, pages, listeners, post, close } = setUp();
    post({});
    const ended = jest.fn();
    served[0].channel.receive(() => undefined, ended);
    pages.dispose();
    expect(ended).toHaveBeenCalledTimes(1);
    expect(listeners.size).toBe(0);
    close();
  });
});
