import fc from 'fast-check';
import { applyReplacements, smallestEdit } from '../../../src/calls/textEdits';
import { PROPERTY } from '../../support/property';

/** Texts of pairs, half pairs of the same plane, and equal stretches. */
const text = fc
  .array(fc.constantFrom('a', 'b', '\n', '👩', '👨', '🙂', 'é'), {
    maxLength: 12
  })
  .map(parts => parts.join(''));

describe('smallestEdit', () => {
  it.each([
    ['crates = 12', 'crates = 13', { start: 10, end: 11, text: '3' }],
    ['aaa', 'aaaa', { start: 3, end: 3, text: 'a' }],
    ['abc', '', { start: 0, end: 3, text: '' }],
    ['', 'abc', { start: 0, end: 0, text: 'abc' }],
    ['a👩b', 'a👨b', { start: 1, end: 3, text: '👨' }]
  ])('%j to %j', (from, to, edit) => {
    expect(smallestEdit(from, to)).toEqual(edit);
  });

  it('is null for equal texts', () => {
    expect(smallestEdit('same', 'same')).toBeNull();
  });

  it('makes the one text of the other, and never cuts a pair', () => {
    fc.assert(
      fc.property(text, text, (from, to) => {
        const edit = smallestEdit(from, to);
        if (!edit) {
          expect(from).toBe(to);
          return;
        }
        const { start, end, text: put } = edit;
        expect(from.slice(0, start) + put + from.slice(end)).toBe(to);
        for (const piece of [from.slice(0, start), put, from.slice(end)]) {
          expect(piece).not.toMatch(/\p{Cs}/u);
        }
      }),
      PROPERTY
    );
  });
});

describe('applyReplacements', () => {
  it('replaces what occurs once', () => {
    expect(
      applyReplacements('a = 1\nb = 1', [{ old: 'b = 1', new: 'b = 2' }])
    ).toBe('a = 1\nb = 2');
  });

  it('replaces every occurrence with all', () => {
    expect(
      applyReplacements('aXbXc', [{ old: 'X', new: '$&', all: true }])
    ).toBe('a$&b$&c');
  });

  it('works on what the one before it left', () => {
    expect(
      applyReplacements('one', [
        { old: 'one', new: 'two' },
        { old: 'two', new: 'three' }
      ])
    ).toBe('three');
  });

  it.each([
    [[{ old: 'x', new: 'y' }], 'replacements[0].old does not occur'],
    [[{ old: 'a', new: 'y' }], 'replacements[0].old occurs 2 times'],
    [[{ old: '', new: 'y' }], 'replacements[0].old is empty'],
    [
      [
        { old: 'b', new: 'c' },
        { old: 'b', new: 'd' }
      ],
      'replacements[1].old does not occur'
    ]
  ])('refuses %j', (replacements, message) => {
    expect(() => applyReplacements('aab', replacements)).toThrow(message);
  });

  it('takes an old text that overlaps itself for more than one', () => {
    const replacement = { old: '\n\n', new: '\nX\n' };
    expect(() => applyReplacements('a\n\n\nb', [replacement])).toThrow(
      'replacements[0].old occurs more than once, overlapping itself'
    );
    expect(applyReplacements('a\n\n\nb', [{ ...replacement, all: true }])).toBe(
      'a\nX\n\nb'
    );
  });
});
