import fc from 'fast-check';
import { CellIds, type ICellFacts } from '../../../src/jupyter/cellIds';
import { PROPERTY } from '../../support/property';

const cell = (source: string, id?: unknown): ICellFacts => ({
  id,
  cellType: 'code',
  source
});

/** A list of cells, each by one letter. */
const cells = (sources: string, id?: unknown): ICellFacts[] =>
  [...sources].map(source => cell(source, id));

/** One letter an old cell and where it is found again, `-` for a new one. */
function found(before: string, now: string, id?: unknown): string {
  const ids = new CellIds();
  const old = ids.ofFile('n', cells(before, id));
  return ids
    .ofFile('n', cells(now, id))
    .map(each => (old.includes(each) ? String(old.indexOf(each)) : '-'))
    .join('');
}

describe('cells without ids after a change on disk', () => {
  it.each([
    ['abc', 'zabc', '-012'],
    ['xax', 'zxax', '-012'],
    ['xax', 'ax', '12'],
    ['xaxb', 'xax', '012'],
    ['xaxb', 'bxax', '3012'],
    ['xaxbx', 'xcxdx', '01234'],
    ['xyxy', 'xyzxy', '01-23'],
    ['xyxyxy', 'xyzzxy', '012345'],
    // A row of equal cells beside the change: any of them may be the new one.
    ['axxb', 'axxxb', '0---3'],
    ['axxb', 'axb', '0-3'],
    ['xx', 'xxx', '---'],
    ['xax', 'xxax', '--12'],
    ['xyxy', 'xyxyxy', '------'],
    ['xaxbx', 'xbx', '-34'],
    ['xay', 'xby', '012'],
    ['ab', 'cd', '01'],
    ['ab', 'cde', '---'],
    // One went and one came: not edited.
    ['xxa', 'xab', '-2-']
  ])('%s becomes %s: %s', (before, now, expected) => {
    for (const id of [undefined, null, 'twin', 'a b']) {
      expect(found(before, now, id)).toBe(expected);
    }
  });

  it('gives no id anew that another cell had', () => {
    const ids = new CellIds();
    const seen = new Set<string>();
    for (let n = 2; n < 20; n++) {
      const given = ids.ofFile('n', cells('x'.repeat(n)));
      expect(given.some(id => seen.has(id))).toBe(false);
      given.forEach(id => seen.add(id));
    }
  });

  it('makes no id of one equal cell for another one after a reload', () => {
    const before = new CellIds().ofFile('n', cells('axxb'));
    const now = new CellIds().ofFile('n', cells('axxxb'));
    expect(now[0]).toBe(before[0]);
    expect(now.slice(1, 4).some(id => before.includes(id))).toBe(false);
    expect(new CellIds().ofFile('n', cells('axxb'))).toEqual(before);
  });

  it('takes the last of two cells of one id for what it is, when the first went', () => {
    const ids = new CellIds();
    const [, , last] = ids.ofFile('n', [
      cell('one', 'twin'),
      cell('two', 'm'),
      cell('three', 'twin')
    ]);
    expect(ids.ofFile('n', [cell('two', 'm'), cell('three', 'twin')])).toEqual([
      'm',
      last
    ]);
  });

  it('takes thousands of equal cells in linear time', () => {
    const ids = new CellIds();
    const row = 'xy'.repeat(10_000);
    const started = performance.now();
    ids.ofFile('n', cells(row));
    ids.ofFile('n', cells(`z${row}`));
    ids.ofFile('n', cells(`z${row.slice(2)}q`));
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('a change of one place moves no id to another cell, and loses few', () => {
    const text = (max: number) =>
      fc
        .array(fc.constantFrom('x', 'x', 'y', 'a', 'b'), { maxLength: max })
        .map(each => each.join(''));
    fc.assert(
      fc.property(
        text(5),
        text(3),
        text(3),
        text(5),
        fc.constantFrom(undefined, null, 'twin', ''),
        fc.boolean(),
        (begin, out, into, end, id, isOpen) => {
          const before = begin + out + end;
          const now = begin + into + end;
          const ids = new CellIds();
          const name = (sources: string): string[] =>
            isOpen
              ? ids.ofModel(
                  'n',
                  cells(sources).map((each, i) => ({
                    ...each,
                    id: `${sources}-${i}`,
                    key: {}
                  })),
                  4
                )
              : ids.ofFile('n', cells(sources, id));
          const old = name(before);
          const given = name(now);
          expect(new Set(given).size).toBe(given.length);
          const isTouched = (i: number): boolean =>
            i >= begin.length && i < begin.length + out.length;
          const placeOf = (i: number): number =>
            i < begin.length ? i : i + into.length - out.length;
          given.forEach((each, j) => {
            const i = old.indexOf(each);
            if (i >= 0 && before[i] === now[j] && !isTouched(i)) {
              expect([before, now, j]).toEqual([before, now, placeOf(i)]);
            }
            if (i >= 0 && before[i] === now[j] && isTouched(i)) {
              // It may be taken for the same cell that was put back there.
              expect(j).toBeGreaterThanOrEqual(begin.length);
              expect(j).toBeLessThan(begin.length + into.length);
            }
          });
          // What is found again inside the change may part what surrounds it.
          const isFoundInside = [...out].some(
            each =>
              into.includes(each) && isOnce(before, each) && isOnce(now, each)
          );
          (isFoundInside ? [] : certain(before, now))
            .filter(([i]) => !isInRow(before, i, begin.length, out.length))
            .forEach(([i, j]) => {
              expect([before, now, given[j]]).toEqual([before, now, old[i]]);
            });
        }
      ),
      PROPERTY
    );
  });
});

function isOnce(text: string, letter: string): boolean {
  return text.split(letter).length === 2;
}

/** Pairs that every longest common subsequence has. */
function certain(before: string, now: string): [number, number][] {
  const longest = (i?: number, j?: number): number => {
    let row = new Array<number>(now.length + 1).fill(0);
    for (let a = 0; a < before.length; a++) {
      const next = [0];
      for (let b = 0; b < now.length; b++) {
        const isPair = before[a] === now[b] && !(a === i && b === j);
        next.push(Math.max(row[b + 1], next[b], isPair ? row[b] + 1 : 0));
      }
      row = next;
    }
    return row[now.length];
  };
  const most = longest();
  const pairs: [number, number][] = [];
  for (let i = 0; i < before.length; i++) {
    for (let j = 0; j < now.length; j++) {
      if (before[i] === now[j] && longest(i, j) < most) {
        pairs.push([i, j]);
      }
    }
  }
  return pairs;
}

/** Whether a cell is in a row of equal ones that touches the change. */
function isInRow(
  before: string,
  i: number,
  at: number,
  length: number
): boolean {
  let [from, to] = [i, i];
  while (from > 0 && before[from - 1] === before[i]) {
    from--;
  }
  while (to < before.length - 1 && before[to + 1] === before[i]) {
    to++;
  }
  return from <= at + length && to >= at - 1;
}
