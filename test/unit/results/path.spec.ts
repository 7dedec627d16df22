import fc from 'fast-check';
import { formatPath, parsePath, type Path } from '../../../src/results/path';
import { hardString, PROPERTY } from './support';

describe('a path as text', () => {
  it.each<[Path, string]>([
    [[], ''],
    [['outputs', 0, 'text'], 'outputs[0].text'],
    [['data', 'text/plain'], 'data["text/plain"]'],
    [['naïve', '_x1', '1x'], 'naïve._x1["1x"]'],
    [['a"]b', ''], '["a\\"]b"][""]'],
    [[3, 'a'], '[3].a']
  ])('%j', (path, text) => {
    expect(formatPath(path)).toBe(text);
    expect(parsePath(text)).toEqual(path);
  });

  it.each([
    'a.',
    '.a.',
    'a b',
    'a[',
    'a[x]',
    'a["x]',
    'a["\\q"]',
    'a[-1]',
    'x'.repeat(20000)
  ])('is none: %s', text => {
    expect(parsePath(text)).toBeNull();
  });

  it('leads back to the path', () => {
    const key = hardString.filter(each => each.length < 500);
    const part = fc.oneof(key, fc.nat());
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), path => {
        expect(parsePath(formatPath(path))).toEqual(path);
      }),
      PROPERTY
    );
  });
});
