import {
  PROTOCOL_VERSION,
  type ITabState,
  type RpcMessage,
  type TabToClient
} from '../../protocol/frames';
import { isScope, type Scope } from '../../protocol/scopes';
import { olderOf, worksWith } from '../../protocol/versions';
import type { IClient } from '../calls/types';
import type { IChanges } from '../surfaces/changes';
import type { Clients } from '../surfaces/clients';
import { Channel, type IChannel } from './channel';
import { tooLargeAnswer } from './tooLarge';
import type { IPeers } from './relay';
import { isRecord } from '../../protocol/values';

export interface IPeerHandlerOptions {
  send(peer: string, body: TabToClient): 'sent' | 'too_large' | 'lost';
  readonly clients: Clients;
  /** What the tab tells this client about itself. */
  state(client: IClient): Promise<ITabState>;
  /** Told when the answer of `state` may have changed. */
  readonly stateChanged: IChanges;
  /** Serves MCP to a client on its channel. */
  serve(channel: IChannel, client: IClient, scope: Scope): Promise<void>;
}

interface IPeer {
  readonly channel: Channel;
  readonly client: IClient;
  /** The last state sent, as JSON; null until hello was answered. */
  told: string | null;
  dispose(): void;
}

/**
 * The clients at the other end of the relay: one logical channel each, on the
 * tab's one WebSocket.
 */
export class Peers implements IPeers {
  constructor(private readonly _options: IPeerHandlerOptions) {
    this._subscription = _options.stateChanged.subscribe(() => this._changed());
  }

  receive(
    peer: string,
    body: Record<string, unknown> & { type: string }
  ): void {
    switch (body.type) {
      case 'ping':
        if (typeof body.n === 'number') {
          this._options.send(peer, { type: 'pong', n: body.n });
        }
        break;
      case 'hello':
        this._hello(peer, body);
        break;
      case 'mcp':
        if (isRecord(body.message)) {
          this._peers.get(peer)?.channel.push(body.message);
        }
        break;
      case 'bye':
        this.gone(peer);
        break;
    }
  }

  gone(peer: string): void {
    const known = this._peers.get(peer);
    if (known) {
      this._peers.delete(peer);
      known.channel.end();
      known.dispose();
    }
  }

  allGone(): void {
    for (const peer of [...this._peers.keys()]) {
      this.gone(peer);
    }
  }

  /** The person turned the bridge off: each is told before all are gone. */
  turnedOff(): void {
    for (const peer of this._peers.keys()) {
      this._options.send(peer, { type: 'off' });
    }
  }

  get size(): number {
    return this._peers.size;
  }

  dispose(): void {
    this.allGone();
    this._subscription.dispose();
  }

  private _hello(peer: string, body: Record<string, unknown>): void {
    const version = typeof body.version === 'number' ? body.version : 0;
    if (!worksWith(version)) {
      const older = olderOf(
        { name: 'the bridge (npm package jupyterlab-mcp-bridge)', version },
        {
          name: 'the JupyterLab extension (Python package jupyterlab_mcp_bridge)',
          version: PROTOCOL_VERSION
        }
      );
      this._options.send(peer, {
        type: 'outdated',
        version: PROTOCOL_VERSION,
        message: `The bridge and the JupyterLab tab speak different versions (${version} and ${PROTOCOL_VERSION}): update ${older}.`
      });
      return;
    }
    const { client, scope } = body;
    if (
      !isRecord(client) ||
      typeof client.id !== 'string' ||
      client.id === '' ||
      !isScope(scope)
    ) {
      return;
    }
    const name = typeof client.name === 'string' ? client.name : '';
    // A second hello of the same peer starts over.
    this.gone(peer);
    const connection = this._options.clients.connect(client.id, name);
    const channel = new Channel(
      message => this._send(peer, message),
      () => this.gone(peer)
    );
    const known: IPeer = {
      channel,
      client: connection.client,
      told: null,
      dispose: () => connection.dispose()
    };
    this._peers.set(peer, known);
    void this._welcome(peer, known, scope);
  }

  private async _welcome(
    peer: string,
    known: IPeer,
    scope: Scope
  ): Promise<void> {
    try {
      const tab = await this._options.state(known.client);
      if (this._peers.get(peer) !== known) {
        return;
      }
      known.told = JSON.stringify(tab);
      this._options.send(peer, {
        type: 'hello',
        version: PROTOCOL_VERSION,
        tab
      });
      // It may have changed while it was being asked for.
      void this._tell(peer, known);
      await this._options.serve(known.channel, known.client, scope);
    } catch (reason) {
      console.error(reason);
      if (this._peers.get(peer) === known) {
        this._options.send(peer, {
          type: 'outdated',
          version: PROTOCOL_VERSION,
          message:
            'The JupyterLab tab could not load its tools, for instance because its server was updated meanwhile: ask the person to reload the page.'
        });
        this.gone(peer);
      }
    }
  }

  private _send(peer: string, message: RpcMessage): void {
    const sent = this._options.send(peer, { type: 'mcp', message });
    if (sent === 'too_large') {
      const answer = tooLargeAnswer(message);
      if (answer) {
        this._options.send(peer, { type: 'mcp', message: answer });
      }
    }
  }

  /** Several changes of one turn are told once. */
  private _changed(): void {
    if (!this._telling && this._peers.size > 0) {
      this._telling = true;
      queueMicrotask(() => {
        this._telling = false;
        for (const [peer, known] of this._peers) {
          void this._tell(peer, known);
        }
      });
    }
  }

  private async _tell(peer: string, known: IPeer): Promise<void> {
    if (known.told === null) {
      return;
    }
    const tab = await this._options.state(known.client);
    const json = JSON.stringify(tab);
    if (this._peers.get(peer) === known && json !== known.told) {
      known.told = json;
      this._options.send(peer, { type: 'state', tab });
    }
  }

  private _telling = false;
  private readonly _subscription: { dispose(): void };
  private readonly _peers = new Map<string, IPeer>();
}
