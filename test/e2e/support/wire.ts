import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** What a wire does with what it is given. */
type State = 'open' | 'silent' | 'cut';

/** One connection through the wire: both ends. */
interface IPair {
  readonly ends: readonly [Socket, Socket];
  /** Whether it carries a WebSocket. */
  isSocket: boolean;
  /** Carries nothing any more, whatever becomes of the wire. */
  isStranded: boolean;
}

/**
 * A network between two programs of this machine that can fail: a TCP proxy
 * before a port. What it holds back is not lost, as in a real network, where
 * it is sent again.
 */
export class Wire {
  private constructor(
    private readonly _server: Server,
    private readonly _port: number
  ) {
    _server.on('connection', socket => this._accept(socket));
  }

  /** A wire to a port of the loopback interface, as it is: open. */
  static async to(port: number): Promise<Wire> {
    const server = createServer();
    const wire = new Wire(server, port);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return wire;
  }

  /** Where it is entered. */
  get url(): string {
    const address = this._server.address();
    if (typeof address !== 'object' || address === null) {
      throw new Error('The wire was closed');
    }
    return `http://127.0.0.1:${address.port}/`;
  }

  /** Connections that are open now. */
  get connections(): number {
    return this._pairs.size;
  }

  /** Passes nothing on, and says nothing of it: sockets stay open. */
  silence(): void {
    this._set('silent');
  }

  /** Resets every connection, and each that is tried. */
  cut(): void {
    this._set('cut');
    this._end();
  }

  /**
   * Passes everything on again: what was held back too, or, with `strand`,
   * only what comes by new connections. WebSockets then stay as they are, open
   * and dead, as when a router on the way has forgotten them; other
   * connections, which browsers test themselves, are reset.
   */
  mend({ strand = false } = {}): void {
    if (strand) {
      this._end(({ isSocket }) => !isSocket);
      this._pairs.forEach(pair => (pair.isStranded = true));
    }
    this._set('open');
  }

  close(): void {
    this._end();
    this._server.close();
  }

  private _set(state: State): void {
    this._state = state;
    this._pairs.forEach(pair => this._flow(pair));
  }

  private _end(which: (pair: IPair) => boolean = () => true): void {
    for (const pair of [...this._pairs].filter(which)) {
      pair.ends.forEach(end => end.resetAndDestroy());
      this._pairs.delete(pair);
    }
  }

  private _accept(socket: Socket): void {
    if (this._state === 'cut') {
      socket.on('error', () => undefined).resetAndDestroy();
      return;
    }
    const far = connect({ port: this._port, host: '127.0.0.1' });
    const pair: IPair = {
      ends: [socket, far],
      isSocket: false,
      isStranded: false
    };
    this._pairs.add(pair);
    for (const [from, to] of [
      [socket, far],
      [far, socket]
    ]) {
      from.setNoDelay(true);
      from.on('data', (chunk: Buffer) => {
        pair.isSocket ||=
          from === socket && /^upgrade: websocket/im.test(String(chunk));
        to.write(chunk);
      });
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
      from.on('close', () => {
        to.destroy();
        this._pairs.delete(pair);
      });
    }
    this._flow(pair);
  }

  /** A stream that is paused reads nothing: neither data nor the end. */
  private _flow({ ends, isStranded }: IPair): void {
    const silent = isStranded || this._state === 'silent';
    ends.forEach(end => (silent ? end.pause() : end.resume()));
  }

  private _state: State = 'open';
  private readonly _pairs = new Set<IPair>();
}
