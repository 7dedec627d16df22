import { type ICellFacts, type IDocument, Naming, unique } from './cellNaming';

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
 * so that what was meant for one of them is never done to another one.
 */
export class CellIds {
  /** Ids of the cells of a file that was just read, in order. */
  ofFile(path: string, cells: readonly ICellFacts[]): string[] {
    const document = this._document(path);
    const naming = new Naming(cells, document);
    naming.claim(({ isFirm }) => isFirm);
    naming.align(
      () => true,
      i => naming.isUnsure(i)
    );
    const ids = naming.finish();
    const isFirm = unique(cells.map(({ id }) => id));
    this._remember(path, cells, ids, false, i => isFirm[i]);
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
      naming.claim(() => true);
    } else {
      naming.claim(({ isFirm }) => isFirm && minor >= 5);
      naming.align(
        known => document.fromModel || !known.isFirm || minor < 5,
        () => true
      );
    }
    const named = naming.finish();
    named.forEach((id, i) => this._keys.set(cells[i].key, id));
    this._rememberModel(path, cells, named, minor);
    return named;
  }

  /** Takes down what the cells of an open notebook hold now (as it was saved). */
  refresh(path: string, cells: readonly ILiveCell[], minor: number): void {
    const ids = this.ofModel(path, cells, minor);
    this._rememberModel(path, cells, ids, minor);
  }

  /** A document, or all documents of a folder, got another path. */
  rename(from: string, to: string): void {
    for (const [path, document] of [...this._documents]) {
      if (path === from || path.startsWith(`${from}/`)) {
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
      fromModel: false,
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
    this._remember(path, cells, ids, true, isFirm);
  }

  private _remember(
    path: string,
    cells: readonly ICellFacts[],
    ids: readonly string[],
    fromModel: boolean,
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
    document.fromModel = fromModel;
  }

  private readonly _documents = new Map<string, IDocument>();
  private readonly _keys = new WeakMap<object, string>();
}
