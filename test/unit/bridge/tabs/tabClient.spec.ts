import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { ChannelTransport } from '../../../../bridge/src/tabs/channel';
import { TabClient, type Elicit } from '../../../../bridge/src/tabs/tabClient';
import { META_RELATED } from '../../../../protocol/frames';
import { settle } from '../../transports/fakeClock';

const INFO = { name: 'outer', version: '3.1' };

const channels: ChannelTransport[] = [];

/** A client with a tab that the test plays. */
async function setUp(elicit: Elicit | null) {
  const sent: Extract<JSONRPCMessage, { method: string }>[] = [];
  const answers: JSONRPCMessage[] = [];
  const channel = new ChannelTransport(message => {
    if ('method' in message) {
      sent.push(message as (typeof sent)[number]);
    } else {
      answers.push(message as JSONRPCMessage);
    }
  });
  channels.push(channel);
  const client = new TabClient(channel, INFO, elicit, () => undefined);
  const connecting = client.connect();
  await settle();
  channel.deliver({
    jsonrpc: '2.0',
    id: Object(sent[0]).id,
    result: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'tab', version: '1' }
    }
  });
  await connecting;
  return { client, channel, sent, answers };
}

const signal = new AbortController().signal;

describe('TabClient', () => {
  // Ends what still waits, and its timers.
  afterEach(() => Promise.all(channels.splice(0).map(each => each.close())));

  it.each([
    [null, {}],
    [() => Promise.resolve({}), { elicitation: { form: {} } }]
  ])(
    'declares who calls and what they can do',
    async (elicit, capabilities) => {
      const { sent } = await setUp(elicit);
      expect(sent[0]).toMatchObject({
        method: 'initialize',
        params: { clientInfo: INFO }
      });
      expect(sent[0].params?.capabilities).toEqual(capabilities);
    }
  );

  it('puts a question to the request that it belongs to', async () => {
    const asked: unknown[] = [];
    const { client, channel, sent, answers } = await setUp(
      (params, { relatedRequestId, timeout }) => {
        asked.push([params, relatedRequestId, timeout]);
        return Promise.resolve({ action: 'decline' });
      }
    );
    const forget = () => undefined;
    client.call('a', {}, { signal, requestId: 'outer a' }).catch(forget);
    client.call('b', {}, { signal, requestId: 'outer b' }).catch(forget);
    await settle();
    const calls = sent.filter(({ method }) => method === 'tools/call');
    const question = (related?: unknown) => ({
      jsonrpc: '2.0',
      id: 70,
      method: 'elicitation/create',
      params: {
        message: 'Really?',
        requestedSchema: { type: 'object', properties: {} },
        _meta: { [META_RELATED]: related }
      }
    });
    channel.deliver(question(Object(calls[1]).id));
    channel.deliver(question(Object(calls[0]).id));
    channel.deliver(question());
    await settle();
    const params = {
      message: 'Really?',
      mode: 'form',
      requestedSchema: { type: 'object', properties: {} }
    };
    expect(asked).toEqual([
      [
        expect.objectContaining({ message: params.message }),
        'outer b',
        660_000
      ],
      [
        expect.objectContaining({ message: params.message }),
        'outer a',
        660_000
      ],
      [expect.objectContaining({ message: params.message }), undefined, 660_000]
    ]);
    expect(JSON.stringify(asked)).not.toContain(META_RELATED);
    expect(answers).toHaveLength(3);
  });

  it('puts a question without a name to the only request at work', async () => {
    const asked: unknown[] = [];
    const { client, channel } = await setUp((_params, options) => {
      asked.push(options.relatedRequestId);
      return Promise.resolve({ action: 'cancel' });
    });
    client.call('a', {}, { signal, requestId: 5 }).catch(() => undefined);
    await settle();
    channel.deliver({
      jsonrpc: '2.0',
      id: 70,
      method: 'elicitation/create',
      params: {
        message: 'Really?',
        requestedSchema: { type: 'object', properties: {} }
      }
    });
    await settle();
    expect(asked).toEqual([5]);
  });

  it('waits longer for a call than a question may take', async () => {
    const { client, sent } = await setUp(null);
    jest.useFakeTimers();
    try {
      let ended = false;
      client
        .call('a', {}, { signal })
        .catch(() => undefined)
        .finally(() => (ended = true));
      await jest.advanceTimersByTimeAsync(10 * 60_000 + 59_000);
      expect(ended).toBe(false);
      await jest.advanceTimersByTimeAsync(1000);
      expect(ended).toBe(true);
      // The tab hears that nobody waits any more.
      expect(sent.at(-1)?.method).toBe('notifications/cancelled');
    } finally {
      jest.useRealTimers();
    }
  });
});
