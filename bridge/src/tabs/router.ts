import type { Result } from '@modelcontextprotocol/sdk/types.js';
import { META_TAB } from '../../../protocol/frames';
import { lostCall } from '../refusal';
import { frozenTab, noTab, severalTabs, type ISurroundings } from './advice';
import { chooseTab, targetOf } from './choose';
import { Handles } from './handles';
import { brief, Reach, summary, type IReachOptions } from './reach';
import type { IServedTool } from './served';
import { NotSent, type Tab } from './tab';
import type { ICallOptions } from './tabClient';
import { withTab } from './withTab';

export interface IRouterOptions extends IReachOptions {
  /** The client's working folders, the most telling first. */
  readonly folders: () => readonly string[];
}

/** Brings each call of an external client to the tab it is meant for. */
export class Router {
  constructor(private readonly _options: IRouterOptions) {
    this._reach = new Reach(_options);
  }

  /** Looks around, connects, and goes on doing so as servers come and go. */
  start(): void {
    this._reach.start();
  }

  /** What each connected tab lists. */
  get toolLists(): (readonly IServedTool[])[] {
    return this._reach.tabs.flatMap(tab => (tab.tools ? [tab.tools] : []));
  }

  /** What there is, for people. */
  look(): ISurroundings {
    return this._reach.look();
  }

  /** Waits until what is under way has come or failed, for some seconds at most. */
  settle(signal?: AbortSignal): Promise<void> {
    return this._reach.settle(signal);
  }

  /**
   * Calls a tool in the tab it is meant for.
   *
   * @throws Refusal for what is answered here, or the tab's protocol error.
   */
  async call(
    tool: string,
    args: Record<string, unknown>,
    options: ICallOptions
  ): Promise<Result> {
    for (let attempt = 0; attempt < 3; attempt++) {
      const tab = await this._tabFor(args, options.signal);
      const several = this._reach.tabs.length > 1;
      const shown = { id: tab.state?.id, ...brief(tab) };
      try {
        const result = await tab.call(
          tool,
          args,
          several
            ? { ...options, meta: { ...options.meta, [META_TAB]: shown } }
            : options,
          this._handles.pending(args)
        );
        const lost = isNotFound(result) ? this._handles.lost(args, tab) : null;
        if (lost) {
          throw lostCall(lost);
        }
        if (tab.state) {
          const { id: tabId } = tab.state;
          this._handles.note({ result, tool, args, tabId, page: tab });
        }
        return several ? withTab(result, shown) : result;
      } catch (error) {
        // It went before anything was sent: the page may be back.
        if (!(error instanceof NotSent)) {
          throw error;
        }
      }
    }
    throw noTab(this._reach.look());
  }

  dispose(): void {
    this._reach.dispose();
  }

  private async _tabFor(
    args: Record<string, unknown>,
    signal: AbortSignal
  ): Promise<Tab> {
    const target = {
      ...targetOf(args),
      tab: this._handles.tabOf(args)
    };
    // The first tab to answer need not be the one that is meant.
    await this._reach.settled();
    for (let attempt = 0; ; attempt++) {
      if (this._reach.tabs.length === 0) {
        await this._reach.settle(signal);
      }
      const tabs = this._reach.tabs;
      if (tabs.length === 0) {
        throw noTab(this._reach.look());
      }
      const choices = tabs.flatMap(tab =>
        tab.state ? [{ tab, state: tab.state, root: tab.server.root }] : []
      );
      const chosen = chooseTab(choices, target, this._options.folders());
      if (chosen === null) {
        throw severalTabs(tabs.map(summary));
      }
      const pulse = await chosen.tab.pulse();
      if (pulse === 'awake') {
        return chosen.tab;
      }
      if (pulse === 'frozen' || attempt === 2) {
        throw frozenTab(summary(chosen.tab));
      }
      this._reach.abandon(chosen.tab);
    }
  }

  private readonly _reach: Reach;
  private readonly _handles = new Handles();
}

function isNotFound({ isError, structuredContent }: Result): boolean {
  return isError === true && Object(structuredContent).code === 'not_found';
}
