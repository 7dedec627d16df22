import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import type {
  Implementation,
  Result
} from '@modelcontextprotocol/sdk/types.js';
import { PROTOCOL_VERSION, type ITabState } from '../../../protocol/frames';
import type { Scope } from '../../../protocol/scopes';
import { olderOf, worksWith } from '../../../protocol/versions';
import type { IClock } from '../clock';
import type { Log } from '../log';
import { Refusal, unknownOutcome, type INamedCall } from '../refusal';
import { FrameTooLarge, type IRelaySocket } from '../servers/relay';
import type { IServer } from '../servers/server';
import { ChannelTransport } from './channel';
import { Heartbeat, type Pulse } from './heartbeat';
import type { IServedTool } from './served';
import { readTabState } from './state';
import { TabClient, type Elicit, type ICallOptions } from './tabClient';

/** Who calls: one external client. */
export interface IClientIdentity {
  /** 128 random bits in hex; sent in the hello and never shown. */
  readonly id: string;
  readonly info: Implementation;
  readonly scope: Scope;
  /** Null where the client cannot ask its person. */
  readonly elicit: Elicit | null;
}

/** A call that was not sent, because the tab went before: it may go elsewhere. */
export class NotSent extends Error {}

/** One tab, as one external client meets it, until the page goes. */
export class Tab {
  constructor(
    readonly server: IServer,
    private readonly _peer: string,
    private readonly _socket: IRelaySocket,
    private readonly _client: IClientIdentity,
    private readonly _on: {
      clock: IClock;
      log: Log;
      /** Its state, its tools or its usability changed. */
      changed: () => void;
    }
  ) {
    this._heartbeat = new Heartbeat({
      clock: _on.clock,
      ping: n => this._socket.send(this._peer, { type: 'ping', n }),
      serverAlive: ms => this._socket.alive(ms),
      stopped: pulse => this._stopped(pulse)
    });
    const { id, info, scope } = _client;
    this._socket.send(_peer, {
      type: 'hello',
      version: PROTOCOL_VERSION,
      client: { id, name: info.name, version: info.version },
      scope
    });
  }

  /** What the tab told about itself; null until it answered the hello. */
  get state(): ITabState | null {
    return this._state;
  }

  /** Why it cannot be used though it is there; null while it can. */
  get problem(): string | null {
    return this._problem;
  }

  /** What it lists; null until it did. */
  get tools(): readonly IServedTool[] | null {
    return this._tools;
  }

  /** Whether its answer to the hello, or its first list of tools, is still to come. */
  get isGreeting(): boolean {
    return !this._listed && this._problem === null;
  }

  /** Whether the person turned the bridge off in it. */
  get isOff(): boolean {
    return this._isOff;
  }

  /** Whether it is asleep, as far as is known. */
  get isFrozen(): boolean {
    return this._heartbeat.isFrozen;
  }

  /** A frame of the tab. */
  receive(body: { type: string } & Record<string, unknown>): void {
    this._heartbeat.heard();
    switch (body.type) {
      case 'hello':
        this._greeted(Number(body.version), body.tab);
        break;
      case 'state':
        this._state = readTabState(body.tab) ?? this._state;
        this._on.changed();
        break;
      case 'mcp':
        this._channel?.deliver(body.message);
        break;
      case 'off':
        this._isOff = true;
        break;
      case 'outdated':
        this._outdated(Number(body.version));
        break;
    }
  }

  /** Before a call: whether the tab answers. */
  pulse(): Promise<Pulse> {
    return this._heartbeat.pulse();
  }

  /**
   * Calls a tool.
   *
   * @param pending - the earlier call that this one waits for, if it does.
   * @throws Refusal for what the bridge answers itself, NotSent, or the tab's
   * own protocol error.
   */
  async call(
    tool: string,
    args: Record<string, unknown>,
    options: ICallOptions,
    pending: INamedCall | null = null
  ): Promise<Result> {
    const mcp = await this._ready;
    if (this._gone || mcp === null) {
      throw new NotSent();
    }
    const stop = new AbortController();
    const cancel = () => stop.abort(options.signal.reason);
    options.signal.addEventListener('abort', cancel, { once: true });
    this._atWork.add(stop);
    const work = this._heartbeat.begin();
    try {
      return await mcp.call(tool, args, { ...options, signal: stop.signal });
    } catch (error) {
      throw this._explain(error, { tool, args }, pending, options.signal);
    } finally {
      work.dispose();
      this._atWork.delete(stop);
      options.signal.removeEventListener('abort', cancel);
    }
  }

  /** The page is gone, or the way to it. */
  disconnected(): void {
    this._gone = true;
    this._heartbeat.dispose();
    this._channel?.disconnected();
    this._readyNow(null);
  }

  /** The way to it is known to be dead: ends the socket it was reached by. */
  abandon(): void {
    this._socket.terminate();
  }

  /** The external client goes. */
  dispose(): void {
    if (!this._gone) {
      this._socket.send(this._peer, { type: 'bye' });
      this.disconnected();
    }
  }

  private _greeted(version: number, state: unknown): void {
    if (!worksWith(version)) {
      this._outdated(version);
      return;
    }
    const known = readTabState(state);
    if (known === null || this._channel !== null) {
      return;
    }
    this._state = known;
    this._channel = new ChannelTransport(message =>
      this._socket.send(this._peer, { type: 'mcp', message })
    );
    const mcp = new TabClient(
      this._channel,
      this._client.info,
      this._client.elicit,
      () => void this._list(mcp)
    );
    mcp.connect().then(
      () => {
        this._readyNow(mcp);
        void this._list(mcp);
      },
      () => {
        this._fail(
          'its MCP server did not start: reload the page, and look into its console if that does not help'
        );
      }
    );
    this._on.changed();
  }

  private async _list(mcp: TabClient): Promise<void> {
    try {
      this._tools = await mcp.listTools();
    } catch {
      // The catalogue stands in for it.
    }
    this._listed = true;
    this._on.changed();
  }

  private _outdated(version: number): void {
    const older = olderOf(
      { name: 'jupyterlab_mcp_bridge of that server (pip)', version },
      { name: 'jupyterlab-mcp-bridge (npm)', version: PROTOCOL_VERSION }
    );
    this._fail(
      `page and bridge are of versions that do not work together: update ${older}, and reload the page`
    );
  }

  private _fail(problem: string): void {
    if (!this._gone) {
      this._problem = problem;
      this._readyNow(null);
      this._on.log(`a tab of ${this.server.shown}: ${problem}`);
      this._on.changed();
    }
  }

  private _stopped(pulse: 'frozen' | 'lost'): void {
    if (pulse === 'lost') {
      this.abandon();
      return;
    }
    this._atWork.forEach(stop => stop.abort(FROZEN));
  }

  private _explain(
    error: unknown,
    call: INamedCall,
    pending: INamedCall | null,
    signal: AbortSignal
  ): unknown {
    const { tool } = call;
    if (error instanceof FrameTooLarge) {
      return new Refusal(
        'too_large',
        `The arguments of ${tool} make a message of ${error.bytes} bytes, above the 4 MiB that a call may have. Nothing was sent: split it into several calls.`
      );
    }
    if (signal.aborted) {
      return error;
    }
    if (this._gone) {
      return unknownOutcome(
        call,
        this._isOff
          ? 'The person turned the bridge off in the JupyterLab tab (setting bridge)'
          : 'The JupyterLab tab went away (closed, reloaded, or its server or the network to it stopped)',
        pending
      );
    }
    if (this._heartbeat.isFrozen) {
      return unknownOutcome(
        call,
        'The JupyterLab tab stopped answering (the browser froze it in the background: bring it to the front; or the network to it is off)',
        pending
      );
    }
    if (error instanceof McpError && OF_THE_REQUEST.includes(error.code)) {
      return asSent(error);
    }
    this._on.log(`${tool} ended with a protocol error`);
    return unknownOutcome(call, 'The JupyterLab tab failed', pending);
  }

  private readonly _heartbeat: Heartbeat;
  private readonly _atWork = new Set<AbortController>();
  private _state: ITabState | null = null;
  private _problem: string | null = null;
  private _tools: readonly IServedTool[] | null = null;
  private _channel: ChannelTransport | null = null;
  private _listed = false;
  private _gone = false;
  private _isOff = false;
  private _readyNow: (mcp: TabClient | null) => void = () => undefined;
  private readonly _ready = new Promise<TabClient | null>(resolve => {
    this._readyNow = resolve;
  });
}

const FROZEN = 'the tab is frozen';

/** Protocol errors that say something about the request itself. */
const OF_THE_REQUEST: readonly number[] = [
  ErrorCode.InvalidParams,
  ErrorCode.InvalidRequest,
  ErrorCode.MethodNotFound
];

/** The error as the tab sent it: each SDK on the way puts the code before it. */
function asSent({ code, message }: McpError): Error {
  const text = message.replace(/^(MCP error -?\d+: )+/, '');
  return Object.assign(new Error(text), { code });
}
