import fc from 'fast-check';
import { CellIds, type ICellFacts } from '../../../src/jupyter/cellIds';
import { PROPERTY } from '../../support/property';

const cell = (id: unknown, source = 'x'): ICellFacts => ({
  id,
  cellType: 'code',
  source
});

const live = (id: string, source = 'x') => ({ ...cell(id, source), key: {} });

describe('CellIds', () => {
  it('takes usable own ids as they are', () => {
    const ids = new CellIds();
    const own = ['a', 'b-2', 'c_3', 'has.dot', 'a'.repeat(64), 'é'];
    expect(
      ids.ofFile(
        'n',
        own.map(id => cell(id))
      )
    ).toEqual(own);
  });

  it.each([
    ['missing', undefined],
    ['null', null],
    ['empty', ''],
    ['no string', 7],
    ['with a space', 'a b'],
    ['with a line break', 'a\nb'],
    ['with a bar', 'a|b'],
    ['with a direction mark', 'a\u202eb'],
    ['half a pair', '\ud83d'],
    ['too long', 'x'.repeat(65)]
  ])('gives one where it is %s', (_, id) => {
    const [made] = new CellIds().ofFile('n', [cell(id)]);
    expect(made).toMatch(/^cell-[a-z0-9]+$/);
    // Made from what the cell holds: the same after a reload of the page.
    expect(new CellIds().ofFile('n', [cell(id)])).toEqual([made]);
  });

  it('never gives one id twice, whatever the file holds', () => {
    const facts = fc.record({
      id: fc.constantFrom('a', 'b', '', null, undefined, 'cell-1', 'x y'),
      cellType: fc.constantFrom('code', 'markdown'),
      source: fc.constantFrom('', 'x', 'y')
    });
    fc.assert(
      fc.property(
        fc.array(fc.array(facts, { maxLength: 8 }), { maxLength: 4 }),
        versions => {
          const ids = new CellIds();
          for (const version of versions) {
            const given = ids.ofFile('n', version);
            expect(new Set(given).size).toBe(version.length);
            // Read again unchanged, nothing changes.
            expect(ids.ofFile('n', version)).toEqual(given);
          }
        }
      ),
      PROPERTY
    );
  });

  it('keeps ids through insertions, deletions and undo in an open notebook', () => {
    const step = fc.record({
      insert: fc.boolean(),
      at: fc.nat(6),
      id: fc.constantFrom('a', 'b', 'c'),
      source: fc.constantFrom('', 'x')
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), steps => {
        const ids = new CellIds();
        let cells: ReturnType<typeof live>[] = [live('first')];
        let known = new Map<object, string>();
        for (const { insert, at, id, source } of steps) {
          cells = [...cells];
          cells.splice(
            at,
            insert ? 0 : 1,
            ...(insert ? [live(id, source)] : [])
          );
          const given = ids.ofModel('n', cells, 5);
          expect(new Set(given).size).toBe(cells.length);
          given.forEach((each, i) => {
            const before = known.get(cells[i].key);
            expect(before === undefined || before === each).toBe(true);
          });
          known = new Map(cells.map(({ key }, i) => [key, given[i]]));
        }
      }),
      PROPERTY
    );
  });

  it('knows a cell again by its content where the load gave it another id', () => {
    const ids = new CellIds();
    const [first, middle, last] = ids.ofFile('n', [
      cell('twin', 'one'),
      cell('m', 'two'),
      cell('twin', 'three')
    ]);
    expect(
      ids.ofModel(
        'n',
        [live('twin', 'one'), live('m', 'two'), live('r1', 'three')],
        5
      )
    ).toEqual([first, middle, last]);
    expect(
      ids.ofModel(
        'n',
        [live('twin', 'one'), live('m', 'two'), live('r2', 'three')],
        5
      )
    ).toEqual([first, middle, last]);
  });

  it('knows cells again whose ids in the file JupyterLab does not keep', () => {
    const ids = new CellIds();
    const file = [cell('a', 'one'), cell('b', 'two')];
    expect(ids.ofFile('n', file, false)).toEqual(['a', 'b']);
    expect(ids.ofModel('n', [live('r', 'one'), live('s', 'two')], 5)).toEqual([
      'a',
      'b'
    ]);
  });

  it('does not take a cell of another id for one that is gone', () => {
    const ids = new CellIds();
    ids.ofFile('n', [cell('a', 'one'), cell('b', 'two')]);
    expect(ids.ofModel('n', [live('a', 'one'), live('c', 'two')], 5)).toEqual([
      'a',
      'c'
    ]);
  });

  it('knows cells of a file without ids in their order, when one was added', () => {
    const ids = new CellIds();
    const [one, two] = ids.ofFile('n', [cell(null, 'one'), cell(null, 'two')]);
    const after = ids.ofFile('n', [
      cell(null, 'zero'),
      cell(null, 'one'),
      cell(null, 'two')
    ]);
    expect(after.slice(1)).toEqual([one, two]);
    expect([one, two]).not.toContain(after[0]);
  });

  it('follows a renamed document and a renamed folder', () => {
    const ids = new CellIds();
    const cells = [live('r1', 'one'), live('r2', 'two')];
    const given = ids.ofModel('dir/n', cells, 4);
    ids.rename('dir/n', 'dir/m');
    ids.rename('dir', 'other');
    expect(
      ids.ofFile('other/m', [cell(undefined, 'one'), cell(undefined, 'two')])
    ).toEqual(given);
  });
});
