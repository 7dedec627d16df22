import type { Contents } from '@jupyterlab/services';
import { Signal } from '@lumino/signaling';
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
    expect(history.now('dir/a')).toBe('other/b');
  });

  it('knows what was never seen by the folders above it', () => {
    const history = new PathHistory();
    history.rename('dir', 'other');
    expect(history.now('dir/sub/a')).toBe('other/sub/a');
    expect(history.of('other/sub/a')).toEqual(['dir/sub/a']);
    history.rename('other/sub/a', 'b');
    expect(history.now('dir/sub/a')).toBe('b');
    expect(history.of('b')).toEqual(['other/sub/a', 'dir/sub/a']);
    expect(history.now('directory/a')).toBeUndefined();
  });

  it('ends where two changed places, and takes the newest', () => {
    const history = new PathHistory();
    history.rename('a', 'between');
    history.rename('b', 'a');
    history.rename('between', 'b');
    expect(history.now('between')).toBeDefined();
    history.rename('new', 'first');
    history.rename('new', 'second');
    expect(history.now('new')).toBe('second');
  });

  it('forgets what was deleted', () => {
    const history = new PathHistory();
    history.rename('dir/a', 'other/a');
    history.forget('other');
    expect(history.now('dir/a')).toBeUndefined();
    expect(history.renamed('dir/a')).toBeUndefined();
  });

  it('names the new path whole, and turns nothing around', () => {
    const history = new PathHistory();
    const name = `${'x'.repeat(100)}\u202e.txt`;
    history.rename('a', name);
    expect(history.renamed('a')?.message).toContain(
      `"${'x'.repeat(100)}\\u202e.txt"`
    );
  });

  it('follows what JupyterLab tells, on whatever drive', () => {
    const history = new PathHistory();
    const source = {};
    const fileChanged = new Signal<object, Partial<Contents.IChangedArgs>>(
      source
    );
    const contents = { fileChanged } as unknown as Contents.IManager;
    history.follow(contents);
    const tell = (type: 'rename' | 'delete', from: string, to?: string) =>
      fileChanged.emit({
        type,
        oldValue: { path: from },
        newValue: to === undefined ? null : { path: to }
      });
    tell('rename', 'RTC:a', 'RTC:b');
    expect(history.now('a')).toBe('b');
    tell('delete', 'b');
    expect(history.now('a')).toBeUndefined();
    history.unfollow(contents);
    tell('rename', 'a', 'b');
    expect(history.now('a')).toBeUndefined();
  });
});
