import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  JSONRPCMessageSchema,
  type JSONRPCMessage
} from '@modelcontextprotocol/sdk/types.js';

const LINE_BREAK = 0x0a;

/**
 * MCP's stdio transport: one JSON message a line. Unlike the SDK's own it
 * answers a line that is no message with a protocol error, takes a line of any
 * length in linear time (what is too large for a tab is refused where that can
 * be answered), and ends when its input does.
 */
export class LineTransport implements Transport {
  constructor(
    private readonly _input: Readable,
    private readonly _output: Writable
  ) {}

  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  onerror?: (error: Error) => void;

  start(): Promise<void> {
    this._input.on('data', this._read);
    this._input.once('end', this._end);
    this._input.once('close', this._end);
    this._input.once('error', this._end);
    // The reader went: nobody is left to answer.
    this._output.once('error', this._end);
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this._write(message);
  }

  close(): Promise<void> {
    if (!this._closed) {
      this._closed = true;
      this._input.off('data', this._read);
      this._input.pause();
      this.onclose?.();
    }
    return Promise.resolve();
  }

  private readonly _end = () => void this.close();

  private readonly _read = (chunk: Buffer) => {
    let start = 0;
    for (
      let end = chunk.indexOf(LINE_BREAK);
      end >= 0;
      end = chunk.indexOf(LINE_BREAK, start)
    ) {
      this._parts.push(chunk.subarray(start, end));
      start = end + 1;
      const line = Buffer.concat(this._parts).toString('utf8');
      this._parts = [];
      this._take(line);
    }
    if (start < chunk.length) {
      this._parts.push(chunk.subarray(start));
    }
  };

  private _take(line: string): void {
    if (line.trim() === '') {
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      void this._refuse(null, ErrorCode.ParseError, 'Parse error');
      return;
    }
    const message = JSONRPCMessageSchema.safeParse(value);
    if (message.success) {
      this.onmessage?.(message.data);
    } else {
      void this._refuse(
        idOf(value),
        ErrorCode.InvalidRequest,
        'Invalid Request'
      );
    }
  }

  private _refuse(
    id: string | number | null,
    code: number,
    message: string
  ): Promise<void> {
    return this._write({ jsonrpc: '2.0', id, error: { code, message } });
  }

  private _write(message: object): Promise<void> {
    return new Promise(resolve => {
      if (
        !this._output.writable ||
        this._output.write(`${JSON.stringify(message)}\n`)
      ) {
        resolve();
      } else {
        this._output.once('drain', resolve);
      }
    });
  }

  private _parts: Buffer[] = [];
  private _closed = false;
}

function idOf(value: unknown): string | number | null {
  if (typeof value === 'object' && value !== null && 'id' in value) {
    const { id } = value;
    return typeof id === 'string' || typeof id === 'number' ? id : null;
  }
  return null;
}
