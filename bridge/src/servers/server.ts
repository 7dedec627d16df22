/** A Jupyter server that may hold a relay. */
export interface IServer {
  /** Tells it from the others: the name of its file, or of its option. */
  readonly key: string;
  /** Changes when it is to be dialled anew. Never shown: it can hold a token. */
  readonly stamp: string;
  /** Base addresses to try in this order, each ending in a slash. */
  readonly addresses: readonly string[];
  /** The base address for people and agents: no token, no query. */
  readonly shown: string;
  /** The name its certificate must hold, where that is not the address's host. */
  readonly certificateName: string | null;
  /** Its root folder on this machine, where that is known. */
  readonly root: string | null;
  /** Read at each dial. Null: it is asked for without a token. */
  token(): Promise<string | null>;
}

/** A file of the runtime folder that was not used, and why. */
export interface IPassedOver {
  readonly name: string;
  readonly reason: string;
  /** Whether the person would expect it to be used: worth telling the agent. */
  readonly notable: boolean;
}

/** What a look around found. */
export interface IFound {
  readonly servers: readonly IServer[];
  readonly passedOver: readonly IPassedOver[];
}

/** Where servers come from. */
export interface IDiscovery {
  /** Where it looks, for people. */
  readonly place: string;
  scan(): Promise<IFound>;
  /** Calls back when another look may find something else. */
  watch(changed: () => void): { dispose(): void };
}

/** The address of `base` (http or https, ending in a slash) as a WebSocket's. */
export function relayAddress(base: string): string {
  const url = new URL('mcp-bridge/client', base);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

/** An address without user, query and fragment, its path ending in a slash. */
export function baseAddress(url: URL, path = url.pathname): string {
  const base = new URL(url.href);
  base.username = '';
  base.password = '';
  base.search = '';
  base.hash = '';
  // Assigned, not resolved: a path of two slashes would name another host.
  base.pathname = path.endsWith('/') ? path : `${path}/`;
  return base.href;
}
