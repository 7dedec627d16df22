import fc from 'fast-check';
import { outlineLine } from '../../../src/tools/outline';
import { cell } from '../../support/cell';
import { PROPERTY } from '../../support/property';

const SAME = (text: string) => text;

describe('outlineLine', () => {
  it.each([
    [cell({ source: 'x = 1\ny' }), '0 id-1 code 2 never run 0 | x = 1'],
    [
      cell({
        index: 12,
        state: 'error',
        outputCount: 3,
        source: '\n\n  a   b'
      }),
      '12 id-1 code 3 error 3 | a b'
    ],
    [
      cell({ cellType: 'markdown', state: undefined, source: '# T' }),
      '0 id-1 markdown 1 - 0 | # T'
    ],
    [cell({}), '0 id-1 code 0 never run 0 | '],
    [cell({ source: 'a\r\nb\rc\nd' }), '0 id-1 code 4 never run 0 | a']
  ])('%#', (each, line) => {
    expect(outlineLine(each, SAME)).toBe(line);
  });

  it('is one line of at most 90 characters, whole ones', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.nat(100000),
        fc.integer({ min: 1, max: 64 }),
        (source, index, length) => {
          const line = outlineLine(
            cell({ source, index, cellId: 'i'.repeat(length) }),
            SAME
          );
          expect(line.length).toBeLessThanOrEqual(90);
          expect(line).not.toMatch(/[\n\r\u2028\u2029]|\p{Cs}/u);
          expect(line.startsWith(`${index} ${'i'.repeat(length)} code `)).toBe(
            true
          );
        }
      ),
      PROPERTY
    );
  });

  it('never cuts through a family', () => {
    const line = outlineLine(cell({ source: '👩‍👩‍👧‍👦'.repeat(20) }), SAME);
    expect(line.length).toBeLessThanOrEqual(90);
    expect(line).toMatch(/\| (👩‍👩‍👧‍👦)+…$/u);
  });

  it('turns no direction', () => {
    expect(outlineLine(cell({ source: 'a\u202eb\u200bc' }), SAME)).toBe(
      '0 id-1 code 1 never run 0 | a b c'
    );
  });
});
