import { Token } from '@lumino/coreutils';
import type { ISignal } from '@lumino/signaling';
import type { CallSlots } from './calls/slots';
import type { IClock } from './calls/types';
import type { ISettingsSource } from './jupyter/settings';
import type { Clients } from './surfaces/clients';
import type { IEngine } from './surfaces/types';
import type { IStatus } from './ui/statusText';

/** Which agents are connected to this tab, for other extensions. */
export interface IAgentActivity {
  /** Connected clients; `number` is unique in this tab. */
  readonly clients: readonly {
    readonly name: string;
    readonly number: number;
  }[];
  readonly changed: ISignal<IAgentActivity, void>;
}

export const IAgentActivity = new Token<IAgentActivity>(
  'jupyterlab-mcp-bridge-extension:IAgentActivity',
  'The agents that are connected to this tab'
);

export const IBridgePage = new Token<IBridgePage>(
  'jupyterlab-mcp-bridge-extension:IBridgePage',
  'What the plugins of this extension share'
);

/** What the plugins of this extension share; not for others. */
export interface IBridgePage {
  readonly settings: ISettingsSource;
  /** Settled when the person's settings are known. */
  readonly ready: Promise<void>;
  readonly clock: IClock;
  readonly clients: Clients;
  /** Through which commands know a call of ours. */
  readonly slots: CallSlots;
  /** How things stand, as the status bar shows it. */
  readonly status: IStatus;
  readonly statusChanged: ISignal<IBridgePage, void>;
  setRelay(relay: IStatus['relay']): void;
  /** Names a problem, or takes it back with null. */
  setProblem(key: string, sentence: string | null): void;
  /** The tools and all that is behind them, loaded when first asked for. */
  loadEngine(): Promise<IEngine>;
}
