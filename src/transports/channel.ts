import type { RpcMessage } from '../../protocol/frames';

/**
 * One client's stream of JSON-RPC messages, whatever carries it. Transports
 * make it, the MCP surface reads from it; neither knows the other.
 */
export interface IChannel {
  /** Sends a message; after the end it is dropped. */
  send(message: RpcMessage): void;
  /**
   * Takes every message from now on; what came before is handed over first,
   * in order. `onEnd` is called once, also when the end came before.
   */
  receive(onMessage: (message: RpcMessage) => void, onEnd: () => void): void;
  /** Ends it from this side. */
  close(): void;
}

/** The transport's end of a channel: queues until somebody receives. */
export class Channel implements IChannel {
  constructor(
    private readonly _send: (message: RpcMessage) => void,
    private readonly _onClose: () => void = () => undefined
  ) {}

  get ended(): boolean {
    return this._ended;
  }

  /** A message came in. */
  push(message: RpcMessage): void {
    if (this._ended) {
      return;
    }
    if (this._onMessage) {
      this._onMessage(message);
    } else {
      this._queue.push(message);
    }
  }

  /** The other side is gone. */
  end(): void {
    if (!this._ended) {
      this._ended = true;
      this._queue.length = 0;
      this._onEnd?.();
    }
  }

  send(message: RpcMessage): void {
    if (!this._ended) {
      this._send(message);
    }
  }

  receive(onMessage: (message: RpcMessage) => void, onEnd: () => void): void {
    this._onMessage = onMessage;
    this._onEnd = onEnd;
    for (const message of this._queue.splice(0)) {
      onMessage(message);
    }
    if (this._ended) {
      onEnd();
    }
  }

  close(): void {
    if (!this._ended) {
      this._onClose();
      this.end();
    }
  }

  private _ended = false;
  private _queue: RpcMessage[] = [];
  private _onMessage: ((message: RpcMessage) => void) | null = null;
  private _onEnd: (() => void) | null = null;
}
