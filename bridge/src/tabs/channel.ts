import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  JSONRPCMessageSchema,
  type JSONRPCMessage,
  type RequestId
} from '@modelcontextprotocol/sdk/types.js';
import type { RpcMessage } from '../../../protocol/frames';

/**
 * One MCP conversation on the relay's shared socket. Messages are delivered
 * one after the other, each after what the one before it started has run: the
 * SDK handles a notification a turn later than a response, and would drop
 * progress that comes together with its result.
 */
export class ChannelTransport implements Transport {
  /** @param _post - sends; what it throws rejects the request. */
  constructor(private readonly _post: (message: RpcMessage) => void) {}

  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  onerror?: (error: Error) => void;

  /** The id of the last request that went out. */
  lastRequestId: RequestId | null = null;

  start(): Promise<void> {
    this._started();
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message && 'id' in message) {
      this.lastRequestId = message.id;
    }
    this._post({ ...message });
  }

  /** A message came from the other side. */
  deliver(message: unknown): void {
    this._enqueue(() => {
      const parsed = JSONRPCMessageSchema.safeParse(message);
      if (parsed.success) {
        this.onmessage?.(parsed.data);
      } else {
        this.onerror?.(new Error('A message of the tab is not JSON-RPC.'));
      }
    });
  }

  /** The other side went; what it had sent is delivered first. */
  disconnected(): void {
    this._enqueue(() => void this.close());
  }

  close(): Promise<void> {
    if (!this._closed) {
      this._closed = true;
      this.onclose?.();
    }
    return Promise.resolve();
  }

  private _enqueue(action: () => void): void {
    this._queue = this._queue.then(() => {
      try {
        if (!this._closed) {
          action();
        }
      } catch (error) {
        this.onerror?.(error instanceof Error ? error : new Error('failed'));
      }
    });
  }

  private _started: () => void = () => undefined;
  private _queue = new Promise<void>(resolve => {
    this._started = resolve;
  });
  private _closed = false;
}
