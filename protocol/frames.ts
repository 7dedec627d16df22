import type { Scope } from './scopes';

/**
 * What tab and bridge say to each other through the relay.
 *
 * A WebSocket message is `<peer>\n<body>`: the relay reads the first line,
 * puts the sender's own id in its place and hands the rest on unread. The
 * body is one JSON object below. An empty first line is the relay's own.
 */

/** Both sides work together while this number is the same. */
export const PROTOCOL_VERSION = 1;

/** The longest message in bytes; the sender checks it (`too_large`). */
export const MAX_FRAME_BYTES = 4 * 1024 * 1024;

/** A JSON-RPC message, as the MCP SDK makes it; the frames don't look inside. */
export type RpcMessage = Record<string, unknown>;

/** What the relay itself says to a client. */
export type RelayToClient =
  /** First message: the tabs that are connected, by peer id. */
  | { type: 'tabs'; version: number; tabs: string[] }
  | { type: 'tab-opened'; peer: string }
  /** Also the answer to a frame for a tab that is gone. */
  | { type: 'tab-closed'; peer: string };

/** What the relay itself says to a tab. */
export type RelayToTab =
  { type: 'ready'; version: number } | { type: 'client-closed'; peer: string };

/** A notebook as the tab announces it, for choosing a tab. */
export interface ITabNotebook {
  path: string;
  dirty: boolean;
  /** Whether the document is shared with other tabs by collaboration. */
  shared: boolean;
}

/** What a tab tells each client at hello and whenever it changes. */
export interface ITabState {
  /** Survives a reload; a duplicated tab gets its own. */
  id: string;
  title: string;
  user: string;
  /** The server's root folder, as far as the page knows it. */
  root: string;
  /** The page's address without query and fragment. */
  url: string;
  notebooks: ITabNotebook[];
  kernels: string[];
  dialogs: string[];
  /** Pending ids of the client that is told. */
  pending: string[];
}

export type ClientToTab =
  | {
      type: 'hello';
      version: number;
      client: {
        /** 128 random bits in hex; never shown. */
        id: string;
        name: string;
        version: string;
      };
      scope: Scope;
    }
  | { type: 'mcp'; message: RpcMessage }
  /** Answered at once with the same number, by a handler that needs no timer. */
  | { type: 'ping'; n: number }
  | { type: 'bye' };

export type TabToClient =
  | { type: 'hello'; version: number; tab: ITabState }
  | { type: 'state'; tab: ITabState }
  | { type: 'mcp'; message: RpcMessage }
  | { type: 'pong'; n: number }
  /** The person turned the bridge off in this page, which hangs up now. */
  | { type: 'off' }
  /** The version of the hello is not this side's: names which side to update. */
  | { type: 'outdated'; version: number; message: string };

/** Metadata keys with this prefix never leave the bridge outward. */
export const META_PREFIX = 'jupyterlab-mcp-bridge/';

/** With a call: the audit entry that was written before it. */
export const META_AUDIT_ID = 'jupyterlab-mcp-bridge/auditId';

/**
 * With a call, when several tabs are connected: `{id, title, server}`, which
 * the tab puts into `data.tab` so that its cap counts it.
 */
export const META_TAB = 'jupyterlab-mcp-bridge/tab';

/** With a request of the tab to its client: the id of the call it belongs to. */
export const META_RELATED = 'jupyterlab-mcp-bridge/relatedRequest';

/** With a listed tool that the catalogue does not hold: its scope. */
export const META_SCOPE = 'jupyterlab-mcp-bridge/scope';

/** Joins peer and body to one WebSocket message. */
export function packFrame(
  peer: string,
  body: ClientToTab | TabToClient
): string {
  return `${peer}\n${JSON.stringify(body)}`;
}

/** Takes a WebSocket message apart; null when it is none of ours. */
export function unpackFrame(
  message: string
): { peer: string; body: { type: string } & Record<string, unknown> } | null {
  const end = message.indexOf('\n');
  if (end < 0) {
    return null;
  }
  try {
    const body: unknown = JSON.parse(message.slice(end + 1));
    if (
      typeof body === 'object' &&
      body !== null &&
      'type' in body &&
      typeof body.type === 'string'
    ) {
      return {
        peer: message.slice(0, end),
        body: body as { type: string } & Record<string, unknown>
      };
    }
  } catch {
    // Not JSON: as good as not sent.
  }
  return null;
}

/** The length of a message in bytes of UTF-8, without encoding it. */
export function frameBytes(message: string): number {
  let bytes = message.length;
  for (let i = 0; i < message.length; i++) {
    const unit = message.charCodeAt(i);
    if (unit > 0x7f) {
      // Half of a pair is two of its four bytes; a lone one is sent as U+FFFD.
      bytes += unit > 0x7ff && !isPaired(message, i) ? 2 : 1;
    }
  }
  return bytes;
}

function isPaired(text: string, i: number): boolean {
  const unit = text.charCodeAt(i) & 0xfc00;
  return unit === 0xd800
    ? (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00
    : unit === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800;
}
