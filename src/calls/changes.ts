import type { IClient } from './types';

/** What one edit of a notebook or file left, and what was there before. */
export type Change =
  | ({ readonly notebookPath: string; readonly cellId: string } & (
      | {
          readonly kind: 'edit';
          readonly before: string;
          readonly after: string;
        }
      | { readonly kind: 'add'; readonly after: string }
      | {
          readonly kind: 'delete';
          readonly index: number;
          readonly before: object;
        }
    ))
  | {
      readonly kind: 'write';
      readonly filePath: string;
      /** null: there was no file. */
      readonly before: string | null;
      readonly after: string;
    };

export interface IRecordedChange {
  readonly changeId: string;
  readonly change: Change;
}

/** The changes of each client, kept so that they can be taken back (contract: Undo). */
export interface IChanges {
  /** Notes a change; returns the id that the client gets. */
  record(client: IClient, change: Change): string;
  /** A client's changes, oldest first. */
  of(client: IClient): readonly IRecordedChange[];
}

/** Changes of one client that are kept; the oldest go first. */
const KEPT = 200;

export class Changes implements IChanges {
  /** `firstId` makes the ids of another tab, or of before a reload, find nothing. */
  constructor(firstId: number) {
    this._nextId = firstId;
  }

  record(client: IClient, change: Change): string {
    const changeId = `change-${this._nextId++}`;
    const all = [...this.of(client), { changeId, change }];
    this._changes.set(client.id, all.slice(-KEPT));
    return changeId;
  }

  of(client: IClient): readonly IRecordedChange[] {
    return this._changes.get(client.id) ?? [];
  }

  private readonly _changes = new Map<string, readonly IRecordedChange[]>();
  private _nextId: number;
}
