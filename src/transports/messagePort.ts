import { isRecord } from '../../protocol/values';
import type { ISettings } from '../calls/settings';
import type { IClock } from '../calls/types';
import type { IChannel } from './channel';
import { HeldPort } from './heldPort';

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

/** Ports that one origin may hold; each is a client. */
const MOST = 16;

export interface IHostPagesOptions {
  readonly window: IHostedWindow;
  readonly clock: IClock;
  /** Serves MCP to a host page; called once for each port. */
  serve(
    channel: IChannel,
    host: HostOrigin,
    end: (reason: string) => void
  ): void;
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
    const before = this._origins;
    this._origins = origins;
    for (const [port, host] of this._ports) {
      if (!this._allowed(host.origin, host.scope)) {
        port.end('The settings of this JupyterLab changed.');
      }
    }
    for (const { origin, scope } of origins) {
      // Hosts connect when they hear it: another setting is no reason to.
      if (
        !before.some(host => host.origin === origin && host.scope === scope)
      ) {
        this._announce(origin);
      }
    }
  }

  dispose(): void {
    this._options.window.removeEventListener('message', this._onMessage);
    this._origins = [];
    for (const port of this._ports.keys()) {
      port.end('This JupyterLab takes no host pages any more.');
    }
  }

  private readonly _onMessage = (event: MessageEvent<unknown>): void => {
    const { source, origin, data, ports } = event;
    this._dropClosed();
    if (!isConnect(data) || !this._isHost(source) || ports.length !== 1) {
      return;
    }
    const host = this._allowed(origin);
    if (host) {
      this._connect(ports[0], source, host);
    } else {
      ports[0].close();
    }
  };

  private _connect(port: MessagePort, source: unknown, host: HostOrigin): void {
    this._makeRoom(host.origin);
    const held = new HeldPort({
      port,
      clock: this._options.clock,
      isHostGone: () => isClosed(source),
      onEnd: () => this._ports.delete(held)
    });
    this._ports.set(held, host);
    this._options.serve(held.channel, host, reason => held.end(reason));
  }

  /** The port that was silent for longest goes when its origin has too many. */
  private _makeRoom(origin: string): void {
    const held = [...this._ports.keys()].filter(
      port => this._ports.get(port)?.origin === origin
    );
    if (held.length >= MOST) {
      held.sort((a, b) => a.heardAt - b.heardAt);
      held[0].end(
        `This page may hold ${MOST} ports; this one was silent for longest.`
      );
    }
  }

  /** No event tells that the page that opened this one was closed. */
  private _dropClosed(): void {
    for (const port of this._ports.keys()) {
      if (port.isHostGone) {
        port.end();
      }
    }
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

function isConnect(data: unknown): boolean {
  return isRecord(data) && data.type === CONNECT;
}

/** Of a page of another origin too this can be read. */
function isClosed(source: unknown): boolean {
  return (
    typeof source === 'object' &&
    source !== null &&
    Reflect.get(source, 'closed') === true
  );
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
