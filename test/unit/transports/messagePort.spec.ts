import { MessageChannel } from 'worker_threads';
import type { RpcMessage } from '../../../protocol/frames';
import type { IChannel } from '../../../src/transports/channel';
import { CLOSED } from '../../../src/transports/heldPort';
import {
  CONNECT,
  HostPages,
  READY,
  type HostOrigin
} from '../../../src/transports/messagePort';
import { FakeClock } from './fakeClock';

const HOST = 'https://host.example';

function setUp(
  origins: readonly HostOrigin[] = [{ origin: HOST, scope: 'write' }]
) {
  const listeners = new Set<(event: MessageEvent<unknown>) => void>();
  const parent = { postMessage: jest.fn() };
  const opener = { postMessage: jest.fn(), closed: false };
  const clock = new FakeClock();
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
  const served: {
    channel: IChannel;
    host: HostOrigin;
    end: (reason: string) => void;
  }[] = [];
  const pages = new HostPages({
    window,
    clock,
    serve: (channel, host, end) => served.push({ channel, host, end })
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
  return {
    clock,
    window,
    parent,
    opener,
    channels,
    pages,
    served,
    post,
    close,
    listeners
  };
}

/** Lets messages between ports arrive. */
function arrive(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, 20));
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
    port.postMessage({ id: 1 });
    await arrived;
    expect(got).toEqual([{ id: 1 }]);
    const answer = new Promise(resolve => port.once('message', resolve));
    channel.send({ id: 1, result: {} });
    expect(await answer).toEqual({ id: 1, result: {} });
    close();
  });

  it('tells the host why what was to serve it ends', async () => {
    const { served, post, close } = setUp();
    const port = post({});
    const ended = jest.fn();
    served[0].channel.receive(() => undefined, ended);
    const told = new Promise(resolve => port.once('message', resolve));
    served[0].end('It broke.');
    expect(await told).toEqual({ type: CLOSED, reason: 'It broke.' });
    expect(ended).toHaveBeenCalled();
    close();
  });

  it('answers what is no message, or none that the browser could read', async () => {
    const { channels, post, close } = setUp();
    const port = post({});
    const got: unknown[] = [];
    port.on('message', message => got.push(message));
    channels[0].port2.dispatchEvent(new Event('messageerror'));
    // As Chromium delivers what is nested in thousands of levels.
    port.postMessage(null);
    port.postMessage('no message');
    await arrive();
    expect(got).toEqual(
      Array.from({ length: 3 }, () => ({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32700, message: expect.any(String) }
      }))
    );
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

  it('says so again only to those who may connect, or do something else, since', () => {
    const { parent, pages } = setUp();
    const other = { origin: 'https://other.example', scope: 'read' } as const;
    parent.postMessage.mockClear();
    pages.setOrigins([{ origin: HOST, scope: 'write' }]);
    expect(parent.postMessage).not.toHaveBeenCalled();
    pages.setOrigins([{ origin: HOST, scope: 'write' }, other]);
    pages.setOrigins([{ origin: HOST, scope: 'run' }, other]);
    expect(parent.postMessage.mock.calls).toEqual([
      [{ type: READY }, other.origin],
      [{ type: READY }, HOST]
    ]);
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

  describe('a port whose other end is gone', () => {
    /** A port, what the host got on it, and when it ended here. */
    function hold(rig: ReturnType<typeof setUp>, fields = {}) {
      const port = rig.post(fields);
      const got: RpcMessage[] = [];
      port.on('message', message => got.push(message));
      const messages: RpcMessage[] = [];
      const ended = jest.fn();
      rig.served
        .at(-1)
        ?.channel.receive(message => messages.push(message), ended);
      return { port, got, messages, ended };
    }

    const ping = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'ping' });

    it('ends when it was silent for a minute and answers no ping in half of one', async () => {
      const rig = setUp();
      const { got, ended } = hold(rig);
      await rig.clock.advance(59_999);
      await arrive();
      expect(got).toEqual([]);
      await rig.clock.advance(1);
      await arrive();
      expect(got).toEqual([ping(expect.any(String))]);
      await rig.clock.advance(29_999);
      expect(ended).not.toHaveBeenCalled();
      await rig.clock.advance(1);
      expect(ended).toHaveBeenCalledTimes(1);
      await arrive();
      expect(got.at(-1)).toEqual({ type: CLOSED, reason: expect.any(String) });
      await rig.clock.advance(120_000);
      expect(rig.clock.waiting).toBe(0);
      rig.close();
    });

    it('stays while the host answers, or says anything else', async () => {
      const rig = setUp();
      const answering = hold(rig);
      answering.port.on('message', ({ id }) =>
        answering.port.postMessage({ jsonrpc: '2.0', id, result: {} })
      );
      const talking = hold(rig);
      for (let minute = 0; minute < 10; minute++) {
        await rig.clock.advance(60_000);
        await arrive();
        talking.port.postMessage({ jsonrpc: '2.0', method: 'something' });
        await arrive();
      }
      expect(answering.ended).not.toHaveBeenCalled();
      expect(talking.ended).not.toHaveBeenCalled();
      // The answers are nobody else's business.
      expect(answering.messages).toEqual([]);
      expect(talking.messages).toHaveLength(10);
      rig.pages.dispose();
      rig.close();
    });

    it('is asked nothing while the host is busy', async () => {
      const rig = setUp();
      const { port, got } = hold(rig);
      for (let i = 0; i < 10; i++) {
        await rig.clock.advance(40_000);
        port.postMessage({ jsonrpc: '2.0', id: i, method: 'tools/list' });
        await arrive();
      }
      expect(got).toEqual([]);
      rig.pages.dispose();
      rig.close();
    });

    it('ends at once when the window that handed it over is known to be closed', async () => {
      const rig = setUp();
      const { opener, parent, clock } = rig;
      const first = hold(rig, { source: opener });
      opener.closed = true;
      await clock.advance(60_000);
      expect(first.ended).toHaveBeenCalledTimes(1);
      opener.closed = false;
      const second = hold(rig, { source: opener });
      opener.closed = true;
      const third = hold(rig, { source: parent });
      expect(second.ended).toHaveBeenCalledTimes(1);
      expect(third.ended).not.toHaveBeenCalled();
      rig.pages.dispose();
      rig.close();
    });

    it('makes room: of 16 of one origin the one that was silent for longest goes', async () => {
      const other = 'https://other.example';
      const rig = setUp([
        { origin: HOST, scope: 'write' },
        { origin: other, scope: 'read' }
      ]);
      const stranger = hold(rig, { origin: other });
      const held = [];
      for (let i = 0; i < 16; i++) {
        held.push(hold(rig));
        await rig.clock.advance(10);
      }
      held[0].port.postMessage({ jsonrpc: '2.0', method: 'something' });
      await arrive();
      hold(rig);
      expect(
        held.flatMap(({ ended }, i) => (ended.mock.calls.length > 0 ? [i] : []))
      ).toEqual([1]);
      await arrive();
      expect(held[1].got).toEqual([
        { type: CLOSED, reason: expect.stringContaining('16 ports') }
      ]);
      expect(stranger.ended).not.toHaveBeenCalled();
      rig.pages.dispose();
      rig.close();
    });
  });
});
