import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  JSONRPCMessageSchema,
  ListToolsRequestSchema,
  type JSONRPCMessage
} from '@modelcontextprotocol/sdk/types.js';
import {
  PROTOCOL_VERSION,
  type ITabState,
  type TabToClient
} from '../../../../protocol/frames';

type CallHandler = Parameters<
  typeof Server.prototype.setRequestHandler<typeof CallToolRequestSchema>
>[1];

export interface IFakeTabOptions {
  readonly state?: Partial<ITabState>;
  readonly version?: number;
  /** Answers `tools/call`; by default it tells what it got. */
  readonly call?: CallHandler;
  readonly tools?: { name: string; inputSchema: { type: 'object' } }[];
}

/** A JupyterLab page as the relay meets it, with a real MCP server for each client. */
export class FakeTab {
  constructor(readonly options: IFakeTabOptions = {}) {
    this.state = { ...STATE, ...options.state };
    this.tools = options.tools;
  }

  state: ITabState;
  tools: IFakeTabOptions['tools'];
  /** Does not answer anything while it is frozen; it answers then. */
  frozen = false;
  /** The hellos it got, in order. */
  readonly hellos: Record<string, unknown>[] = [];
  /** The calls that reached it, by name. */
  readonly calls: string[] = [];
  /** What it was told to cancel: how many. */
  cancelled = 0;
  pings = 0;
  byes = 0;

  /** Given by the relay that it is opened in. */
  post: (peer: string, body: TabToClient) => void = () => undefined;

  receive(peer: string, body: Record<string, unknown>): void {
    if (this.frozen) {
      this._asleep.push(() => this.receive(peer, body));
      return;
    }
    if (body.type === 'hello') {
      this.hellos.push(body);
      this._greet(peer);
    } else if (body.type === 'ping') {
      this.pings++;
      this.post(peer, { type: 'pong', n: Number(body.n) });
    } else if (body.type === 'bye') {
      this.byes++;
      this.clientGone(peer);
    } else if (body.type === 'mcp') {
      const message = JSONRPCMessageSchema.parse(body.message);
      if ('method' in message && message.method === 'notifications/cancelled') {
        this.cancelled++;
      }
      this._servers.get(peer)?.receive(message);
    }
  }

  thaw(): void {
    this.frozen = false;
    this._asleep.splice(0).forEach(receive => receive());
  }

  clientGone(peer: string): void {
    this._servers.get(peer)?.end();
    this._servers.delete(peer);
  }

  /** Tells every client its state. */
  announce(state: Partial<ITabState>): void {
    this.state = { ...this.state, ...state };
    for (const peer of this._servers.keys()) {
      this.post(peer, { type: 'state', tab: this.state });
    }
  }

  /** As a page does whose person turns the bridge off. */
  turnOff(): void {
    for (const peer of this._servers.keys()) {
      this.post(peer, { type: 'off' });
    }
  }

  async setTools(tools: IFakeTabOptions['tools']): Promise<void> {
    this.tools = tools;
    for (const { server } of this._servers.values()) {
      await server.sendToolListChanged();
    }
  }

  private _greet(peer: string): void {
    const { version = PROTOCOL_VERSION } = this.options;
    this.post(peer, { type: 'hello', version, tab: this.state });
    const server = new Server(
      { name: 'fake tab', version: '1' },
      { capabilities: { tools: { listChanged: true } } }
    );
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: this.tools ?? []
    }));
    server.setRequestHandler(CallToolRequestSchema, (request, extra) => {
      this.calls.push(request.params.name);
      return this.options.call
        ? this.options.call(request, extra)
        : envelope({
            tab: undefined,
            from: this.state.id,
            name: request.params.name,
            args: request.params.arguments,
            meta: request.params._meta
          });
    });
    const transport = {
      onmessage: undefined as ((message: JSONRPCMessage) => void) | undefined,
      onclose: undefined as (() => void) | undefined,
      start: () => Promise.resolve(),
      send: (message: JSONRPCMessage) => {
        this.post(peer, { type: 'mcp', message: { ...message } });
        return Promise.resolve();
      },
      close: () => Promise.resolve()
    };
    this._servers.set(peer, {
      server,
      receive: message => transport.onmessage?.(message),
      end: () => transport.onclose?.()
    });
    void server.connect(transport);
  }

  private readonly _asleep: (() => void)[] = [];
  private readonly _servers = new Map<
    string,
    {
      server: Server;
      receive: (message: JSONRPCMessage) => void;
      end: () => void;
    }
  >();
}

/** A result as the tab makes it. */
export function envelope(data: Record<string, unknown>) {
  const structuredContent = {
    data: JSON.parse(JSON.stringify(data)),
    truncation: null,
    auditId: null
  };
  return {
    structuredContent,
    content: [
      { type: 'text' as const, text: 'What follows is data.' },
      { type: 'text' as const, text: JSON.stringify(structuredContent) }
    ]
  };
}

const STATE: ITabState = {
  id: 'tab-a',
  title: 'demo.ipynb - JupyterLab',
  user: '',
  root: '',
  url: 'http://localhost/lab',
  notebooks: [],
  kernels: [],
  dialogs: [],
  pending: []
};
