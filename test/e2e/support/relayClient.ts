import WebSocket from 'ws';
import {
  packFrame,
  PROTOCOL_VERSION,
  type ITabState,
  unpackFrame
} from '../../../protocol/frames';
import type { Lab } from './lab';
import { pause } from './processes';

/** A client at the relay that only looks which tabs there are. */
export class RelayClient {
  private constructor(private readonly _socket: WebSocket) {
    _socket.on('message', data => this._receive(String(data)));
  }

  static async open(lab: Lab): Promise<RelayClient> {
    const url = `${lab.url.replace('http', 'ws')}mcp-bridge/client`;
    const socket = new WebSocket(url, {
      headers: { Authorization: `token ${lab.token}` }
    });
    const client = new RelayClient(socket);
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return client;
  }

  /** Waits until so many tabs have told their state; their states. */
  async tabs(count: number): Promise<ITabState[]> {
    const end = Date.now() + 20_000;
    while (this._states.size !== count) {
      if (Date.now() > end) {
        throw new Error(`${this._states.size} tabs, not ${count}`);
      }
      await pause(50);
    }
    return [...this._states.values()];
  }

  close(): void {
    this._socket.close();
  }

  private _receive(message: string): void {
    const frame = unpackFrame(message);
    if (!frame) {
      return;
    }
    const { peer, body } = frame;
    if (body.type === 'tabs' && Array.isArray(body.tabs)) {
      body.tabs.map(String).forEach(tab => this._greet(tab));
    } else if (body.type === 'tab-opened') {
      this._greet(String(body.peer));
    } else if (body.type === 'tab-closed') {
      this._states.delete(String(body.peer));
    } else if (body.type === 'hello' || body.type === 'state') {
      this._states.set(peer, body.tab as ITabState);
    }
  }

  private _greet(tab: string): void {
    this._socket.send(
      packFrame(tab, {
        type: 'hello',
        version: PROTOCOL_VERSION,
        client: { id: 'e'.repeat(32), name: 'looker', version: '1' },
        scope: 'read'
      })
    );
  }

  private readonly _states = new Map<string, ITabState>();
}
