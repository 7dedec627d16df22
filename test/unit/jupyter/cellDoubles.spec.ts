import fc from 'fast-check';
import { CellIds } from '../../../src/jupyter/cellIds';
import { PROPERTY } from '../../support/property';

/** A cell in a file; `who` tells a copy from what it is a copy of. */
interface IRaw {
  readonly who: string;
  readonly id: string;
  readonly source: string;
}

/** An id as servers make them, and other programs as well. */
const madeId = (n: number): string => n.toString(16).padStart(8, '0');

/** A notebook that JupyterLab loads, and another program writes. */
class Loaded {
  constructor(private _isRead = false) {}

  /** What each id names, after the file became this. */
  load(raw: readonly IRaw[]): string[] {
    const seen = new Set<string>();
    const cells = raw.map(({ id, source }) => {
      // Of cells of one id the first one keeps it; the others get new ones.
      const own = seen.has(id) ? madeId(++this._made) : id;
      seen.add(id);
      return { id: own, cellType: 'code', source, key: {} };
    });
    this._cells = cells;
    return this._ids.ofModel('n', cells, 5);
  }

  read(raw: readonly IRaw[]): string[] {
    return this._ids.ofFile(
      'n',
      raw.map(({ id, source }) => ({ id, source, cellType: 'code' }))
    );
  }

  /** As the bridge has the notebook before anything changes. */
  begin(raw: readonly IRaw[]): string[] {
    return this._isRead ? this.read(raw) : this.load(raw);
  }

  save(): void {
    this._ids.refresh('n', this._cells, 5);
  }

  private _cells: Parameters<CellIds['ofModel']>[1] = [];
  private _made = 0;
  private readonly _ids = new CellIds();
}

/** `b=x` is the cell with the id b that holds x; `copy:b=x` another one with that id. */
function raw(text: string): IRaw[] {
  return text.split(' ').map(each => {
    const [name, source] = each.split('=');
    return { who: name, id: name.split(':').at(-1) ?? '', source };
  });
}

/** Which of the cells of before each of now is told to be. */
function told(from: string, to: string, isRead: boolean): string {
  const notebook = new Loaded(isRead);
  const before = raw(from);
  const old = notebook.begin(before);
  return notebook
    .load(raw(to))
    .map(id => before[old.indexOf(id)]?.who ?? '-')
    .join(' ');
}

describe.each([
  ['the person opened', false],
  ['was read', true]
])('a notebook that %s, loaded again', (_, isRead) => {
  it.each([
    // A copy with the id of another cell.
    ['a=1 b=2 c=3', 'copy:b=2 a=1 b=2 c=3', '- a - c'],
    ['a=1 b=2 c=3', 'copy:b=x a=1 b=2 c=3', '- a - c'],
    ['a=1 b=2 c=3', 'a=1 copy:b=2 b=2 c=3', 'a - - c'],
    ['a=1 b=2 c=3', 'a=1 copy:b=x b=2 c=3', 'a - - c'],
    ['a=1 b=2 c=3', 'a=1 b=2 copy:b=x c=3', 'a b - c'],
    ['a=1 b=2 c=3', 'a=1 b=2 c=3 copy:b=2', 'a b c -'],
    ['a=1 b=2 c=3', 'a=1 b=2 c=3 copy:b=x', 'a b c -'],
    ['a=1 b=2 c=3', 'copy:b=2 a=1 b=y c=3', '- a - c'],
    ['a=1 b=2 c=3', 'copy:b=2 a=1 c=3 b=2', '- a c -'],
    // None.
    ['a=1 b=2 c=3', 'a=1 b=y c=3', 'a b c'],
    ['a=1 b=2 c=3', 'a=x b=y c=z', 'a b c'],
    ['a=1 b=2 c=3', 'c=z b=y a=x', 'c b a'],
    ['a=1 b=2 c=3', 'n=4 a=1 b=y c=3', '- a b c'],
    ['a=1 b=2 c=3', 'a=1 b=y c=3 n=4', 'a b c -'],
    ['a=1 b=2 c=3', 'a=1 b=2 n=4 c=3', 'a b - c'],
    ['a=1 b=2 c=3', 'b=2 a=1 c=3 n=4', 'b a c -'],
    ['a=1 b=2 c=3', 'a=1 n=4 b=y c=3', 'a - b c'],
    ['a=1 b=2 c=3', 'a=1 b=y n=4 c=3', 'a b - c'],
    ['a=1 b=2 c=3', 'n=4 a=x m=5 b=y c=z', '- a - b c'],
    ['a=1 b=2 c=3', 'a=1 n=2 b=y c=3', 'a - b c'],
    ['a=1 b=2 c=3', 'b=2 n=4 a=y c=3', 'b - a c'],
    // Nobody can say of a new id that a server may have made.
    ['a=1 b=2 c=3', 'a=1 b=y 0000000a=4 c=3', 'a - - c'],
    ['a=1 b=2 c=3', '0000000a=4 a=1 b=y c=3', '- a b c'],
    ['a= b= c=', 'a= b= c= n=x', 'a b c -'],
    ['a= b= c=', 'n=x a= b= c=', '- a b c']
  ])('%s becomes %s', (from, to, expected) => {
    expect(told(from, to, isRead)).toBe(expected);
  });
});

describe('cells of one id', () => {
  const all = raw('1:d=a 2:d=b 3:d=c');

  it.each([
    ['another', 'n:d=N 1:d=a 2:d=b 3:d=c'],
    ['an equal one', 'n:d=a 1:d=a 2:d=b 3:d=c']
  ])('keep theirs or get new ones when %s comes first', (_, to) => {
    const notebook = new Loaded();
    const old = notebook.load(all);
    const given = notebook.load(raw(to));
    expect(old).not.toContain(given[0]);
    expect(given.slice(2)).toEqual(old.slice(1));
    expect([...old.slice(1), given[1]]).not.toContain(given[0]);
  });

  it.each([
    ['as it was', '2:d=b 3:d=c'],
    ['edited', '2:d=x 3:d=c']
  ])('do not take over from the first one that went: %s', (_, to) => {
    for (const isSeenTwice of [false, true]) {
      const notebook = new Loaded();
      const [first] = notebook.load(all);
      if (isSeenTwice) {
        expect(notebook.load(all)[0]).toBe(first);
      }
      expect(notebook.load(raw(to))).not.toContain(first);
      expect(notebook.read(raw(to))).not.toContain(first);
    }
  });

  it('are told apart by their ids once they were saved', () => {
    const notebook = new Loaded();
    const old = notebook.load(all);
    notebook.save();
    const saved = all.map((each, i) => ({ ...each, id: old[i], source: 'x' }));
    expect(notebook.load(saved.slice(1))).toEqual(old.slice(1));
  });
});

describe('what another program does to a notebook', () => {
  interface IStep {
    readonly kind: 'edit' | 'delete' | 'move' | 'insert' | 'copy';
    readonly at: number;
    readonly to: number;
    readonly text: string | undefined;
    /** Whether a new cell's id is like those that servers make. */
    readonly isHex: boolean;
    readonly ends: 'load' | 'read' | 'save';
  }

  const step: fc.Arbitrary<IStep> = fc.record({
    kind: fc.constantFrom('edit', 'delete', 'move', 'insert', 'copy'),
    at: fc.nat(9),
    to: fc.nat(9),
    text: fc.option(fc.constantFrom('', 'x', 'y'), { nil: undefined }),
    isHex: fc.boolean(),
    ends: fc.constantFrom('load', 'load', 'load', 'read', 'save')
  });

  /** One change; texts are its own, so that only a copy equals another cell. */
  function changed(cells: readonly IRaw[], each: IStep, n: number): IRaw[] {
    const now = [...cells];
    const at = each.at % (cells.length || 1);
    const to = each.to % (cells.length + 1);
    const source = `${each.text ?? 'z'}#${n}`;
    const cell = now.at(at);
    const isTwin = cells.some(
      ({ who, id, source: text }) =>
        who !== cell?.who && id === cell?.id && text === cell.source
    );
    if (each.kind === 'move' && isTwin) {
      // Nothing in the file tells that two of them changed places.
      return now;
    }
    if (each.kind === 'delete' && cells.length === 1) {
      // JupyterLab puts a cell into a notebook that has none: an edited one.
      return now;
    }
    if (each.kind === 'insert' || !cell) {
      const id = each.isHex ? `f${madeId(n).slice(1)}` : `i${n}`;
      now.splice(to, 0, { who: `w${n}`, id, source });
    } else if (each.kind === 'copy') {
      const text = each.text === undefined ? cell.source : source;
      now.splice(to, 0, { who: `w${n}`, id: cell.id, source: text });
    } else {
      const kept = each.kind === 'edit' ? [{ ...cell, source }] : [{ ...cell }];
      now.splice(at, 1);
      now.splice(
        each.kind === 'move' ? to : at,
        0,
        ...(each.kind === 'delete' ? [] : kept)
      );
    }
    return now;
  }

  it('brings no id to another cell, and takes none where no id is double', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 8 }),
        fc.boolean(),
        (steps, isRead) => {
          const notebook = new Loaded(isRead);
          let cells = raw('a=1 b=2 c=3 d=4');
          let ids = notebook.begin(cells);
          const owners = new Map(ids.map((id, i) => [id, cells[i].who]));
          let wasDouble = false;
          steps.forEach((each, n) => {
            const before = new Map(cells.map(({ who }, i) => [who, ids[i]]));
            cells = changed(cells, each, n);
            wasDouble ||=
              new Set(cells.map(({ id }) => id)).size < cells.length;
            ids =
              each.ends === 'read'
                ? notebook.read(cells)
                : notebook.load(cells);
            expect(new Set(ids).size).toBe(cells.length);
            cells.forEach(({ who }, i) => {
              expect([ids[i], owners.get(ids[i]) ?? who]).toEqual([
                ids[i],
                who
              ]);
              owners.set(ids[i], who);
              if (!wasDouble && before.has(who)) {
                expect(ids[i]).toBe(before.get(who));
              }
            });
            if (each.ends === 'save' && !wasDouble) {
              notebook.save();
            }
          });
        }
      ),
      PROPERTY
    );
  });
});
