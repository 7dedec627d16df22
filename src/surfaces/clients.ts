import type { IClient } from '../calls/types';
import { Changes, type IChanges } from './changes';

/** How many clients that went are remembered, for calls that go on. */
const REMEMBERED = 500;

/**
 * The clients this tab has met. A client keeps its number when it comes back,
 * so that its pending calls and kept results are still its own.
 */
export class Clients {
  /** Connected clients, in the order of their numbers. */
  get connected(): readonly IClient[] {
    return [...this._connections.keys()].sort((a, b) => a.number - b.number);
  }

  get changed(): IChanges {
    return this._changed;
  }

  /**
   * A connection of the client `id`; the same client may have several.
   * @returns who it is here, and what to dispose when the connection ends.
   */
  connect(id: string, name: string): { client: IClient; dispose(): void } {
    const client = this.meet(id, name);
    this._connections.set(client, (this._connections.get(client) ?? 0) + 1);
    this._changed.emit();
    let open = true;
    return {
      client,
      dispose: () => {
        if (open) {
          open = false;
          const left = (this._connections.get(client) ?? 1) - 1;
          if (left > 0) {
            this._connections.set(client, left);
          } else {
            this._connections.delete(client);
          }
          this._changed.emit();
        }
      }
    };
  }

  /** Who the client `id` is here, without a connection. */
  meet(id: string, name: string): IClient {
    const known = this._known.get(id);
    // Put last again: the first is the one that is forgotten.
    this._known.delete(id);
    const client = known ?? { id, name: shortName(name), number: ++this._last };
    this._known.set(id, client);
    if (this._known.size > REMEMBERED) {
      for (const [each, old] of this._known) {
        if (!this._connections.has(old)) {
          this._known.delete(each);
          break;
        }
      }
    }
    return client;
  }

  private _last = 0;
  private readonly _known = new Map<string, IClient>();
  private readonly _connections = new Map<IClient, number>();
  private readonly _changed = new Changes();
}

/** A client's own claim of its name, as far as it is shown. */
function shortName(name: string): string {
  // Control and direction characters could pose as other text in the tab.
  const plain = name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim();
  return [...plain].slice(0, 60).join('') || 'client';
}
