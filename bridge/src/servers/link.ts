import type { IClock, IDisposable } from '../clock';
import { mayPass, type IFailure } from './failure';
import type { Dial, IRelayEvents, IRelaySocket } from './relay';
import type { IServer } from './server';

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 15_000;

/** What a link tells. */
export interface ILinkEvents {
  opened(
    socket: IRelaySocket,
    tabs: readonly string[]
  ): Omit<IRelayEvents, 'closed'>;
  /** Its state changed: opened, failed, ended. */
  changed(): void;
}

/**
 * Keeps one server's relay connected for one client: dials again, ever more
 * slowly, what may come back by itself, and at a call everything else.
 */
export class Link {
  constructor(
    readonly server: IServer,
    private readonly _on: {
      dial: Dial;
      clock: IClock;
      /** 0 up to 1: spreads the retries of many clients. */
      random: () => number;
      events: ILinkEvents;
    }
  ) {}

  /** Why it is not connected; null while it is, or before the first dial ended. */
  get failure(): IFailure | null {
    return this._failure;
  }

  get isConnecting(): boolean {
    return this._dialling;
  }

  get isOpen(): boolean {
    return this._socket !== null;
  }

  /** Dials, unless it is connected or dialling. */
  connect(): void {
    if (this._ended || this._dialling || this._socket) {
      return;
    }
    this._retry?.dispose();
    this._retry = null;
    this._dialling = true;
    void this._dial();
  }

  /** Ends it for good. */
  dispose(): void {
    this._ended = true;
    this._retry?.dispose();
    this._socket?.close();
  }

  private async _dial(): Promise<void> {
    const { dial, clock, events } = this._on;
    let failure: IFailure | null;
    try {
      failure = await dial(this.server, clock, (socket, tabs) => {
        this._dialling = false;
        this._socket = socket;
        this._failure = null;
        this._openedAt = clock.now();
        if (this._ended) {
          socket.close();
        }
        const inner = events.opened(socket, tabs);
        events.changed();
        return {
          ...inner,
          closed: reason => {
            this._socket = null;
            // One that ends at once is as good as none: the waits go on growing.
            if (clock.now() - this._openedAt > LAST_RETRY_MS) {
              this._attempts = 0;
            }
            this._failed(reason);
          }
        };
      });
    } catch {
      // Only reading the token can throw; its message names a path at most.
      failure = {
        kind: 'refused',
        message: `the token for ${this.server.shown} could not be read`
      };
    }
    if (failure !== null) {
      this._dialling = false;
      this._failed(failure);
    }
  }

  private _failed(failure: IFailure): void {
    this._failure = failure;
    if (!this._ended && mayPass(failure.kind)) {
      const wait = Math.min(
        LAST_RETRY_MS,
        FIRST_RETRY_MS * 2 ** this._attempts++
      );
      const spread = 0.8 + 0.4 * this._on.random();
      this._retry = this._on.clock.after(wait * spread, () => this.connect());
    }
    this._on.events.changed();
  }

  private _socket: IRelaySocket | null = null;
  private _failure: IFailure | null = null;
  private _retry: IDisposable | null = null;
  private _attempts = 0;
  private _openedAt = 0;
  private _dialling = false;
  private _ended = false;
}
