import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  ElicitRequestSchema,
  ListToolsResultSchema,
  ResultSchema,
  ToolListChangedNotificationSchema,
  type Implementation,
  type Progress,
  type RequestId,
  type Result
} from '@modelcontextprotocol/sdk/types.js';
import { META_RELATED } from '../../../protocol/frames';
import type { ChannelTransport } from './channel';
import { servedFromTab, withoutOwnMeta, type IServedTool } from './served';

/**
 * How long an answer may take: above a question's ten minutes. The tab's own
 * time-out is far shorter, and the tab always answers.
 */
export const CALL_MS = 11 * 60_000;

/** How long a tab's server may take to start: it loads its code then. */
const CONNECT_MS = 30_000;

/** Puts a tab's question to the person at the client. */
export type Elicit = (
  params: Record<string, unknown>,
  options: {
    relatedRequestId?: RequestId;
    signal: AbortSignal;
    timeout: number;
  }
) => Promise<Result>;

/** What goes with a call beside its arguments. */
export interface ICallOptions {
  readonly signal: AbortSignal;
  /** Gets the progress, all of it before the result. Only where it was asked for. */
  readonly onprogress?: (progress: Progress) => void;
  /** The id of the client's own request. */
  readonly requestId?: RequestId;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/**
 * The MCP client of one external client in one tab. What it declares is what
 * the external client can do and the bridge passes on, nothing more.
 */
export class TabClient {
  constructor(
    private readonly _channel: ChannelTransport,
    info: Implementation,
    elicit: Elicit | null,
    toolsChanged: () => void
  ) {
    this._client = new Client(info, {
      capabilities: elicit ? { elicitation: { form: {} } } : {}
    });
    // Late answers to what was cancelled, and messages that are none.
    this._client.onerror = () => undefined;
    this._client.setNotificationHandler(
      ToolListChangedNotificationSchema,
      toolsChanged
    );
    if (elicit) {
      this._client.setRequestHandler(ElicitRequestSchema, (request, extra) =>
        elicit(withoutOwnMeta(request.params), {
          relatedRequestId: this._outerRequest(request.params._meta),
          signal: extra.signal,
          timeout: CALL_MS
        })
      );
    }
  }

  connect(): Promise<void> {
    return this._client.connect(this._channel, { timeout: CONNECT_MS });
  }

  /** Rejects with the SDK's errors, or with what sending threw. */
  async call(
    name: string,
    args: Record<string, unknown>,
    { signal, onprogress, requestId, meta }: ICallOptions
  ): Promise<Result> {
    const answer = this._client.request(
      {
        method: 'tools/call',
        params: { name, arguments: args, ...(meta ? { _meta: meta } : {}) }
      },
      ResultSchema,
      { signal, onprogress, timeout: CALL_MS, resetTimeoutOnProgress: true }
    );
    // A request is sent before `request` returns.
    const id = this._channel.lastRequestId;
    if (id !== null && requestId !== undefined) {
      this._outer.set(id, requestId);
    }
    try {
      return withoutOwnMeta(await answer);
    } finally {
      if (id !== null) {
        this._outer.delete(id);
      }
    }
  }

  async listTools(): Promise<IServedTool[]> {
    const { tools } = await this._client.request(
      { method: 'tools/list' },
      ListToolsResultSchema
    );
    return tools.map(servedFromTab);
  }

  /** The external request that a request of the tab belongs to. */
  private _outerRequest(
    meta: Readonly<Record<string, unknown>> | undefined
  ): RequestId | undefined {
    const related = meta?.[META_RELATED];
    if (typeof related === 'number' || typeof related === 'string') {
      return this._outer.get(related);
    }
    return this._outer.size === 1 ? [...this._outer.values()][0] : undefined;
  }

  private readonly _client: Client;
  private readonly _outer = new Map<RequestId, RequestId>();
}
