import type { IClock, IDisposable } from '../clock';

/** How often a tab is asked while a call is at work in it. */
const EVERY_MS = 15_000;
/** How long a tab may leave a ping unanswered. */
const ANSWER_MS = 20_000;
/** A tab that was heard so lately is not asked before a call. */
const FRESH_MS = 10_000;
/** How long a call waits for the answer of a tab before it is sent there. */
const WAKE_MS = 10_000;
/** How long the server may take to answer the socket's own ping. */
const SERVER_MS = 3000;

/** What is known of a tab that was asked. */
export type Pulse =
  | 'awake'
  /** The server answers, the tab does not: its browser has frozen it. */
  | 'frozen'
  /** The server does not answer either. */
  | 'lost';

/**
 * Tells whether a tab is still there. A frozen page's socket stays open and
 * even answers the socket's own pings, so the question is a message of its
 * own. Nothing is asked while no call is at work: an idle server can be culled.
 */
export class Heartbeat {
  constructor(
    private readonly _on: {
      clock: IClock;
      ping: (n: number) => void;
      /** Whether the server behind the tab answers. */
      serverAlive: (ms: number) => Promise<boolean>;
      /** A tab with calls at work has stopped answering. */
      stopped: (pulse: 'frozen' | 'lost') => void;
    }
  ) {
    this._lastHeard = _on.clock.now();
  }

  /** Whether it was asked and has not answered in time. */
  get isFrozen(): boolean {
    return this._frozen;
  }

  /** Something came from the tab. */
  heard(): void {
    this._lastHeard = this._on.clock.now();
    this._frozen = false;
    const waiting = this._waiting;
    this._waiting = [];
    waiting.forEach(resolve => resolve());
  }

  /** Before a call: asks the tab, unless it was heard lately. */
  async pulse(): Promise<Pulse> {
    const { clock } = this._on;
    if (!this._frozen && clock.now() - this._lastHeard < FRESH_MS) {
      return 'awake';
    }
    return this._ask(WAKE_MS);
  }

  /** A call is at work, until the result is disposed. */
  begin(): IDisposable {
    this._calls++;
    this._next ??= this._on.clock.after(EVERY_MS, () => void this._beat());
    let ended = false;
    return {
      dispose: () => {
        if (!ended) {
          ended = true;
          if (--this._calls === 0) {
            this._rest();
          }
        }
      }
    };
  }

  dispose(): void {
    this._disposed = true;
    this._rest();
    this.heard();
  }

  private async _beat(): Promise<void> {
    const pulse = await this._ask(ANSWER_MS);
    if (this._calls === 0 || this._disposed) {
      return;
    }
    if (pulse !== 'awake') {
      this._on.stopped(pulse);
    }
    this._next = this._on.clock.after(EVERY_MS, () => void this._beat());
  }

  private async _ask(ms: number): Promise<Pulse> {
    const { clock, ping, serverAlive } = this._on;
    const pulse = new Promise<Pulse>(resolve => {
      const late = clock.after(ms, () => resolve('frozen'));
      this._waiting.push(() => {
        late.dispose();
        resolve('awake');
      });
      // Asked beside it, so that a dead connection is not waited for long.
      void serverAlive(SERVER_MS).then(alive => {
        if (!alive) {
          late.dispose();
          resolve('lost');
        }
      });
    });
    ping(++this._n);
    const answer = await pulse;
    this._frozen = answer === 'frozen';
    return answer;
  }

  private _rest(): void {
    this._next?.dispose();
    this._next = null;
  }

  private _n = 0;
  private _calls = 0;
  private _lastHeard: number;
  private _frozen = false;
  private _disposed = false;
  private _next: IDisposable | null = null;
  private _waiting: (() => void)[] = [];
}
