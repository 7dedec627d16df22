import type { Contents } from '@jupyterlab/services';
import { ToolError } from '../calls/errors';
import { isWithin, plainPath } from '../calls/paths';
import { quote, quoteWhole } from '../calls/words';
import { Leavings, ways } from './leavings';
import type { IIdentity } from './types';

/** A path that a document had, and when it left it. */
interface IFormer {
  readonly path: string;
  readonly until: number;
}

/** Which paths documents had before, as far as this tab saw them renamed. */
export class PathHistory {
  /** @param storage Lives as long as the tab, reloads included. */
  constructor(storage?: Pick<Storage, 'getItem' | 'setItem'>) {
    this._left = new Leavings(storage);
  }

  /** Takes from JupyterLab what is renamed and deleted in this tab. */
  follow(contents: Pick<Contents.IManager, 'fileChanged'>): void {
    contents.fileChanged.connect(this._onFileChanged, this);
  }

  unfollow(contents: Pick<Contents.IManager, 'fileChanged'>): void {
    contents.fileChanged.disconnect(this._onFileChanged, this);
  }

  /** A document, or a folder with all that is in it, got another path. */
  rename(from: string, to: string): void {
    const until = this._left.add(from);
    for (const path of new Set([...this._within(from), from])) {
      const now = to + path.slice(from.length);
      // The same rename can be told twice.
      const former = [
        { path, until },
        ...this._formerOf(path),
        ...this._formerOf(now)
      ];
      this._former.delete(path);
      // Put last: of those that were at one path the newest is meant.
      this._former.delete(now);
      this._former.set(now, former);
    }
  }

  /** What was deleted went nowhere. */
  forget(path: string): void {
    this._left.add(path);
    for (const each of this._within(path)) {
      this._former.delete(each);
    }
  }

  /** The earlier paths of a document, newest first. */
  of(path: string): readonly string[] {
    const former = this._formerOf(path).map(each => each.path);
    return [...new Set(former)].filter(each => each !== path);
  }

  /** What is at a path, told from all that was there before. */
  identify(path: string): IIdentity {
    const count = this._left.count(path);
    const former = new Set(
      this._formerOf(path).map(each =>
        nameOf(each.path, this._left.count(each.path, each.until))
      )
    );
    return {
      name: nameOf(path, count),
      former: [...former],
      others: Array.from({ length: count }, (_, i) => nameOf(path, i)).filter(
        name => !former.has(name)
      )
    };
  }

  /** Where the document went that was at a path, if it was renamed. */
  now(path: string): string | undefined {
    const seen = new Set([path]);
    let last: string | undefined;
    for (;;) {
      const next = this._next(last ?? path);
      if (next === undefined || seen.has(next)) {
        return last;
      }
      seen.add(next);
      last = next;
    }
  }

  /** A refusal of a missing document tells where it went, if it was renamed. */
  told(path: string, reason: unknown): unknown {
    return reason instanceof ToolError && reason.code === 'not_found'
      ? (this.renamed(path) ?? reason)
      : reason;
  }

  /** What is answered where nothing is any more, if it was renamed. */
  renamed(path: string, next = ''): ToolError | undefined {
    const now = this.now(path);
    return now === undefined
      ? undefined
      : new ToolError(
          'not_found',
          `There is no document at ${quote(path)} any more: it was renamed, and is now at ${quoteWhole(now)}.${next}`
        );
  }

  private _next(path: string): string | undefined {
    for (const [folder, rest] of ways(path)) {
      const now = [...this._former.keys()]
        .reverse()
        .find(
          each =>
            each !== folder &&
            this._former.get(each)?.some(({ path }) => path === folder)
        );
      if (now !== undefined) {
        return now + rest;
      }
    }
    return undefined;
  }

  private _formerOf(path: string): readonly IFormer[] {
    return ways(path).flatMap(([folder, rest]) =>
      (this._former.get(folder) ?? []).map(each => ({
        path: each.path + rest,
        until: each.until
      }))
    );
  }

  /** The paths that are known of a document, or of all in a folder. */
  private _within(path: string): string[] {
    return [...this._former.keys()].filter(each => isWithin(each, path));
  }

  private _onFileChanged(
    _contents: unknown,
    { type, oldValue, newValue }: Contents.IChangedArgs
  ): void {
    const from = oldValue?.path && plainPath(oldValue.path);
    const to = newValue?.path && plainPath(newValue.path);
    if (type === 'rename' && from && to && from !== to) {
      this.rename(from, to);
    } else if (type === 'delete' && from) {
      this.forget(from);
    }
  }

  private readonly _left: Leavings;
  private readonly _former = new Map<string, readonly IFormer[]>();
}

/** No path holds a NUL. */
function nameOf(path: string, count: number): string {
  return count === 0 ? path : `${path}\0${count}`;
}
