import { createServer, type IncomingMessage, type Server } from 'node:http';
import {
  createServer as createTlsServer,
  type ServerOptions
} from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { PROTOCOL_VERSION } from '../../../../protocol/frames';
import type { FakeTab } from './fakeTab';

export interface IFakeRelayOptions {
  readonly token?: string | null;
  readonly base?: string;
  readonly host?: string;
  readonly port?: number;
  readonly version?: number;
  /** Answers every request with this instead. */
  readonly status?: number;
  readonly tls?: ServerOptions;
  /** Closes each client with this code as soon as it is in. */
  readonly closeWith?: number;
}

/** A Jupyter server with the relay in it, as far as clients see. */
export class FakeRelay {
  private constructor(
    private readonly _server: Server,
    readonly options: IFakeRelayOptions
  ) {
    this._sockets = new WebSocketServer({
      noServer: true,
      maxPayload: 5 * 1024 * 1024
    });
    this._server.on('connection', (socket: Socket) => {
      this._raw.add(socket);
      socket.on('close', () => this._raw.delete(socket));
    });
    this._server.on('upgrade', (request, socket, head) => {
      this.requests.push(request);
      const status = this._refusal(request);
      if (status !== null) {
        socket.end(
          `HTTP/1.1 ${status} No\r\nLocation: /login\r\nContent-Length: 0\r\n\r\n`
        );
        return;
      }
      this._sockets.handleUpgrade(request, socket, head, ws => this._join(ws));
    });
  }

  static async start(options: IFakeRelayOptions = {}): Promise<FakeRelay> {
    const server = options.tls
      ? createTlsServer(options.tls)
      : createServer((_request, response) => response.writeHead(404).end());
    const relay = new FakeRelay(server, options);
    const { port = 0, host = '127.0.0.1' } = options;
    await new Promise<void>(resolve => server.listen(port, host, resolve));
    return relay;
  }

  get port(): number {
    return (this._server.address() as AddressInfo).port;
  }

  get url(): string {
    const { base = '/', host = '127.0.0.1', tls } = this.options;
    return `${tls ? 'https' : 'http'}://${host}:${this.port}${base}`;
  }

  /** The upgrade requests it got. */
  readonly requests: IncomingMessage[] = [];

  get clients(): number {
    return this._clients.size;
  }

  openTab(tab: FakeTab): string {
    const peer = `tab${++this._n}`;
    this._tabs.set(peer, tab);
    tab.post = (to, body) =>
      this._clients.get(to)?.send(`${peer}\n${JSON.stringify(body)}`);
    this._notice({ type: 'tab-opened', peer });
    return peer;
  }

  closeTab(peer: string): void {
    this._tabs.delete(peer);
    this._notice({ type: 'tab-closed', peer });
  }

  /** Sends a client whatever the test wants. */
  raw(message: string): void {
    this._clients.forEach(client => client.send(message));
  }

  /** Cuts the connections without a word, and answers no ping any more. */
  hang(): void {
    this._clients.forEach(client => client.pause());
  }

  async stop(): Promise<void> {
    this._raw.forEach(socket => socket.destroy());
    await new Promise(resolve => this._server.close(resolve));
  }

  private _refusal({ url, headers }: IncomingMessage): number | null {
    const { token = 'secret-token', base = '/', status } = this.options;
    if (status !== undefined) {
      return status;
    }
    if (url !== `${base}mcp-bridge/client`) {
      return 404;
    }
    if (
      headers.origin !== undefined ||
      (token !== null && headers.authorization !== `token ${token}`)
    ) {
      return 403;
    }
    return null;
  }

  private _join(socket: WebSocket): void {
    const peer = `client${++this._n}`;
    this._clients.set(peer, socket);
    const { version = PROTOCOL_VERSION, closeWith } = this.options;
    const tabs = [...this._tabs.keys()];
    socket.send(`\n${JSON.stringify({ type: 'tabs', version, tabs })}`);
    socket.on('message', data => {
      const [to, ...rest] = String(data).split('\n');
      const tab = this._tabs.get(to);
      if (tab) {
        tab.receive(peer, JSON.parse(rest.join('\n')));
      } else {
        socket.send(`\n${JSON.stringify({ type: 'tab-closed', peer: to })}`);
      }
    });
    socket.on('close', () => {
      this._clients.delete(peer);
      this._tabs.forEach(tab => tab.clientGone(peer));
    });
    if (closeWith !== undefined) {
      socket.close(closeWith);
    }
  }

  private _notice(notice: object): void {
    this._clients.forEach(client => client.send(`\n${JSON.stringify(notice)}`));
  }

  private _n = 0;
  private readonly _sockets: WebSocketServer;
  private readonly _raw = new Set<Socket>();
  private readonly _clients = new Map<string, WebSocket>();
  private readonly _tabs = new Map<string, FakeTab>();
}
