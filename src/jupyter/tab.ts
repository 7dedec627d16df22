import type { IClock } from '../calls/types';

const KEY = 'jupyterlab-mcp-bridge:tab';
/** How long a twin may take to speak up, in milliseconds. */
const ANSWER = 150;

/** What the identity of a tab is made from; the browser's own by default. */
export interface ITabEnvironment {
  readonly storage: Pick<Storage, 'getItem' | 'setItem'> | null;
  readonly locks: Pick<LockManager, 'request'> | null;
  /** Opens the channel on which tabs of this origin hear each other. */
  channel(name: string): BroadcastChannel | null;
  newId(): string;
}

/**
 * The tab's id. It survives a reload, because it lies in the session storage;
 * a duplicated tab starts with a copy of that storage and takes an id of its
 * own when it finds the first one alive.
 */
export async function claimTabId(
  clock: IClock,
  environment: ITabEnvironment = browserEnvironment()
): Promise<string> {
  const { storage, newId } = environment;
  const stored = read(storage);
  let id = stored ?? newId();
  if (!(await claim(id, clock, environment))) {
    id = newId();
    await claim(id, clock, environment);
  }
  if (id !== stored) {
    try {
      storage?.setItem(KEY, id);
    } catch {
      // No storage: the id lasts until the reload.
    }
  }
  return id;
}

async function claim(
  id: string,
  clock: IClock,
  environment: ITabEnvironment
): Promise<boolean> {
  if (environment.locks) {
    return claimLock(environment.locks, id, clock);
  }
  const channel = environment.channel(KEY);
  return channel ? claimAloud(channel, id, environment.newId(), clock) : true;
}

/** Held for the life of the page; this also keeps Chrome from freezing it. */
function claimLock(
  locks: Pick<LockManager, 'request'>,
  id: string,
  clock: IClock
): Promise<boolean> {
  return new Promise(resolve => {
    const abort = new AbortController();
    // A page that is being reloaded lets go of its lock in a moment.
    const timer = clock.after(ANSWER, () => abort.abort());
    locks
      .request(`${KEY}:${id}`, { signal: abort.signal }, () => {
        timer.dispose();
        resolve(true);
        return new Promise<void>(() => undefined);
      })
      .catch(() => resolve(false));
  });
}

/**
 * Without locks (no secure context): asks aloud, and answers ever after. Of
 * two that ask at once the one with the larger nonce gives way.
 */
function claimAloud(
  channel: BroadcastChannel,
  id: string,
  nonce: string,
  clock: IClock
): Promise<boolean> {
  return new Promise(resolve => {
    let claimed = false;
    const timer = clock.after(ANSWER, () => {
      claimed = true;
      resolve(true);
    });
    channel.onmessage = (event: MessageEvent<unknown>) => {
      const other = event.data;
      if (!isMessage(other) || other.id !== id) {
        return;
      }
      if (other.type === 'who' && (claimed || nonce < other.nonce)) {
        channel.postMessage({ type: 'mine', id, nonce });
      } else if (!claimed) {
        timer.dispose();
        channel.close();
        resolve(false);
      }
    };
    channel.postMessage({ type: 'who', id, nonce });
  });
}

interface IMessage {
  type: 'who' | 'mine';
  id: string;
  nonce: string;
}

function isMessage(value: unknown): value is IMessage {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  const { type, id, nonce }: Partial<Record<string, unknown>> = { ...value };
  return (
    (type === 'who' || type === 'mine') &&
    typeof id === 'string' &&
    typeof nonce === 'string'
  );
}

function read(storage: ITabEnvironment['storage']): string | null {
  try {
    const id = storage?.getItem(KEY) ?? null;
    return id !== null && /^[0-9a-f]{8,32}$/.test(id) ? id : null;
  } catch {
    return null;
  }
}

function browserEnvironment(): ITabEnvironment {
  let storage: Storage | null = null;
  try {
    storage = window.sessionStorage;
  } catch {
    // A page whose storage is blocked throws at the mere mention.
  }
  return {
    storage,
    // Missing where the page is no secure context, whatever the types say.
    locks: 'locks' in navigator ? navigator.locks : null,
    channel: name =>
      typeof BroadcastChannel === 'undefined'
        ? null
        : new BroadcastChannel(name),
    newId: () => randomHex(4)
  };
}

/** `bytes` random bytes in hex; works without a secure context. */
export function randomHex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, byte => byte.toString(16).padStart(2, '0')).join(
    ''
  );
}
