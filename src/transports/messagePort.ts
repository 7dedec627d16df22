import type { RpcMessage } from '../../protocol/frames';
import type { ISettings } from '../calls/settings';
import { Channel, type IChannel } from './channel';

/** What a host page posts, with one MessagePort, to speak MCP on it. */
export const CONNECT = 'jupyterlab-mcp-bridge:connect';
/** What this page posts to its host when it listens. */
export const READY = 'jupyterlab-mcp-bridge:ready';

export type HostOrigin = ISettings['postMessageOrigins'][number];

/** The part of the page's window that is used. */
export interface IHostedWindow {
  readonly parent: unknown;
  readonly opener: unknown;
  addEventListener(
    type: 'message',
    listener: (event: MessageEvent<unknown>) => void
  ): void;
  removeEventListener(
    type: 'message',
    listener: (event: MessageEvent<unknown>) => void
  ): void;
}

export interface IHostPagesOptions {
  readonly window: IHostedWindow;
  /** Serves MCP to a host page; called once for each port. */
  serve(channel: IChannel, host: HostOrigin): void;
}

/**
 * MCP for a page that shows this one in a frame, or opened it (contract: The
 * pieces). It hands over a MessagePort; that is taken only from the parent or
 * the opener, and only from an origin that the person has named.
 */
export class HostPages {
  constructor(private readonly _options: IHostPagesOptions) {
    _options.window.addEventListener('message', this._onMessage);
  }

  /**
   * Who may connect from now on. Ports of a host that was taken away, or may
   * do something else now, are closed; it can hand over a new one.
   */
  setOrigins(origins: readonly HostOrigin[]): void {
    this._origins = origins;
    for (const [port, host] of this._ports) {
      if (!this._allowed(host.origin, host.scope)) {
        port.end();
      }
    }
    for (const { origin } of origins) {
      this._announce(origin);
    }
  }

  dispose(): void {
    this._options.window.removeEventListener('message', this._onMessage);
    this._origins = [];
    for (const port of this._ports.keys()) {
      port.end();
    }
  }

  private readonly _onMessage = (event: MessageEvent<unknown>): void => {
    const { source, origin, data, ports } = event;
    if (!isConnect(data) || !this._isHost(source) || ports.length !== 1) {
      return;
    }
    const host = this._allowed(origin);
    if (host) {
      this._connect(ports[0], host);
    } else {
      ports[0].close();
    }
  };

  private _connect(port: MessagePort, host: HostOrigin): void {
    const held = new HeldPort(port, () => this._ports.delete(held));
    this._ports.set(held, host);
    this._options.serve(held.channel, host);
  }

  private _allowed(
    origin: string,
    scope?: HostOrigin['scope']
  ): HostOrigin | undefined {
    return this._origins.find(
      host =>
        host.origin === origin && (scope === undefined || host.scope === scope)
    );
  }

  private _isHost(source: unknown): boolean {
    const { window } = this._options;
    return (
      source !== null &&
      source !== window &&
      (source === window.parent || source === window.opener)
    );
  }

  /** The browser delivers it only where the host really is of that origin. */
  private _announce(origin: string): void {
    const { window } = this._options;
    for (const host of [window.parent, window.opener]) {
      if (host !== window && isWindow(host)) {
        host.postMessage({ type: READY }, origin);
      }
    }
  }

  private _origins: readonly HostOrigin[] = [];
  private readonly _ports = new Map<HeldPort, HostOrigin>();
}

/** One port and the channel on it. */
class HeldPort {
  constructor(
    private readonly _port: MessagePort,
    private readonly _onEnd: () => void
  ) {
    this.channel = new Channel(
      message => _port.postMessage(message),
      () => this._close()
    );
    _port.onmessage = (event: MessageEvent<unknown>) => {
      if (isMessage(event.data)) {
        this.channel.push(event.data);
      }
    };
    // Sent by newer browsers when the other page goes.
    _port.addEventListener('close', () => this.end());
  }

  readonly channel: Channel;

  end(): void {
    this._close();
    this.channel.end();
  }

  private _close(): void {
    this._port.onmessage = null;
    this._port.close();
    this._onEnd();
  }
}

function isConnect(data: unknown): boolean {
  return isMessage(data) && data.type === CONNECT;
}

function isMessage(value: unknown): value is RpcMessage {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isWindow(
  value: unknown
): value is { postMessage(message: unknown, origin: string): void } {
  return (
    typeof value === 'object' &&
    value !== null &&
    // Of another origin's window nothing but a few methods may be looked at.
    typeof Reflect.get(value, 'postMessage') === 'function'
  );
}
