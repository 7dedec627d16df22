import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { ChannelTransport } from '../../../../bridge/src/tabs/channel';
import { settle } from '../../transports/fakeClock';

const note = (n: number): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'n',
  params: { n }
});

describe('ChannelTransport', () => {
  it('keeps what comes before it is started', async () => {
    const channel = new ChannelTransport(() => undefined);
    const got: unknown[] = [];
    channel.onmessage = message => got.push(message);
    channel.deliver(note(1));
    await settle();
    expect(got).toEqual([]);
    await channel.start();
    await settle();
    expect(got).toEqual([note(1)]);
  });

  it('lets what a message starts run before the next', async () => {
    const channel = new ChannelTransport(() => undefined);
    const order: string[] = [];
    channel.onmessage = message => {
      const n = 'params' in message ? message.params?.n : '';
      order.push(`got ${n}`);
      void Promise.resolve().then(() => order.push(`ran ${n}`));
    };
    await channel.start();
    channel.deliver(note(1));
    channel.deliver(note(2));
    await settle();
    expect(order).toEqual(['got 1', 'ran 1', 'got 2', 'ran 2']);
  });

  it('delivers what came before the end, and nothing after it', async () => {
    const channel = new ChannelTransport(() => undefined);
    const order: unknown[] = [];
    channel.onmessage = () => order.push('message');
    channel.onclose = () => order.push('closed');
    await channel.start();
    channel.deliver(note(1));
    channel.disconnected();
    channel.deliver(note(2));
    await settle();
    await channel.close();
    expect(order).toEqual(['message', 'closed']);
  });

  it('goes on after what is no message, and after a receiver that throws', async () => {
    const channel = new ChannelTransport(() => undefined);
    const errors: string[] = [];
    let got = 0;
    channel.onerror = error => errors.push(error.message);
    channel.onmessage = () => {
      if (++got === 1) {
        throw new Error('thrown');
      }
    };
    await channel.start();
    channel.deliver('nonsense');
    channel.deliver(note(1));
    channel.deliver(note(2));
    await settle();
    expect(got).toBe(2);
    expect(errors).toHaveLength(2);
  });

  it('rejects with what sending throws, and remembers the last request', async () => {
    const error = new Error('too large');
    let fail = false;
    const channel = new ChannelTransport(() => {
      if (fail) {
        throw error;
      }
    });
    await channel.send({ jsonrpc: '2.0', id: 7, method: 'm' });
    await channel.send(note(1));
    await channel.send({ jsonrpc: '2.0', id: 3, result: {} });
    expect(channel.lastRequestId).toBe(7);
    fail = true;
    await expect(channel.send(note(2))).rejects.toBe(error);
  });
});
