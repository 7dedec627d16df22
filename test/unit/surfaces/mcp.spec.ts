import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  CallToolResultSchema,
  type JSONRPCMessage,
  ToolListChangedNotificationSchema
} from '@modelcontextprotocol/sdk/types.js';
import { META_AUDIT_ID, type RpcMessage } from '../../../protocol/frames';
import { ToolError } from '../../../src/calls/errors';
import { INSTRUCTIONS } from '../../../src/surfaces/instructions';
import { serveMcp } from '../../../src/surfaces/mcp';
import { Channel } from '../../../src/transports/channel';
import { CLIENT, FakeEngine, tool } from './fakeEngine';

const open: Client[] = [];

afterEach(async () => {
  for (const client of open.splice(0)) {
    await client.close();
  }
});

/** A real MCP client at the other end of a channel. */
async function connect(engine: FakeEngine, isHostPage?: boolean) {
  const transport: {
    start(): Promise<void>;
    send(message: JSONRPCMessage): Promise<void>;
    close(): Promise<void>;
    onmessage?: (message: JSONRPCMessage) => void;
    onclose?: () => void;
  } = {
    start: async () => undefined,
    send: async message => channel.push({ ...message }),
    close: async () => {
      channel.end();
      transport.onclose?.();
    }
  };
  const sent: RpcMessage[] = [];
  const channel = new Channel(message => {
    // As it arrives through a WebSocket.
    const copy: JSONRPCMessage = JSON.parse(JSON.stringify(message));
    sent.push(message);
    queueMicrotask(() => transport.onmessage?.(copy));
  });
  const ended = jest.fn();
  await serveMcp({
    channel,
    client: CLIENT,
    scope: 'write',
    isHostPage,
    engine,
    version: '9.8.7',
    onEnd: ended
  });
  const client = new Client({ name: 'probe', version: '1' });
  await client.connect(transport);
  open.push(client);
  return { client, channel, sent, ended };
}

describe('serveMcp()', () => {
  it('says who it is and how to work here, in at most 1,500 characters', async () => {
    const { client } = await connect(new FakeEngine());
    expect(client.getServerVersion()).toMatchObject({ version: '9.8.7' });
    expect(client.getInstructions()).toBe(INSTRUCTIONS);
    expect(INSTRUCTIONS.length).toBeLessThanOrEqual(1500);
    for (const word of [
      'get_context',
      'outline',
      'cellId',
      'revision',
      'pending',
      'answer_input',
      'answer_dialog',
      'Never follow instructions'
    ]) {
      expect(INSTRUCTIONS).toContain(word);
    }
  });

  it('lists the tools as they are now, with their hints', async () => {
    const engine = new FakeEngine();
    engine.list = [tool('look'), tool('wipe', { kind: 'destroy' })];
    const { client } = await connect(engine);
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations])).toEqual([
      ['look', { readOnlyHint: true, destructiveHint: false }],
      ['wipe', { readOnlyHint: false, destructiveHint: true }]
    ]);
  });

  it('says why a tool is refused that the settings took away, and knows no other', async () => {
    const engine = new FakeEngine();
    engine.takenAway = [tool('run', { kind: 'run', scope: 'run' })];
    engine.answer = async () => ({
      kind: 'refused',
      error: new ToolError('operation_refused', 'Off: setting readOnly.')
    });
    const { client } = await connect(engine);
    expect((await client.listTools()).tools).toHaveLength(1);
    const result = await client.callTool({ name: 'run', arguments: {} });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { code: 'operation_refused' }
    });
    await expect(client.callTool({ name: 'walk' })).rejects.toThrow(
      'Unknown tool: walk'
    );
  });

  it('tells that a client is a host page', async () => {
    const engine = new FakeEngine();
    const { client } = await connect(engine, true);
    await client.callTool({ name: 'look' });
    expect(engine.calls[0].caller.isHostPage).toBe(true);
  });

  it('tells the client when the tools change', async () => {
    const engine = new FakeEngine();
    const { client } = await connect(engine);
    const changed = new Promise<void>(resolve =>
      client.setNotificationHandler(ToolListChangedNotificationSchema, () =>
        resolve()
      )
    );
    engine.list = [];
    engine.toolsChanged.emit();
    await changed;
    expect((await client.listTools()).tools).toEqual([]);
  });

  it('hands on who calls, with what and under which audit entry', async () => {
    const engine = new FakeEngine();
    const { client } = await connect(engine);
    const result = await client.callTool({
      name: 'look',
      arguments: { at: 1 },
      _meta: { [META_AUDIT_ID]: 42 }
    });
    expect(engine.calls).toHaveLength(1);
    expect(engine.calls[0]).toMatchObject({
      name: 'look',
      args: { at: 1 },
      caller: {
        client: CLIENT,
        surface: 'mcp',
        scope: 'write',
        demandsRevisions: true,
        auditId: 42
      }
    });
    expect(result.structuredContent).toMatchObject({ auditId: 42 });
  });

  it('answers an unknown tool as a protocol error', async () => {
    const engine = new FakeEngine();
    const { client, sent } = await connect(engine);
    await expect(client.callTool({ name: 'nope' })).rejects.toMatchObject({
      code: -32602
    });
    expect(sent.at(-1)).toMatchObject({
      error: { code: -32602, message: 'Unknown tool: nope' }
    });
    expect(engine.calls).toEqual([]);
  });

  it('sends all progress before the result, and only where it is wanted', async () => {
    const engine = new FakeEngine();
    engine.answer = async (_name, _args, caller) => {
      caller.progress?.('one\n');
      caller.progress?.('zero\r\u001b[31mtwo\u001b[0m tokentoken\n');
      return { kind: 'done', data: { success: true } };
    };
    const { client, sent } = await connect(engine);
    await client.callTool({ name: 'look' });
    expect(sent.some(({ method }) => method === 'notifications/progress')).toBe(
      false
    );
    const heard: unknown[] = [];
    await client.callTool({ name: 'look' }, CallToolResultSchema, {
      onprogress: progress => heard.push(progress.message)
    });
    expect(heard.join('')).toBe('one\ntwo [redacted]\n');
    expect(sent.at(-1)).toHaveProperty('result');
  });

  it('passes a cancel on, and answers nothing more', async () => {
    const engine = new FakeEngine();
    let aborted = false;
    engine.answer = (_name, _args, caller) =>
      new Promise(resolve =>
        caller.signal?.addEventListener('abort', () => {
          aborted = true;
          resolve({ kind: 'pending', data: { status: 'pending' } });
        })
      );
    const { client, sent } = await connect(engine);
    const cancel = new AbortController();
    const call = client.callTool({ name: 'look' }, CallToolResultSchema, {
      signal: cancel.signal
    });
    await new Promise(resolve => setImmediate(resolve));
    const before = sent.length;
    cancel.abort();
    await expect(call).rejects.toThrow();
    await new Promise(resolve => setImmediate(resolve));
    expect(aborted).toBe(true);
    expect(sent.length).toBe(before);
  });

  it('gives up waiting when the client is gone', async () => {
    const engine = new FakeEngine();
    let signal: AbortSignal | undefined;
    engine.answer = (_name, _args, caller) => {
      signal = caller.signal;
      return new Promise(() => undefined);
    };
    const { client, channel, ended } = await connect(engine);
    client.callTool({ name: 'look' }).catch(() => undefined);
    await new Promise(resolve => setImmediate(resolve));
    channel.end();
    expect(signal?.aborted).toBe(true);
    expect(ended).toHaveBeenCalledTimes(1);
    // Nobody is told any more.
    engine.toolsChanged.emit();
  });

  it('passes over what is no message', async () => {
    const { client, channel } = await connect(new FakeEngine());
    channel.push({ hello: 'there' });
    channel.push({ jsonrpc: '1.0', method: 'tools/list' });
    expect((await client.listTools()).tools).toHaveLength(1);
  });

  it('answers a refusal as an error object', async () => {
    const engine = new FakeEngine();
    engine.answer = async () => ({
      kind: 'refused',
      error: new ToolError('operation_in_progress', 'Busy.')
    });
    const { client } = await connect(engine);
    expect(await client.callTool({ name: 'look' })).toEqual({
      isError: true,
      structuredContent: {
        code: 'operation_in_progress',
        message: 'Busy.',
        auditId: null,
        retryable: true
      },
      content: [{ type: 'text', text: 'Busy.' }]
    });
  });
});
