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

  describe('tells a document from others', () => {
    it('that were at its path before, and not from itself', () => {
      const history = new PathHistory();
      const a = history.identify('a').name;
      const b = history.identify('b').name;
      history.rename('a', 'between');
      const between = history.identify('between').name;
      history.rename('b', 'a');
      history.rename('between', 'b');
      const nowA = history.identify('a');
      const nowB = history.identify('b');
      expect(nowB.former).toEqual([between, a]);
      expect(nowB.others).toEqual([b]);
      expect(nowA.former).toEqual([b]);
      expect(nowA.others).toEqual([a]);
      expect(new Set([a, b, nowA.name, nowB.name]).size).toBe(4);
    });

    it('that comes back to its path', () => {
      const history = new PathHistory();
      const { name } = history.identify('a');
      history.rename('a', 'b');
      history.rename('b', 'a');
      expect(history.identify('a').former).toContain(name);
      expect(history.identify('a').others).toEqual([]);
    });

    it('that was deleted', () => {
      const history = new PathHistory();
      const { name } = history.identify('dir/a');
      history.forget('dir');
      expect(history.identify('dir/a').name).not.toBe(name);
      expect(history.identify('dir/a').others).toEqual([name]);
      expect(history.identify('dir/a').former).toEqual([]);
    });

    it('in folders that changed places, also what was never seen itself', () => {
      const history = new PathHistory();
      const first = history.identify('x/sub/a').name;
      const second = history.identify('y/sub/a').name;
      history.rename('x', 'between');
      history.rename('y', 'x');
      history.rename('x/sub/a', 'x/sub/b');
      history.rename('between', 'y');
      expect(history.identify('y/sub/a').former).toContain(first);
      expect(history.identify('y/sub/a').former).not.toContain(second);
      expect(history.identify('y/sub/a').others).toEqual([second]);
      expect(history.identify('x/sub/b').former).toContain(second);
      expect(history.identify('x/sub/b').former).not.toContain(first);
    });

    it('told twice or not', () => {
      const history = new PathHistory();
      const { name } = history.identify('a');
      history.rename('a', 'b');
      history.rename('a', 'b');
      const fresh = history.identify('a').name;
      expect(history.identify('b').former).toContain(name);
      expect(history.identify('b').former).not.toContain(fresh);
      expect(history.identify('a').others).toContain(name);
    });

    it('after a reload of the page too', () => {
      const kept = new Map<string, string>();
      const storage = {
        getItem: (name: string) => kept.get(name) ?? null,
        setItem: (name: string, value: string) => void kept.set(name, value)
      };
      const history = new PathHistory(storage);
      history.rename('a', 'b');
      history.forget('c');
      history.forget('c');
      const again = new PathHistory(storage);
      for (const path of ['a', 'c', 'd']) {
        const { name, others } = history.identify(path);
        expect(again.identify(path)).toMatchObject({ name, others });
      }
      again.forget('a');
      expect(again.identify('a').others).toHaveLength(2);
      for (const broken of ['', '{', '[1]', '[["a","b"]]', 'null']) {
        kept.clear();
        const storage = {
          getItem: () => broken,
          setItem: () => {
            throw new Error('full');
          }
        };
        const history = new PathHistory(storage);
        expect(history.identify('a').others).toEqual([]);
        history.forget('a');
        expect(history.identify('a').others).toHaveLength(1);
      }
    });
  });
});
