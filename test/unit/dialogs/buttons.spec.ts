import { findButton } from '../../../src/dialogs/buttons';

const LABELS = ['Cancel', "Don't Save", 'Save', '1'];

describe('findButton', () => {
  it.each([
    ['Save', 2],
    ['SAVE', 2],
    [' don’t save '.replace('’', "'"), 1],
    [0, 0],
    [3, 3],
    ['0', 0],
    // A label comes before an index.
    ['1', 3],
    [1, 1]
  ])('finds %j', (wanted, index) => {
    expect(findButton(LABELS, wanted)).toBe(index);
  });

  it.each([['Yes'], [''], [4], [-1], [1.5], ['4'], ['-1'], ['0x0'], ['1e0']])(
    'refuses %j and names the buttons',
    wanted => {
      expect(() => findButton(LABELS, wanted)).toThrow(
        `0 "Cancel", 1 "Don't Save", 2 "Save", 3 "1".`
      );
    }
  );

  it('refuses a label that two buttons have, and asks for the index', () => {
    expect(() => findButton(['Ok', 'ok ', 'Cancel'], 'OK')).toThrow(
      /2 buttons "OK": give the index/
    );
    expect(() => findButton(['Ok', 'Ok'], 'Ok')).toThrow(/give the index/);
    expect(findButton(['Ok', 'Ok'], 1)).toBe(1);
  });

  it('tells labels apart that differ only in case', () => {
    expect(findButton(['save', 'SAVE'], 'SAVE')).toBe(1);
  });

  it('takes labels in any script', () => {
    expect(findButton(['Abbrechen', 'ÜBERNEHMEN', '保存'], 'übernehmen')).toBe(
      1
    );
    expect(findButton(['Abbrechen', 'ÜBERNEHMEN', '保存'], '保存')).toBe(2);
  });
});
