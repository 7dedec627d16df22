import type { IClock, IDisposable } from '../clock';
import type { Log } from '../log';
import { Link } from '../servers/link';
import type { Dial } from '../servers/relay';
import type { IDiscovery, IFound, IServer } from '../servers/server';
import type { ISurroundings, ITabSummary } from './advice';
import { Tab, type IClientIdentity } from './tab';

/** How long a call waits for what is under way: a dial, a page's hello. */
const SETTLE_MS = 5000;
/** How long a call waits for a tab that went a moment ago: it may be reloading. */
const RELOAD_MS = 10_000;
/** How long ago that may be. */
const LATELY_MS = 20_000;

export interface IReachOptions {
  readonly client: IClientIdentity;
  readonly discovery: IDiscovery;
  readonly dial: Dial;
  readonly clock: IClock;
  readonly random: () => number;
  readonly log: Log;
  /** Tabs or their tools changed. */
  readonly changed: () => void;
}

/**
 * What one external client reaches: servers as they come and go, the links to
 * them, and the tabs behind those.
 */
export class Reach {
  constructor(private readonly _options: IReachOptions) {}

  /** Looks around, connects, and goes on doing so. */
  start(): void {
    this._watching ??= this._options.discovery.watch(() => void this._scan());
    void this.settled();
  }

  /** Resolves once all that was there at the beginning has come or failed. */
  settled(): Promise<void> {
    return (this._settled ??= this.settle());
  }

  /** Tabs that can be called; of two with one id only the newer: a reload. */
  get tabs(): Tab[] {
    const byId = new Map<string, Tab>();
    for (const tab of this._tabs) {
      if (tab.state && tab.problem === null) {
        byId.set(`${tab.server.key} ${tab.state.id}`, tab);
      }
    }
    return [...byId.values()];
  }

  /** What there is, for people. */
  look(): ISurroundings {
    return {
      place: this._options.discovery.place,
      servers: [...this._links.values()].map(link => ({
        shown: link.server.shown,
        isOpen: link.isOpen,
        isTurnedOff: this._turnedOff.has(link.server),
        failure: link.failure
      })),
      passedOver: this._found.passedOver,
      tabs: [...this._tabs].map(summary)
    };
  }

  /**
   * Looks around once more and waits until what is under way has come or
   * failed, for at most five seconds, ten where a tab went lately.
   */
  async settle(signal?: AbortSignal): Promise<void> {
    await this._scan();
    const { clock } = this._options;
    const start = clock.now();
    while (!this._disposed && !signal?.aborted) {
      const lately =
        this._lastGone !== null && start - this._lastGone < LATELY_MS;
      const expecting = this._isExpecting();
      const until = lately ? RELOAD_MS : expecting ? SETTLE_MS : 0;
      const left = start + until - clock.now();
      if (left <= 0 || (this.tabs.length > 0 && !expecting)) {
        return;
      }
      await this._nextChange(left, signal);
    }
  }

  /** Lets go of a tab whose connection was dead without anyone having said so. */
  abandon(tab: Tab): void {
    tab.abandon();
    this._drop(each => each === tab);
  }

  dispose(): void {
    this._disposed = true;
    this._watching?.dispose();
    [...this._tabs].forEach(tab => tab.dispose());
    this._tabs.clear();
    this._links.forEach(link => link.dispose());
    this._links.clear();
    this._changed();
  }

  /** Whether something is under way that may bring a tab. */
  private _isExpecting(): boolean {
    return (
      [...this._links.values()].some(link => link.isConnecting) ||
      [...this._tabs].some(tab => tab.isGreeting)
    );
  }

  private async _scan(): Promise<void> {
    const found = await this._options.discovery.scan();
    if (this._disposed) {
      return;
    }
    this._found = found;
    for (const [key, link] of this._links) {
      const server = found.servers.find(each => each.key === key);
      if (server?.stamp !== link.server.stamp) {
        this._links.delete(key);
        link.dispose();
        this._drop(tab => tab.server === link.server);
      }
    }
    for (const server of found.servers) {
      if (!this._links.has(server.key)) {
        this._links.set(server.key, this._link(server));
      }
    }
    this._links.forEach(link => link.connect());
  }

  private _link(server: IServer): Link {
    const { dial, clock, random, client, log } = this._options;
    const peers = new Map<string, Tab>();
    const events = {
      opened: (
        socket: Parameters<Parameters<Dial>[2]>[0],
        present: readonly string[]
      ) => {
        log(`connected to ${server.shown}`);
        const open = (peer: string) => {
          const tab = new Tab(server, peer, socket, client, {
            clock,
            log,
            changed: () => this._changed()
          });
          peers.set(peer, tab);
          this._tabs.add(tab);
          this._turnedOff.delete(server);
          this._changed();
        };
        present.forEach(open);
        return {
          tabOpened: open,
          tabClosed: (peer: string) => {
            const tab = peers.get(peer);
            peers.delete(peer);
            this._drop(each => each === tab);
          },
          frame: (
            peer: string,
            body: { type: string } & Record<string, unknown>
          ) => peers.get(peer)?.receive(body)
        };
      },
      changed: () => {
        const { failure, isOpen } = link;
        if (!isOpen) {
          peers.clear();
          this._drop(tab => tab.server === server);
        }
        if (failure !== null && failure.message !== this._lastLogged) {
          this._lastLogged = failure.message;
          log(failure.message);
        }
        this._changed();
      }
    };
    const link = new Link(server, { dial, clock, random, events });
    return link;
  }

  private _drop(which: (tab: Tab) => boolean): void {
    for (const tab of [...this._tabs].filter(which)) {
      this._tabs.delete(tab);
      if (tab.isOff) {
        this._turnedOff.add(tab.server);
      } else if (tab.state) {
        this._lastGone = this._options.clock.now();
      }
      tab.disconnected();
    }
    this._changed();
  }

  private _changed(): void {
    [...this._waiting].forEach(done => done());
    if (!this._disposed) {
      this._options.changed();
    }
  }

  /** Waits for a change, for `ms` milliseconds at most. */
  private _nextChange(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const done = () => {
        timer.dispose();
        signal?.removeEventListener('abort', done);
        this._waiting.delete(done);
        resolve();
      };
      const timer = this._options.clock.after(ms, done);
      signal?.addEventListener('abort', done);
      this._waiting.add(done);
    });
  }

  private readonly _links = new Map<string, Link>();
  private readonly _tabs = new Set<Tab>();
  /** Servers whose last page went because its person turned the bridge off. */
  private readonly _turnedOff = new WeakSet<IServer>();
  private readonly _waiting = new Set<() => void>();
  private _found: IFound = { servers: [], passedOver: [] };
  private _settled: Promise<void> | null = null;
  private _watching: IDisposable | null = null;
  private _lastGone: number | null = null;
  private _lastLogged = '';
  private _disposed = false;
}

/** A tab's title and server, as they are shown. */
export function brief(tab: Tab): { title: string; server: string } {
  return {
    title: Array.from(tab.state?.title ?? '')
      .slice(0, 80)
      .join(''),
    server: tab.server.shown
  };
}

/** A tab as it is shown. */
export function summary(tab: Tab): ITabSummary {
  return {
    id: tab.state?.id ?? null,
    ...brief(tab),
    problem: tab.problem,
    isFrozen: tab.isFrozen
  };
}
