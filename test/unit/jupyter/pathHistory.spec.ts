import { PathHistory } from '../../../src/jupyter/pathHistory';

describe('PathHistory', () => {
  it('remembers every earlier path of a document, newest first', () => {
    const history = new PathHistory();
    history.rename('a', 'b');
    history.rename('b', 'c');
    expect(history.of('c')).toEqual(['b', 'a']);
    expect(history.of('b')).toEqual([]);
    expect(history.now('a')).toBe('c');
    expect(history.now('x')).toBeUndefined();
  });

  it('takes the same rename that is told twice for one', () => {
    const history = new PathHistory();
    history.rename('a', 'b');
    history.rename('b', 'c');
    history.rename('b', 'c');
    expect(history.of('c')).toEqual(['b', 'a']);
  });

  it('goes back to a path without counting it as an earlier one', () => {
    const history = new PathHistory();
    history.rename('a', 'b');
    history.rename('b', 'a');
    expect(history.of('a')).toEqual(['b']);
  });

  it('follows a renamed folder', () => {
    const history = new PathHistory();
    history.rename('dir/a', 'dir/b');
    history.rename('dir', 'other');
    expect(history.of('other/b')).toEqual(['dir/b', 'dir/a']);
    expect(history.of('directory/b')).toEqual([]);
  });
});
