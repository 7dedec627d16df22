import fc from 'fast-check';
import { Overlaps } from '../../../src/results/overlaps';
import { PROPERTY } from './support';

const repeating = fc.string({
  unit: fc.constantFrom('a', 'a', 'b'),
  maxLength: 30
});

function plainly(pattern: string, text: string, at: number): number {
  let same = 0;
  while (
    same < pattern.length &&
    at + same < text.length &&
    pattern[same] === text[at + same]
  ) {
    same++;
  }
  return same;
}

describe('how far a pattern matches', () => {
  it('is the same as counted unit by unit, in text after text', () => {
    const places = fc.tuple(repeating, fc.array(fc.nat(30)));
    fc.assert(
      fc.property(repeating, fc.array(places), (pattern, texts) => {
        const overlaps = new Overlaps(pattern);
        for (const [text, some] of texts) {
          overlaps.begin();
          for (const at of some.sort((a, b) => a - b)) {
            expect(overlaps.lengthAt(text, at)).toBe(
              plainly(pattern, text, at)
            );
          }
        }
      }),
      PROPERTY
    );
  });

  it('compares each unit of the text but once or twice', () => {
    const units = 'a'.repeat(100_000);
    let compared = 0;
    const text = {
      length: units.length,
      charCodeAt: (at: number) => {
        compared++;
        return units.charCodeAt(at);
      }
    };
    const overlaps = new Overlaps(`${'a'.repeat(4000)}b`);
    for (let at = 0; at < units.length; at++) {
      overlaps.lengthAt(text, at);
    }
    expect(compared).toBeLessThanOrEqual(2 * units.length);
  });
});
