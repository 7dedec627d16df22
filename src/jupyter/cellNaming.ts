import { type Place, sureOf } from './cellDoubles';
import { matchCells, numbering } from './cellMatch';

/** What tells one cell from another when its id does not. */
export interface ICellFacts {
  /** Whatever stands in the id's place. */
  readonly id: unknown;
  readonly cellType: string;
  readonly source: string;
}

/** A cell as it was when its notebook was last named. */
export interface IKnown extends ICellFacts {
  readonly address: string;
  /** The notebook comes back with this id at this very cell; else its content has to tell. */
  readonly isFirm: boolean;
}

/** What is on record of a notebook. */
export interface IDocument {
  cells: readonly IKnown[];
  /** Left since; they come back when a deletion is undone. */
  gone: readonly IKnown[];
  /** Ids that were new in the last load; JupyterLab may have made them. */
  fresh: ReadonlySet<unknown>;
  /** Up to which number each made id was given; none is given to two cells. */
  made: Map<string, number>;
}

/**
 * Whether an id is like those that a Jupyter server (nbformat) gives to cells
 * that have the id of a cell before them. JupyterLab itself makes others.
 */
function isServerMade(id: unknown): boolean {
  return typeof id === 'string' && /^[0-9a-f]{8}$/.test(id);
}

/** One pass of giving ids to the cells of a notebook. */
export class Naming {
  constructor(
    private readonly _cells: readonly ICellFacts[],
    private readonly _document: IDocument,
    ids: readonly (string | undefined)[] = []
  ) {
    const isUnique = unique(_cells.map(({ id }) => id));
    this._told = _cells.map(({ id }, i) => (isUnique[i] ? id : undefined));
    this._ids = _cells.map((_, i) => ids[i]);
    this._taken = new Set(this._ids.filter(id => id !== undefined));
  }

  /** Cells whose own id is on record keep the id they had, those last gone first. */
  claim(): void {
    const { cells, gone } = this._document;
    const byId = latest([...gone, ...cells], this._taken);
    this._told.forEach((told, i) => {
      const known = byId.get(told);
      if (told !== undefined && this._ids[i] === undefined && known) {
        this._give(i, known.address);
      }
    });
  }

  /**
   * After a load: so do those that are the same ones for sure.
   * @param isMade whether the server may have made ids that are new
   */
  claimSure(isMade: boolean): void {
    const { cells, gone } = this._document;
    const places = new Map(cells.map(({ id }, i) => [id, i]));
    const kept = this._told.flatMap((told, j): Place[] => {
      const i = places.get(told);
      return i !== undefined && cells[i].isFirm ? [[i, j]] : [];
    });
    const numbered = numbering();
    const isNew = this._told.map(
      told => isMade && isServerMade(told) && this.isFresh(told)
    );
    const isStranger = ({ id }: IKnown): boolean =>
      isServerMade(id) && this.isLost(id);
    const lost = gone.filter(isStranger).map(numbered);
    const before = {
      held: cells.map(numbered),
      isStranger: cells.map(isStranger),
      gone: new Set(lost)
    };
    const now = { held: this._cells.map(numbered), isStranger: isNew };
    const { sure, maybe } = sureOf(kept, before, now);
    sure.forEach(([i, j]) => this._give(j, cells[i].address));
    this._maybe = new Set(maybe.map(([, j]) => j));
    this._doubtful = new Set(kept.map(([, j]) => j));
    const isSure = lost.length === 0 && !before.isStranger.includes(true);
    const last = isNew.lastIndexOf(true);
    const byId = latest(gone, this._taken);
    this._told.forEach((told, j) => {
      const known = places.has(told) ? undefined : byId.get(told);
      if (isSure && j > last && known?.isFirm) {
        this._give(j, known.address);
      }
    });
  }

  /** The other cells take the ids of those they must be by content and order. */
  align(
    isOpen: (j: number) => boolean,
    mayBe: (known: IKnown, j: number) => boolean = () => true
  ): void {
    const { cells } = this._document;
    const places = new Map(cells.map(({ address }, i) => [address, i]));
    const matches = this._ids.map(id =>
      id === undefined ? undefined : places.get(id)
    );
    matchCells(cells, this._cells, matches, {
      before: () => true,
      now: j => this._ids[j] === undefined && isOpen(j)
    });
    matches.forEach((match, j) => {
      if (
        match !== undefined &&
        this._ids[j] === undefined &&
        mayBe(cells[match], j)
      ) {
        this._give(j, cells[match].address);
      }
    });
  }

  /** Whether a cell of now can be one of before, as far as ids say. */
  mayBe(known: IKnown, j: number): boolean {
    const told = this._told[j];
    if (known.isFirm && !this.isLost(known.id)) {
      return told === undefined || (told === known.id && this._maybe.has(j));
    }
    // What has the id of another cell is that one, or a copy of it.
    return told === known.id || !this._firm.has(told);
  }

  private get _firm(): ReadonlySet<unknown> {
    const { cells, gone } = this._document;
    this._firmIds ??= new Set(
      [...gone, ...cells].filter(({ isFirm }) => isFirm).map(({ id }) => id)
    );
    return this._firmIds;
  }

  /** Whether an id that was new in the last load is not there any more. */
  isLost(id: unknown): boolean {
    this._present ??= new Set(this._told);
    return this._document.fresh.has(id) && !this._present.has(id);
  }

  /** Whether an id was never seen before. */
  isFresh(id: unknown): boolean {
    this._seen ??= new Set(
      [...this._document.cells, ...this._document.gone].map(known => known.id)
    );
    return !this._seen.has(id);
  }

  /** Whether the id that a cell of a file has does not say which one it is. */
  isUnsure(i: number): boolean {
    this._unsure ??= new Set(
      this._document.cells.filter(({ isFirm }) => !isFirm).map(({ id }) => id)
    );
    const own = this._told[i];
    return !isUsable(own) || this._unsure.has(own) || this._doubtful.has(i);
  }

  /** Whatever is left gets its own id, or one made from its content. */
  finish(): string[] {
    const own = new Set(this._told);
    const { cells, gone } = this._document;
    const known = new Set([...cells, ...gone].map(({ address }) => address));
    const stems = stemsOf(this._cells);
    return this._cells.map((_, i) => {
      const given = this._ids[i];
      if (given !== undefined) {
        return given;
      }
      const mine = this._told[i];
      const id =
        isUsable(mine) && !this._taken.has(mine) && !known.has(mine)
          ? mine
          : this._made(stems(i), own);
      this._give(i, id);
      return id;
    });
  }

  private _made(stem: string, own: ReadonlySet<unknown>): string {
    const { made } = this._document;
    let n = (made.get(stem) ?? 0) + 1;
    let id = n === 1 ? stem : `${stem}-${n}`;
    while (this._taken.has(id) || own.has(id)) {
      id = `${stem}-${++n}`;
    }
    made.set(stem, n);
    return id;
  }

  private _give(i: number, id: string): void {
    this._ids[i] = id;
    this._taken.add(id);
  }

  /** Each cell's own id, where no other cell has it. */
  private readonly _told: readonly unknown[];
  private readonly _ids: (string | undefined)[];
  private readonly _taken: Set<string>;
  private _unsure: Set<unknown> | undefined;
  private _present: Set<unknown> | undefined;
  private _seen: Set<unknown> | undefined;
  private _firmIds: Set<unknown> | undefined;
  /** Cells that have an id as before, and those of them that may be the same. */
  private _doubtful = new Set<number>();
  private _maybe = new Set<number>();
}

/**
 * What ids are made from. A reload of the page makes them anew, so those of
 * equal cells change when a cell is added to them or goes, and with what
 * stands around them.
 */
function stemsOf(cells: readonly ICellFacts[]): (i: number) => string {
  const texts = cells.map(({ cellType, source }) => `${cellType}\n${source}`);
  const count = counts(texts);
  return i => {
    const n = count.get(texts[i]) ?? 1;
    const around = [texts[i], n, texts[i - 1] ?? '', texts[i + 1] ?? ''];
    return `cell-${fingerprint(n === 1 ? texts[i] : around.join('\n'))}`;
  };
}

/**
 * Whether an id can stand in a line of an outline and in a sentence: up to 64
 * visible characters without a space or a bar.
 */
function isUsable(id: unknown): id is string {
  return typeof id === 'string' && /^[^\s\p{C}|]{1,64}$/u.test(id);
}

/** The last cell of each id, but for those whose address is taken. */
function latest(
  all: readonly IKnown[],
  taken: ReadonlySet<string>
): Map<unknown, IKnown> {
  return new Map(
    all
      .filter(({ address }) => !taken.has(address))
      .map(known => [known.id, known])
  );
}

/** Which of values are ids that no other one is. */
export function unique(ids: readonly unknown[]): boolean[] {
  const count = counts(ids);
  return ids.map(
    id => typeof id === 'string' && id !== '' && count.get(id) === 1
  );
}

function counts<T>(values: readonly T[]): Map<T, number> {
  const count = new Map<T, number>();
  for (const value of values) {
    count.set(value, (count.get(value) ?? 0) + 1);
  }
  return count;
}

/** 32 bits of FNV-1a, in at most seven characters. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}
