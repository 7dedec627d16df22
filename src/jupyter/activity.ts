import { type ISignal, Signal } from '@lumino/signaling';
import type { IAgentActivity, IBridgePage } from '../tokens';

/** What other extensions are told about the connected agents. */
export class AgentActivity implements IAgentActivity {
  constructor(private readonly _page: IBridgePage) {
    _page.clients.changed.subscribe(() => this._changed.emit());
  }

  get clients(): IAgentActivity['clients'] {
    // Not the id: it is a secret between client and tab.
    return this._page.clients.connected.map(({ name, number }) => ({
      name,
      number
    }));
  }

  get changed(): ISignal<this, void> {
    return this._changed;
  }

  private readonly _changed = new Signal<this, void>(this);
}
