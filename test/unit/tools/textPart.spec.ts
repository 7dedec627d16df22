import { textPart } from '../../../src/tools/textPart';

const SAME = (text: string) => text;

describe('textPart', () => {
  it('says where the part stands and what to ask for next', () => {
    expect(
      textPart('content', '0123456789', { offset: 2, length: 3 }, 'r', SAME)
    ).toEqual({
      content: '234',
      range: { offset: 2, total: 10 },
      nextRange: { offset: 5, length: 3, revision: 'r' }
    });
  });

  it('has no next range at the end', () => {
    expect(textPart('source', '0123456789', { offset: 7 }, 'r', SAME)).toEqual({
      source: '789',
      range: { offset: 7, total: 10 }
    });
  });

  it('begins at the start of the grapheme that the offset is in', () => {
    expect(
      textPart('source', 'a👩‍🌾b', { offset: 3, length: 3 }, 'r', SAME)
    ).toEqual({
      source: '👩‍🌾',
      range: { offset: 1, total: 7 },
      nextRange: { offset: 6, length: 1, revision: 'r' }
    });
  });
});
