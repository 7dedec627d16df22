import { type ISignal, Signal } from '@lumino/signaling';
import { CallSlots } from '../calls/slots';
import type { IClock } from '../calls/types';
import { Clients } from '../surfaces/clients';
import type { IEngine } from '../surfaces/types';
import type { IBridgePage } from '../tokens';
import type { IStatus } from '../ui/statusText';
import type { SettingsSource } from './settings';

export interface IBridgePageOptions {
  readonly settings: SettingsSource;
  readonly ready: Promise<void>;
  readonly clock: IClock;
  /** Loads what is too large for the start of the page. */
  load(page: IBridgePage): Promise<IEngine>;
  /** What the person is told when that fails. */
  readonly loadFailed: string;
}

/** What the plugins share: settings, clients, status and the lazy engine. */
export class BridgePage implements IBridgePage {
  constructor(private readonly _options: IBridgePageOptions) {
    this.clients.changed.subscribe(() => this._statusChanged.emit());
  }

  readonly clients = new Clients();
  readonly slots = new CallSlots();

  get settings(): SettingsSource {
    return this._options.settings;
  }

  get ready(): Promise<void> {
    return this._options.ready;
  }

  get clock(): IClock {
    return this._options.clock;
  }

  get status(): IStatus {
    return {
      relay: this._relay,
      clients: this.clients.connected,
      problems: [...this._problems.values()]
    };
  }

  get statusChanged(): ISignal<this, void> {
    return this._statusChanged;
  }

  setRelay(relay: IStatus['relay']): void {
    if (relay !== this._relay) {
      this._relay = relay;
      this._statusChanged.emit();
    }
  }

  setProblem(key: string, sentence: string | null): void {
    const before = this._problems.get(key) ?? null;
    if (sentence === null) {
      this._problems.delete(key);
    } else {
      this._problems.set(key, sentence);
    }
    if (before !== sentence) {
      this._statusChanged.emit();
    }
  }

  loadEngine(): Promise<IEngine> {
    this._engine ??= this._options.load(this).then(
      engine => {
        this.setProblem('engine', null);
        return engine;
      },
      (reason: unknown) => {
        // A chunk that could not be fetched can be the next time.
        this._engine = undefined;
        this.setProblem('engine', this._options.loadFailed);
        throw reason;
      }
    );
    return this._engine;
  }

  private _relay: IStatus['relay'] = 'off';
  private _engine: Promise<IEngine> | undefined;
  private readonly _problems = new Map<string, string>();
  private readonly _statusChanged = new Signal<this, void>(this);
}
