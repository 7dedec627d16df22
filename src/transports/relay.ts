import {
  MAX_FRAME_BYTES,
  PROTOCOL_VERSION,
  frameBytes,
  packFrame,
  unpackFrame,
  type TabToClient
} from '../../protocol/frames';
import { olderOf, worksWith } from '../../protocol/versions';
import type { IClock } from '../calls/types';
import { Pulse } from './pulse';
import type { RelayState } from './relayState';

/** The part of a WebSocket that is used. */
export interface ISocket {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  send(data: string): void;
  close(): void;
}

/** What came from one peer; `body` is not yet checked further. */
export interface IPeers {
  receive(peer: string, body: Record<string, unknown> & { type: string }): void;
  gone(peer: string): void;
  /** The connection is lost: every peer is gone. */
  allGone(): void;
  /** How many there are. */
  readonly size: number;
}

export interface IRelayOptions {
  /** Opens the WebSocket to the relay. */
  dial(): ISocket;
  /** Why dialling may have failed, asked over plain HTTP. */
  probe(): Promise<'absent' | 'refused' | 'unreachable' | 'there'>;
  readonly clock: IClock;
  /** From 0 to below 1, so that many tabs don't come back at once. */
  random(): number;
  /** What is done with what peers send. */
  readonly peers: IPeers;
  onState(state: RelayState): void;
  /**
   * Connected again after the way had been dead without a word: other sockets
   * to the same server will be as dead.
   */
  onRevived(): void;
}

const FIRST_WAIT = 500;
const LONGEST_WAIT = 30000;
/** How long the relay may take to greet. */
const GREETING = 20000;
/** To a peer that cannot be: the relay answers that it is closed. */
const QUESTION = 'pulse\n{}';

/**
 * The tab's one WebSocket to the relay (contract: The pieces). It dials again
 * whenever it is lost, and sends nothing of itself while no client is there: a
 * server that nobody uses may be culled.
 */
export class Relay {
  constructor(private readonly _options: IRelayOptions) {
    const { clock, peers } = _options;
    this._pulse = new Pulse({
      clock,
      ask: () => this._ready && this._socket?.send(QUESTION),
      isNeeded: () => peers.size > 0,
      dead: () => this._dead()
    });
  }

  /** Dials, and keeps dialling until disposed. */
  start(): void {
    if (!this._running) {
      this._running = true;
      this._dial();
    }
  }

  /**
   * Something happened that makes another try worthwhile (network back, page
   * shown or thawed): dials now instead of after the wait, and asks whether a
   * socket that is open still carries anything.
   */
  nudge(): void {
    if (this._running && !this._socket && !this._probing) {
      this._waiting?.dispose();
      this._failures = 0;
      this._dial();
    } else if (this._ready) {
      this._pulse.check();
    }
  }

  dispose(): void {
    if (this._running) {
      this._running = false;
      this._waiting?.dispose();
      this._waiting = null;
      const socket = this._socket;
      this._drop();
      socket?.close();
      this._options.onState('off');
    }
  }

  /**
   * Sends a body to a peer.
   * @returns false when it is too long for a frame or nothing is connected.
   */
  send(peer: string, body: TabToClient): 'sent' | 'too_large' | 'lost' {
    if (!this._socket || !this._ready) {
      return 'lost';
    }
    const message = packFrame(peer, body);
    if (
      // Most are so short that they need no counting.
      message.length * 3 > MAX_FRAME_BYTES &&
      frameBytes(message) > MAX_FRAME_BYTES
    ) {
      return 'too_large';
    }
    this._socket.send(message);
    return 'sent';
  }

  private _dial(): void {
    this._waiting = null;
    if (!this._everReady) {
      this._options.onState('connecting');
    }
    let socket: ISocket;
    try {
      socket = this._options.dial();
    } catch {
      this._retry('offline');
      return;
    }
    this._socket = socket;
    this._greeting = this._options.clock.after(GREETING, () => this._dead());
    let opened = false;
    socket.onopen = () => {
      opened = true;
    };
    socket.onmessage = (event: { data: unknown }) => {
      if (socket === this._socket && typeof event.data === 'string') {
        this._receive(event.data);
        this._pulse.heard();
      }
    };
    socket.onclose = () => {
      if (socket === this._socket) {
        this._drop();
        if (opened) {
          this._retry('offline');
        } else {
          void this._diagnose();
        }
      }
    };
  }

  private _receive(message: string): void {
    const frame = unpackFrame(message);
    if (!frame) {
      return;
    }
    const { peer, body } = frame;
    if (peer !== '') {
      this._options.peers.receive(peer, body);
    } else if (body.type === 'ready') {
      const version = typeof body.version === 'number' ? body.version : 0;
      this._failures = 0;
      this._greeting?.dispose();
      if (worksWith(version)) {
        this._ready = true;
        this._everReady = true;
        this._options.onState('connected');
        if (this._wasDead) {
          this._wasDead = false;
          this._options.onRevived();
        }
      } else {
        const older = olderOf<RelayState>(
          { name: 'server-outdated', version },
          { name: 'page-outdated', version: PROTOCOL_VERSION }
        );
        this._options.onState(older);
      }
    } else if (body.type === 'client-closed' && typeof body.peer === 'string') {
      this._options.peers.gone(body.peer);
    }
  }

  /** Open, as far as the browser knows, but nothing comes any more. */
  private _dead(): void {
    const socket = this._socket;
    this._wasDead ||= this._ready;
    this._drop();
    socket?.close();
    this._retry('offline');
  }

  /** The socket never opened: the browser doesn't say why, so ask. */
  private async _diagnose(): Promise<void> {
    this._probing = true;
    const found = await this._options.probe().catch(() => 'unreachable');
    this._probing = false;
    if (!this._running) {
      return;
    }
    if (found === 'absent' && !this._everReady) {
      // No relay here (JupyterLite, or the server extension is missing).
      this._options.onState('absent');
      return;
    }
    this._retry(found === 'refused' ? 'refused' : 'offline');
  }

  private _retry(state: RelayState): void {
    if (!this._running) {
      return;
    }
    this._options.onState(state);
    const longest = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this._failures);
    this._failures++;
    this._waiting = this._options.clock.after(
      longest * (0.5 + this._options.random() / 2),
      () => this._dial()
    );
  }

  private _drop(): void {
    this._socket = null;
    this._ready = false;
    this._greeting?.dispose();
    this._pulse.stop();
    this._options.peers.allGone();
  }

  private _running = false;
  private _probing = false;
  private _ready = false;
  private _wasDead = false;
  private _everReady = false;
  private _failures = 0;
  private _socket: ISocket | null = null;
  private _waiting: { dispose(): void } | null = null;
  private _greeting: { dispose(): void } | null = null;
  private readonly _pulse: Pulse;
}
