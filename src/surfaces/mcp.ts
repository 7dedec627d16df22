import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  JSONRPCMessageSchema,
  ListToolsRequestSchema,
  RequestSchema,
  type JSONRPCMessage
} from '@modelcontextprotocol/sdk/types.js';
import { META_AUDIT_ID, type RpcMessage } from '../../protocol/frames';
import { listTool } from '../../protocol/listing';
import type { Scope } from '../../protocol/scopes';
import { NotJson } from '../calls/plainJson';
import type { IClient } from '../calls/types';
import type { IChannel } from '../transports/channel';
import { presentMcp } from './envelope';
import { INSTRUCTIONS } from './instructions';
import { plainMessage, refusalOf } from './messages';
import { Progress } from './progress';
import type { IEngine } from './types';

export interface IServeOptions {
  readonly channel: IChannel;
  readonly client: IClient;
  readonly scope: Scope;
  /** Whether the client is a page that was given a port. */
  readonly isHostPage?: boolean;
  readonly engine: IEngine;
  readonly version: string;
  /** Called once when the channel has ended. */
  readonly onEnd?: () => void;
}

/**
 * Serves MCP to one client on its channel, until the channel ends. The server
 * holds nothing: who asks goes into the caller, what comes back is presented.
 */
export async function serveMcp(options: IServeOptions): Promise<void> {
  const { channel, client, scope, isHostPage, engine, version, onEnd } =
    options;
  const server = new Server(
    { name: 'jupyterlab', title: 'JupyterLab', version },
    {
      capabilities: { tools: { listChanged: true } },
      instructions: INSTRUCTIONS,
      debouncedNotificationMethods: ['notifications/tools/list_changed']
    }
  );

  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: engine.tools().map(listTool)
  }));

  server.setRequestHandler(ANY_CALL, async (request, extra) => {
    // The SDK has checked it by now, and answered what is malformed.
    const { name, _meta } = CallToolRequestSchema.parse(request).params;
    // As they were sent: the SDK's own copy drops names.
    const args = request.params?.arguments ?? {};
    const tool = engine.find(name);
    if (!tool) {
      throw unknownTool(name);
    }
    const auditId = auditIdOf(_meta?.[META_AUDIT_ID]);
    const token = _meta?.progressToken;
    const progress =
      token === undefined
        ? undefined
        : new Progress(
            (message, n) =>
              extra.sendNotification({
                method: 'notifications/progress',
                params: { progressToken: token, progress: n, message }
              }),
            engine.clock,
            engine.redact
          );
    const outcome = await engine.call(name, args, {
      client,
      surface: 'mcp',
      isHostPage,
      scope,
      demandsRevisions: true,
      auditId,
      signal: extra.signal,
      progress: progress && (printed => progress.printed(printed))
    });
    await progress?.finish();
    return presentMcp(outcome, { tool, auditId, client, engine });
  });

  const subscription = engine.toolsChanged.subscribe(() => {
    server.sendToolListChanged().catch(() => {
      // Gone meanwhile: it lists again when it comes back.
    });
  });
  server.onclose = () => {
    subscription.dispose();
    onEnd?.();
  };
  await server.connect(new ChannelTransport(channel));
}

/** A call with its parameters as they were sent. */
const ANY_CALL = RequestSchema.extend({
  method: CallToolRequestSchema.shape.method
});

/** The SDK's transport over a channel of ours. */
class ChannelTransport implements Transport {
  constructor(private readonly _channel: IChannel) {}

  async start(): Promise<void> {
    this._channel.receive(
      message => this._take(message),
      () => this.onclose?.()
    );
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this._channel.send({ ...message });
  }

  async close(): Promise<void> {
    this._channel.close();
  }

  private _take(message: RpcMessage): void {
    let problem: string | undefined;
    try {
      const parsed = JSONRPCMessageSchema.safeParse(plainMessage(message));
      if (parsed.success) {
        this.onmessage?.(parsed.data);
        return;
      }
    } catch (reason) {
      if (!(reason instanceof NotJson)) {
        throw reason;
      }
      problem = reason.message;
    }
    const refusal = refusalOf(message, problem);
    if (refusal) {
      this._channel.send(refusal);
    }
  }

  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
}

function auditIdOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

/** As a JSON-RPC error; the SDK's own class repeats the code in the message. */
function unknownTool(name: string): Error {
  return Object.assign(new Error(`Unknown tool: ${name}`), {
    code: ErrorCode.InvalidParams
  });
}
