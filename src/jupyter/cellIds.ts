import { isWithin } from '../calls/paths';
import {
  type ICellFacts,
  type IDocument,
  type IKnown,
  Naming,
  unique
} from './cellNaming';

export type { ICellFacts } from './cellNaming';

/** A cell of an open notebook; `key` is the same object as long as the cell lives. */
export interface ILiveCell extends ICellFacts {
  readonly key: object;
}

const MAX_GONE = 1000;

/**
 * The ids by which cells are addressed (contract: Tools). A cell's own id
 * serves where it is usable and nobody else's. Other cells get one that is
 * made from what they hold, is never written to the file, and stays theirs
 * while the tab lives: through opening, reloading, renaming and undo.
 *
 * JupyterLab gives cells new ids at each load where the file has none or
 * doubles, so after a load cells are recognised by content and order. Where
 * that does not tell which of several equal cells is which, they get new ids,
 * so that what was meant for one of them is never done to another one. The
 * same holds for a cell with an id as before that need not be its own.
 */
export class CellIds {
  /**
   * Ids of the cells of a file that was just read, in order.
   * @param isKept whether JupyterLab keeps the ids that are in the file
   */
  ofFile(path: string, cells: readonly ICellFacts[], isKept = true): string[] {
    const document = this._document(path);
    const naming = new Naming(cells, document);
    naming.claimSure(false);
    naming.align(
      j => naming.isUnsure(j),
      (known, j) => naming.mayBe(known, j)
    );
    const ids = naming.finish();
    const isFirm = unique(cells.map(({ id }) => id));
    this._loaded(path, naming, []);
    this._remember(path, cells, ids, i => isKept && isFirm[i]);
    return ids;
  }

  /** Ids of all cells of an open notebook, in order. `minor`: of its format. */
  ofModel(path: string, cells: readonly ILiveCell[], minor: number): string[] {
    const ids = cells.map(cell => this._keys.get(cell.key));
    if (ids.every(id => id !== undefined)) {
      return ids;
    }
    const document = this._document(path);
    const naming = new Naming(cells, document, ids);
    if (ids.some(id => id !== undefined)) {
      // The person's own insertions come one by one, and so do undone deletions.
      naming.claim();
    } else if (minor < 5) {
      // JupyterLab made all ids.
      naming.align(() => true);
      this._loaded(path, naming, []);
    } else {
      naming.claimSure(true);
      naming.align(
        () => true,
        (known, j) => naming.mayBe(known, j)
      );
      const fresh = cells.filter(({ id }) => naming.isFresh(id));
      this._loaded(path, naming, fresh);
    }
    const named = naming.finish();
    named.forEach((id, i) => this._keys.set(cells[i].key, id));
    this._rememberModel(path, cells, named, minor);
    return named;
  }

  /** Takes down what the cells of an open notebook hold now (as it was saved). */
  refresh(path: string, cells: readonly ILiveCell[], minor: number): void {
    const ids = this.ofModel(path, cells, minor);
    // The file has them all now.
    this._document(path).fresh = new Set();
    this._remember(path, cells, ids, () => minor >= 5);
  }

  /** A document, or all documents of a folder, got another path. */
  rename(from: string, to: string): void {
    for (const [path, document] of [...this._documents]) {
      if (isWithin(path, from)) {
        this._documents.delete(path);
        this._documents.set(to + path.slice(from.length), document);
      }
    }
  }

  private _document(path: string): IDocument {
    const known = this._documents.get(path);
    const document = known ?? {
      cells: [],
      gone: [],
      fresh: new Set<unknown>(),
      made: new Map<string, number>()
    };
    this._documents.set(path, document);
    return document;
  }

  private _rememberModel(
    path: string,
    cells: readonly ICellFacts[],
    ids: readonly string[],
    minor: number
  ): void {
    const { cells: before, gone } = this._document(path);
    // Of cells of one id JupyterLab leaves it to the first one.
    const unfirm = new Set(
      [...gone, ...before]
        .filter(({ isFirm }) => !isFirm)
        .map(({ address }) => address)
    );
    const isFirm = (i: number): boolean => minor >= 5 && !unfirm.has(ids[i]);
    this._remember(path, cells, ids, isFirm);
  }

  /** Keeps what a load tells of the ids. */
  private _loaded(
    path: string,
    naming: Naming,
    fresh: readonly ICellFacts[]
  ): void {
    const document = this._document(path);
    const sure = (known: IKnown): IKnown =>
      naming.isLost(known.id) ? { ...known, isFirm: false } : known;
    document.cells = document.cells.map(sure);
    document.gone = document.gone.map(sure);
    document.fresh = new Set(fresh.map(({ id }) => id));
  }

  private _remember(
    path: string,
    cells: readonly ICellFacts[],
    ids: readonly string[],
    isFirm: (i: number) => boolean
  ): void {
    const document = this._document(path);
    const now = new Set(ids);
    document.gone = [...document.gone, ...document.cells]
      .filter(known => !now.has(known.address))
      .slice(-MAX_GONE);
    document.cells = cells.map(({ id, cellType, source }, i) => ({
      id,
      cellType,
      source,
      address: ids[i],
      isFirm: isFirm(i)
    }));
  }

  private readonly _documents = new Map<string, IDocument>();
  private readonly _keys = new WeakMap<object, string>();
}
