/** What tells one cell from another when its id does not. */
export interface ICellFacts {
  /** Whatever stands in the id's place. */
  readonly id: unknown;
  readonly cellType: string;
  readonly source: string;
}

/** A cell of an open notebook; `key` is the same object as long as the cell lives. */
export interface ILiveCell extends ICellFacts {
  readonly key: object;
}

interface IKnown extends ICellFacts {
  readonly address: string;
  /** The notebook may come back without this id, so the content has to tell. */
  readonly weak: boolean;
}

interface IDocument {
  cells: readonly IKnown[];
  /** Left since; they come back when a deletion is undone. */
  gone: readonly IKnown[];
  fromModel: boolean;
}

const MAX_GONE = 1000;

/**
 * The ids by which cells are addressed (contract: Tools). A cell's own id
 * serves where it is usable and nobody else's. Other cells get one that is
 * made from what they hold, is never written to the file, and stays theirs
 * while the tab lives: through opening, reloading, renaming and undo.
 *
 * JupyterLab gives cells new ids at each load where the file has none or
 * doubles, so after a load cells are recognised by content and place.
 */
export class CellIds {
  /** Ids of the cells of a file that was just read, in order. */
  ofFile(path: string, cells: readonly ICellFacts[]): string[] {
    const document = this._documents.get(path);
    const own = uniqueIds(cells);
    const naming = new Naming(cells, own, document);
    naming.claimKnown();
    naming.alignWith(
      document?.cells ?? [],
      cells.map((_, i) => own[i] === undefined)
    );
    const ids = naming.finish();
    this._remember(path, cells, ids, false, () => false);
    return ids;
  }

  /** Ids of all cells of an open notebook, in order. `minor`: of its format. */
  ofModel(path: string, cells: readonly ILiveCell[], minor: number): string[] {
    const ids = cells.map(cell => this._keys.get(cell.key));
    if (ids.every(id => id !== undefined)) {
      return ids;
    }
    const document = this._documents.get(path);
    const naming = new Naming(cells, uniqueIds(cells), document, ids);
    naming.claimKnown();
    if (ids.every(id => id === undefined)) {
      // A load: the person's own insertions come one by one.
      naming.alignWith(
        (document?.cells ?? []).filter(
          known => document?.fromModel === true || known.weak
        ),
        cells.map(() => true)
      );
    }
    const named = naming.finish();
    named.forEach((id, i) => this._keys.set(cells[i].key, id));
    this._remember(path, cells, named, true, () => minor < 5);
    return named;
  }

  /** Takes down what the cells of an open notebook hold now (as it was saved). */
  refresh(path: string, cells: readonly ILiveCell[], minor: number): void {
    const ids = this.ofModel(path, cells, minor);
    this._remember(path, cells, ids, true, () => minor < 5);
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

  private _remember(
    path: string,
    cells: readonly ICellFacts[],
    ids: readonly string[],
    fromModel: boolean,
    isWeak: (i: number) => boolean
  ): void {
    const before = this._documents.get(path);
    const now = new Set(ids);
    this._documents.set(path, {
      cells: cells.map(({ id, cellType, source }, i) => ({
        id,
        cellType,
        source,
        address: ids[i],
        weak: ids[i] !== id || isWeak(i)
      })),
      gone: [...(before?.gone ?? []), ...(before?.cells ?? [])]
        .filter(known => !now.has(known.address))
        .slice(-MAX_GONE),
      fromModel
    });
  }

  private readonly _documents = new Map<string, IDocument>();
  private readonly _keys = new WeakMap<object, string>();
}

/** One pass of giving ids to the cells of a notebook. */
class Naming {
  constructor(
    private readonly _cells: readonly ICellFacts[],
    private readonly _own: readonly (string | undefined)[],
    private readonly _document: IDocument | undefined,
    ids: readonly (string | undefined)[] = []
  ) {
    this._ids = _cells.map((_, i) => ids[i]);
    this._taken = new Set(this._ids.filter(id => id !== undefined));
  }

  /** Cells whose own id is on record keep the id they had. */
  claimKnown(): void {
    const { cells = [], gone = [] } = this._document ?? {};
    const byId = new Map<unknown, IKnown[]>();
    for (const known of [...cells, ...gone]) {
      const alike = byId.get(known.id);
      if (alike) {
        alike.push(known);
      } else {
        byId.set(known.id, [known]);
      }
    }
    this._own.forEach((own, i) => {
      const known = byId
        .get(own)
        ?.find(({ address }) => !this._taken.has(address));
      if (own !== undefined && this._ids[i] === undefined && known) {
        this._give(i, known.address);
      }
    });
  }

  /** The other cells that `open` names take the ids of those they look like. */
  alignWith(known: readonly IKnown[], open: readonly boolean[]): void {
    const looksLike = (i: number, { cellType, source }: IKnown): boolean =>
      this._cells[i].cellType === cellType && this._cells[i].source === source;
    const isOpen = (i: number): boolean =>
      i < this._cells.length && open[i] && this._ids[i] === undefined;
    const rest = (): IKnown[] =>
      known.filter(({ address }) => !this._taken.has(address));
    known.forEach((cell, i) => {
      if (isOpen(i) && !this._taken.has(cell.address) && looksLike(i, cell)) {
        this._give(i, cell.address);
      }
    });
    let from = 0;
    for (const cell of rest()) {
      let i = from;
      while (i < this._cells.length && !(isOpen(i) && looksLike(i, cell))) {
        i++;
      }
      if (i < this._cells.length) {
        this._give(i, cell.address);
        from = i + 1;
      }
    }
    if (known.length === this._cells.length) {
      known.forEach((cell, i) => {
        if (
          isOpen(i) &&
          !this._taken.has(cell.address) &&
          this._cells[i].cellType === cell.cellType
        ) {
          this._give(i, cell.address);
        }
      });
    }
  }

  /** Whatever is left gets its own id, or one made from its content. */
  finish(): string[] {
    const own = new Set(this._own);
    return this._cells.map((cell, i) => {
      const given = this._ids[i];
      if (given !== undefined) {
        return given;
      }
      const mine = this._own[i];
      const id =
        mine !== undefined && !this._taken.has(mine)
          ? mine
          : this._made(cell, own);
      this._give(i, id);
      return id;
    });
  }

  private _made(
    { cellType, source }: ICellFacts,
    own: ReadonlySet<string | undefined>
  ): string {
    const stem = `cell-${fingerprint(`${cellType}\n${source}`)}`;
    let n = this._numbers.get(stem) ?? 1;
    let id = n === 1 ? stem : `${stem}-${n}`;
    while (this._taken.has(id) || own.has(id)) {
      id = `${stem}-${++n}`;
    }
    this._numbers.set(stem, n);
    return id;
  }

  private _give(i: number, id: string): void {
    this._ids[i] = id;
    this._taken.add(id);
  }

  private readonly _ids: (string | undefined)[];
  private readonly _taken: Set<string>;
  /** Up to which number each made id is taken. */
  private readonly _numbers = new Map<string, number>();
}

/**
 * Whether an id can stand in a line of an outline and in a sentence: up to 64
 * visible characters without a space or a bar.
 */
function isUsable(id: unknown): id is string {
  return typeof id === 'string' && /^[^\s\p{C}|]{1,64}$/u.test(id);
}

/** Each cell's own id, where it is usable and no other cell has it. */
function uniqueIds(cells: readonly ICellFacts[]): (string | undefined)[] {
  const count = new Map<unknown, number>();
  for (const { id } of cells) {
    count.set(id, (count.get(id) ?? 0) + 1);
  }
  return cells.map(({ id }) =>
    isUsable(id) && count.get(id) === 1 ? id : undefined
  );
}

/** 32 bits of FNV-1a, in at most seven characters. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}
