import fc from 'fast-check';
import {
  cutAfter,
  cutBefore,
  graphemesOf
} from '../../../src/results/graphemes';
import { PIECES, PROPERTY } from './support';

/** Where the graphemes of a short text begin, found the plain way. */
function boundaries(text: string): number[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return [
    ...[...segmenter.segment(text)].map(({ index }) => index),
    text.length
  ];
}

const text = fc
  .array(
    fc.constantFrom(
      ...PIECES,
      ...['🇩🇪', '🇫', '🇩🇪🇩🇪🇩🇪🇩🇪🇩🇪🇩🇪🇩🇪🇩🇪🇩🇪🇩🇪🇩🇪🇩🇪🇩🇪🇩🇪🇩🇪🇩🇪🇩🇪🇩🇪🇩🇪🇩🇪🇩🇪'],
      ...['👍🏽', '\u200d', '\u0600', 'க்ஷி', 'क्ष', '한', '\u1112\u1161\u11ab'],
      ...['\r\n', '각', '©️', '\u{e0067}', '𝒳', 'g\u0308\u0323']
    ),
    { maxLength: 40, size: 'max' }
  )
  .map(pieces => pieces.join(''));

describe('cutBefore and cutAfter', () => {
  it('find the graphemes that segmenting the whole text finds', () => {
    fc.assert(
      fc.property(text, whole => {
        const starts = boundaries(whole);
        for (let i = 0; i + 1 < starts.length; i++) {
          const [start, end] = [starts[i], starts[i + 1]];
          if (end - start > 64) {
            continue;
          }
          expect([start, cutBefore(whole, start)]).toEqual([start, start]);
          for (let at = start + 1; at < end; at++) {
            expect([at, cutBefore(whole, at)]).toEqual([at, start]);
            expect([at, cutAfter(whole, at)]).toEqual([at, end]);
          }
        }
      }),
      { ...PROPERTY, numRuns: Math.ceil(PROPERTY.numRuns / 4) }
    );
  });

  it('split a grapheme of more than 64 units, but no pair in it', () => {
    const long = `e${'\u0301'.repeat(63)}`;
    expect(cutBefore(`${long}x`, 40)).toBe(0);
    expect(cutAfter(`${long}x`, 40)).toBe(64);
    const longer = `e${'\u0301'.repeat(200)}`;
    expect(cutBefore(longer, 40)).toBe(40);
    expect(cutAfter(longer, 150)).toBe(150);
    const pairs = `e${'\u{1d165}'.repeat(100)}`;
    expect(cutBefore(pairs, 40)).toBe(39);
    expect(cutAfter(pairs, 40)).toBe(41);
  });

  it('stay within the text', () => {
    expect(cutBefore('abc', -1)).toBe(0);
    expect(cutBefore('abc', 9)).toBe(3);
    expect(cutAfter('abc', 9)).toBe(3);
    expect(cutAfter('', 0)).toBe(0);
  });
});

describe('graphemesOf', () => {
  it('gives what segmenting the whole text gives', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 30 }), (part, times) => {
        const whole = part.repeat(times);
        const starts = boundaries(whole);
        const graphemes = [...graphemesOf(whole)];
        expect(graphemes.join('')).toBe(whole);
        if (
          starts.every((start, i) => i === 0 || start - starts[i - 1] < 400)
        ) {
          expect(graphemes).toHaveLength(starts.length - 1);
        }
      }),
      { ...PROPERTY, numRuns: Math.ceil(PROPERTY.numRuns / 10) }
    );
  });
});
