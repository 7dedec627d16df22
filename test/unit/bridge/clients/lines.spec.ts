import { PassThrough } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { LineTransport } from '../../../../bridge/src/clients/lines';

function setUp() {
  const input = new PassThrough();
  const output = new PassThrough();
  const transport = new LineTransport(input, output);
  const got: JSONRPCMessage[] = [];
  let closes = 0;
  transport.onmessage = message => got.push(message);
  transport.onclose = () => closes++;
  void transport.start();
  let written = '';
  output.on('data', (chunk: Buffer) => {
    written += chunk.toString('utf8');
  });
  return {
    input,
    output,
    transport,
    got,
    closes: () => closes,
    written: () => written.split('\n').filter(line => line !== '')
  };
}

const tick = () => new Promise(resolve => setImmediate(resolve));
const call = (text: string): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'm',
  params: { text }
});

describe('LineTransport', () => {
  it('takes messages however the bytes are cut', async () => {
    const { input, got } = setUp();
    const bytes = Buffer.from(
      `${JSON.stringify(call('ü😀'))}\r\n\n${JSON.stringify(call('b'))}\n`
    );
    for (const byte of bytes) {
      input.write(Buffer.from([byte]));
    }
    await tick();
    expect(got).toEqual([call('ü😀'), call('b')]);
  });

  it('takes several messages at once', async () => {
    const { input, got } = setUp();
    input.write(`${JSON.stringify(call('a'))}\n`.repeat(3));
    await tick();
    expect(got).toHaveLength(3);
  });

  it('takes a line of 50 MB in linear time', async () => {
    const { input, got } = setUp();
    const text = 'x'.repeat(1_000_000);
    const start = performance.now();
    input.write('{"jsonrpc":"2.0","id":1,"method":"m","params":{"text":"');
    for (let i = 0; i < 50; i++) {
      for (let at = 0; at < text.length; at += 65_536) {
        input.write(text.slice(at, at + 65_536));
      }
      await tick();
    }
    input.write('"}}\n');
    while (got.length === 0) {
      await tick();
    }
    // Joining anew at each chunk would take some 20 GB of copying.
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it('answers what is no message with a protocol error', async () => {
    const { input, got, written } = setUp();
    input.write('not json\n[1]\n{"id":7,"method":3}\n{"id":"x"}\n');
    input.write(`${JSON.stringify(call('a'))}\n`);
    await tick();
    expect(written().map(line => JSON.parse(line))).toEqual([
      expect.objectContaining({
        id: null,
        error: expect.objectContaining({ code: -32700 })
      }),
      expect.objectContaining({
        id: null,
        error: expect.objectContaining({ code: -32600 })
      }),
      expect.objectContaining({
        id: 7,
        error: expect.objectContaining({ code: -32600 })
      }),
      expect.objectContaining({
        id: 'x',
        error: expect.objectContaining({ code: -32600 })
      })
    ]);
    expect(got).toHaveLength(1);
  });

  it('writes one message a line', async () => {
    const { transport, written } = setUp();
    await transport.send(call('line\nbreak'));
    await tick();
    expect(written()).toEqual([JSON.stringify(call('line\nbreak'))]);
  });

  it('waits for a slow reader', async () => {
    const { transport, output } = setUp();
    output.pause();
    let sent = false;
    const sending = transport
      .send(call('x'.repeat(100_000)))
      .then(() => (sent = true));
    await tick();
    expect(sent).toBe(false);
    output.resume();
    await sending;
  });

  it.each(['end', 'close', 'error'] as const)(
    'ends once, at the %s of its input',
    async how => {
      const { input, closes } = setUp();
      if (how === 'end') {
        input.end();
      } else {
        input.destroy(how === 'error' ? new Error('broken') : undefined);
      }
      await tick();
      await tick();
      expect(closes()).toBe(1);
    }
  );

  it('ends when its reader is gone, and then writes nothing', async () => {
    const { output, transport, closes } = setUp();
    output.destroy(new Error('EPIPE'));
    await tick();
    expect(closes()).toBe(1);
    await transport.send(call('a'));
  });
});
