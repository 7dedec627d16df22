import type { ITabState } from '../../../../protocol/frames';
import { chooseTab, targetOf } from '../../../../bridge/src/tabs/choose';

const EMPTY: ITabState = {
  id: '',
  title: '',
  user: '',
  root: '',
  url: '',
  notebooks: [],
  kernels: [],
  dialogs: [],
  pending: []
};

/** A tab with an id, a root and what it holds. */
function tab(id: string, root: string | null, state: Partial<ITabState> = {}) {
  return { root, state: { ...EMPTY, id, ...state } };
}

const open = (path: string) => ({
  notebooks: [{ path, dirty: false, shared: false }]
});

function chosen(
  tabs: ReturnType<typeof tab>[],
  args: Record<string, unknown> = {},
  folders: string[] = []
): string | null {
  return chooseTab(tabs, targetOf(args), folders)?.state.id ?? null;
}

describe('chooseTab', () => {
  it('takes the only one, whatever it has', () => {
    expect(chosen([tab('a', null)])).toBe('a');
    expect(chosen([tab('a', '/x')], { notebookPath: 'n' }, ['/y'])).toBe('a');
  });

  it('takes none of none', () => {
    expect(chosen([])).toBeNull();
    expect(chosen([], { notebookPath: 'n' }, ['/y'])).toBeNull();
  });

  it('takes none of two that have an equal claim', () => {
    expect(chosen([tab('a', null), tab('b', null)])).toBeNull();
  });

  it.each([
    [{ notebookPath: 'dir/n.ipynb' }, open('dir/n.ipynb')],
    [{ notebookPath: '/dir/n.ipynb' }, open('dir/n.ipynb')],
    [{ notebookPath: 'dir//./n.ipynb' }, open('/dir/n.ipynb')],
    [{ filePath: 'n.ipynb' }, open('n.ipynb')],
    [{ kernelId: 'k' }, { kernels: ['j', 'k'] }],
    [{ dialogId: 'dialog-3' }, { dialogs: ['dialog-3'] }],
    [{ pendingId: 'call-3' }, { pending: ['call-3'] }]
  ])('takes the only one that has %j', (args, state) => {
    const tabs = [tab('a', '/w'), tab('b', '/other', state), tab('c', '/w')];
    expect(chosen(tabs, args, ['/w'])).toBe('b');
  });

  it('tells names apart that only look alike', () => {
    const tabs = [
      tab('a', null, open('n.ipynb')),
      tab('b', null, open('N.ipynb'))
    ];
    expect(chosen(tabs, { notebookPath: 'N.ipynb' })).toBe('b');
    expect(chosen(tabs, { notebookPath: 'x/n.ipynb' })).toBeNull();
    expect(
      chosen([tab('a', null, open('a\\b')), tab('b', null, open('a/b'))], {
        notebookPath: 'a\\b'
      })
    ).toBe('a');
  });

  it('takes the tab that gave out a handle', () => {
    const tabs = [tab('a', null), tab('b', null)];
    expect(chooseTab(tabs, { tab: 'b' }, [])?.state.id).toBe('b');
  });

  it('of several that have it, takes the one at the working folder', () => {
    const tabs = [
      tab('a', '/home/x', open('n')),
      tab('b', '/home/y', open('n')),
      tab('c', '/home/y')
    ];
    expect(chosen(tabs, { notebookPath: 'n' }, ['/home/y/p'])).toBe('b');
    expect(chosen(tabs, { notebookPath: 'n' }, ['/else'])).toBeNull();
  });

  it('takes the server whose root is the nearest folder above', () => {
    const tabs = [
      tab('root', '/'),
      tab('home', '/home/ann'),
      tab('project', '/home/ann/project/'),
      tab('neighbour', '/home/ann/proj')
    ];
    expect(chosen(tabs, {}, ['/home/ann/project/src'])).toBe('project');
    expect(chosen(tabs, {}, ['/home/ann/project'])).toBe('project');
    expect(chosen(tabs, {}, ['/home/ann/projects'])).toBe('home');
    expect(chosen(tabs, {}, ['/home'])).toBe('root');
  });

  it('takes none where the nearest server has two tabs', () => {
    const tabs = [tab('a', '/w'), tab('b', '/w'), tab('c', '/')];
    expect(chosen(tabs, {}, ['/w/x'])).toBeNull();
  });

  it('takes none where two servers have the same root', () => {
    expect(chosen([tab('a', '/w'), tab('b', '/w')], {}, ['/w'])).toBeNull();
  });

  it('asks the folders in their order', () => {
    const tabs = [tab('a', '/a'), tab('b', '/b')];
    expect(chosen(tabs, {}, ['/b', '/a'])).toBe('b');
    expect(chosen(tabs, {}, ['/else', '/a'])).toBe('a');
  });

  it('falls back on the root that the page knows, where it is a path', () => {
    const tabs = [
      tab('a', null, { root: '/w' }),
      tab('b', null, { root: '~/w' }),
      tab('c', null, { root: 'C:\\w' })
    ];
    expect(chosen(tabs, {}, ['/w/x'])).toBe('a');
    expect(chosen(tabs, {}, ['C:\\w\\x'])).toBe('c');
  });
});

describe('targetOf', () => {
  it('takes no argument that is no text', () => {
    expect(
      targetOf({ notebookPath: 1, kernelId: null, dialogId: '', pendingId: {} })
    ).toEqual({
      notebook: undefined,
      kernel: undefined,
      dialog: undefined,
      pending: undefined
    });
  });
});
