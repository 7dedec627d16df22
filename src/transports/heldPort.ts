import type { RpcMessage } from '../../protocol/frames';
import { isRecord } from '../../protocol/values';
import type { IClock } from '../calls/types';
import { Channel } from './channel';
import { Pulse } from './pulse';

/** The last word on a port that this page ends, with why. */
export const CLOSED = 'jupyterlab-mcp-bridge:closed';

/** After how long without a word the host is asked whether it is there. */
const IDLE_MS = 60_000;
/** How long it may take to say anything. */
const ANSWER_MS = 30_000;
/** What the ids of these questions begin with; no other request has such. */
const PING = 'jupyterlab-mcp-bridge/ping-';

export interface IHeldPortOptions {
  readonly port: MessagePort;
  readonly clock: IClock;
  /** Whether the page that handed it over is known to be gone. */
  readonly isHostGone: () => boolean;
  readonly onEnd: () => void;
}

/**
 * One port of a host page and the channel on it. Browsers do not say when the
 * other end is gone, so a port that is idle is asked with MCP's `ping`.
 */
export class HeldPort {
  constructor(private readonly _options: IHeldPortOptions) {
    const { port, clock } = _options;
    this.channel = new Channel(
      message => port.postMessage(message),
      () => this._close()
    );
    this._pulse = new Pulse({
      clock,
      everyMs: IDLE_MS,
      answerMs: ANSWER_MS,
      ask: () => this._ask(),
      isNeeded: () => !this.channel.ended,
      dead: () => this.end('Nothing was heard on this port, no answer either.')
    });
    this._heard();
    port.onmessage = (event: MessageEvent<unknown>) => {
      this._heard();
      if (!isRecord(event.data)) {
        // Of what is nested too deeply Chromium makes null, without an error.
        this.channel.send(UNREADABLE);
      } else if (!isPong(event.data)) {
        this.channel.push(event.data);
      }
    };
    port.onmessageerror = () => {
      this._heard();
      this.channel.send(UNREADABLE);
    };
    // Sent by some browsers when the other page goes.
    port.addEventListener('close', () => this.end());
  }

  readonly channel: Channel;

  /** When the host said something last, by the clock. */
  get heardAt(): number {
    return this._heardAt;
  }

  get isHostGone(): boolean {
    return this._options.isHostGone();
  }

  /** @param reason - why, for the host; without one nobody is there to hear */
  end(reason?: string): void {
    if (reason !== undefined && !this.channel.ended) {
      this._options.port.postMessage({ type: CLOSED, reason });
    }
    this._close();
    this.channel.end();
  }

  private _heard(): void {
    this._heardAt = this._options.clock.now();
    this._pulse.heard();
  }

  private _ask(): void {
    if (this.isHostGone) {
      this.end();
    } else {
      const id = `${PING}${++this._asked}`;
      this.channel.send({ jsonrpc: '2.0', id, method: 'ping' });
    }
  }

  private _close(): void {
    const { port, onEnd } = this._options;
    this._pulse.stop();
    port.onmessage = null;
    port.onmessageerror = null;
    port.close();
    onEnd();
  }

  private _asked = 0;
  private _heardAt = 0;
  private readonly _pulse: Pulse;
}

/** What is answered to what is no message, or none that the browser can read. */
const UNREADABLE: RpcMessage = {
  jsonrpc: '2.0',
  id: null,
  error: {
    code: -32700,
    message: 'Parse error: no object came, or one that is nested too deeply.'
  }
};

/** The answer to one of the questions above: nobody else waits for it. */
function isPong({ id, method }: RpcMessage): boolean {
  return typeof id === 'string' && id.startsWith(PING) && method === undefined;
}
