import type { IDescribedTool } from '../../protocol/listing';
import type { ITabState } from '../../protocol/frames';
import type { ISettings } from '../calls/settings';
import type {
  ICaller,
  IClient,
  IClock,
  IOrigin,
  Outcome
} from '../calls/types';
import type { IKept, Redact } from '../results/index';
import type { IChanges } from './changes';

/** The page's inside, as surfaces see it: the tools and the one way through. */
export interface IEngine {
  /** As they are now. */
  readonly settings: ISettings;
  readonly clock: IClock;
  /** Results that were cut, whole. */
  readonly kept: IKept<IOrigin>;
  /** Replaces what the tab knows and no agent must read. */
  readonly redact: Redact;
  /** The tools that are listed under the present settings, by name. */
  tools(): readonly IDescribedTool[];
  /** A tool by name, also one that the settings took away: a call says why. */
  find(name: string): IDescribedTool | undefined;
  /** The field of a tool's result that is read in parts. */
  rangeOf(tool: string): string | undefined;
  /** Told when `tools()` answers differently. */
  readonly toolsChanged: IChanges;
  /** The one way through; it never throws. */
  call(tool: string, args: unknown, caller: ICaller): Promise<Outcome>;

  /** What is open and at work, as a client is told to choose a tab by. */
  describe(
    client: IClient
  ): Pick<ITabState, 'notebooks' | 'kernels' | 'dialogs' | 'pending'>;
  /** The way to the server was dead for a while, though its sockets look open. */
  revived(): void;
  /** Told when `describe()` may answer differently. */
  readonly stateChanged: IChanges;
}
