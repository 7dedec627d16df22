import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type {
  CallToolResult,
  Progress
} from '@modelcontextprotocol/sdk/types.js';
import { join } from 'node:path';
import type { Home } from './lab';
import { pause, ROOT } from './processes';

/** The bridge as a client starts it. */
export const BRIDGE: readonly [string, ...string[]] = [
  process.execPath,
  join(ROOT, 'bridge', 'dist', 'cli.js')
];

/** What a call answered, taken apart. */
export interface IReply {
  readonly isError: boolean;
  /** Of an error object. */
  readonly code: unknown;
  readonly message: string;
  readonly data: Record<string, unknown>;
  readonly truncation: unknown;
  readonly structured: Record<string, unknown>;
  readonly content: CallToolResult['content'];
  /** Bytes of the JSON of the structured content. */
  readonly bytes: number;
  readonly ms: number;
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}

/** An MCP client as an agent has one: the SDK's own, over stdio. */
export class Agent {
  private constructor(
    readonly client: Client,
    private readonly _transport: StdioClientTransport,
    private readonly _stderr: string[]
  ) {}

  /** Starts a command as a client does and shakes hands with it. */
  static async start(
    command: readonly [string, ...string[]],
    env: Record<string, string>,
    cwd: string,
    name = 'e2e'
  ): Promise<Agent> {
    const [program, ...args] = command;
    const transport = new StdioClientTransport({
      command: program,
      args,
      env,
      cwd,
      stderr: 'pipe'
    });
    const stderr: string[] = [];
    transport.stderr?.on('data', (text: Buffer) => stderr.push(String(text)));
    const client = new Client({ name, version: '1.0.0' });
    await client.connect(transport);
    return new Agent(client, transport, stderr);
  }

  /** Starts the bridge in a home folder, where it finds that home's servers. */
  static in(home: Home, args: readonly string[] = [], name = 'e2e') {
    return Agent.start([...BRIDGE, ...args], home.env, home.root, name);
  }

  /** What the bridge wrote for people. */
  get stderr(): string {
    return this._stderr.join('');
  }

  get pid(): number | null {
    return this._transport.pid;
  }

  async call(
    name: string,
    args: Record<string, unknown> = {},
    options: {
      timeout?: number;
      signal?: AbortSignal;
      onprogress?: (progress: Progress) => void;
    } = {}
  ): Promise<IReply> {
    const began = performance.now();
    const result = await this.client.callTool(
      { name, arguments: args },
      undefined,
      options
    );
    const ms = performance.now() - began;
    const structured = record(result.structuredContent);
    const content = Array.isArray(result.content) ? result.content : [];
    return {
      isError: result.isError === true,
      code: structured.code,
      message: String(structured.message ?? ''),
      data: record(structured.data),
      truncation: structured.truncation,
      structured,
      content,
      bytes: Buffer.byteLength(JSON.stringify(structured)),
      ms
    };
  }

  /** Calls until it is no longer refused: the tab is found meanwhile. */
  async untilConnected(limitMs = 20_000): Promise<void> {
    const end = Date.now() + limitMs;
    for (;;) {
      const reply = await this.call('get_context');
      if (!reply.isError) {
        return;
      }
      if (Date.now() > end) {
        throw new Error(
          `Not connected after ${limitMs} ms: ${reply.message}\n${this.stderr}`
        );
      }
      await pause(100);
    }
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}
