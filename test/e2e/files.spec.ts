import { execFileSync } from 'node:child_process';
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  writeFile
} from 'node:fs/promises';
import { join } from 'node:path';
import type { IReply } from './support/agent';
import { cell, notebook } from './support/notebooks';
import { useSession } from './support/session';

jest.setTimeout(60_000);

/** Files through the contents API, and through the editors that hold them. */
describe('an agent at work with files', () => {
  const session = useSession({
    'notes.txt': 'one\ntwo\nthree\n',
    'open.py': 'a = 1\nb = 2\n',
    'unsaved.py': 'x = 1\n',
    'image.bin': '',
    'book.ipynb': notebook(cell('one', '1 + 1')),
    'a b.txt': 'space',
    'A%20B.txt': 'percent',
    'x#1?.txt': 'marks',
    '2030-01-07 11:27.txt': 'colon',
    'na\u00efve.txt': 'composed',
    'nai\u0308ve.txt': 'decomposed',
    '\u6536\u7a6b.txt': 'harvest'
  });

  beforeAll(async () => {
    await writeFile(
      join(session.home.root, 'image.bin'),
      Buffer.from([0xff, 0xd8, 0xff, 0x00, 0xfe])
    );
  });

  const call = (name: string, args: Record<string, unknown>): Promise<IReply> =>
    session.agent.call(name, args);
  const onDisk = (name: string): Promise<string> =>
    readFile(join(session.home.root, name), 'utf8');
  const read = async (filePath: string): Promise<Record<string, unknown>> => {
    const reply = await call('read_file', { filePath });
    expect(reply).toHaveReply({ isError: false });
    return reply.data;
  };
  /** Opens a file in an editor, and types at its end as the person does. */
  const editor = async (path: string, typed = ''): Promise<void> => {
    await session.tab.command('docmanager:open', { path, factory: 'Editor' });
    await session.tab.page
      .locator('.jp-FileEditor .cm-content:visible')
      .click();
    if (typed) {
      await session.tab.page.keyboard.press('Control+End');
      await session.tab.page.keyboard.type(typed);
    }
  };

  /** The person renames something in the file browser. */
  const renameInTab = async (from: string, to: string): Promise<void> => {
    const app = await session.tab.app();
    await app.evaluate(
      async ({ serviceManager }, [old, now]) => {
        await serviceManager.contents.rename(old, now);
      },
      [from, to]
    );
  };
  /** Another program moves something. */
  const renameOnDisk = (from: string, to: string): Promise<void> =>
    rename(join(session.home.root, from), join(session.home.root, to));
  const namesOnDisk = (): Promise<string[]> => readdir(session.home.root);

  it('lists a folder', async () => {
    const reply = await call('list_directory', {});
    expect(reply).toHaveReply({
      isError: false,
      data: { untrusted: true, path: '', count: 12 }
    });
    expect(reply.data.items).toContainEqual({
      name: 'notes.txt',
      type: 'file',
      size: 14,
      lastModified: expect.any(String)
    });
    expect(reply.data.items).toContainEqual(
      expect.objectContaining({ name: 'book.ipynb', type: 'notebook' })
    );
  });

  it('says of a folder that is not there, and of a file', async () => {
    expect(await call('list_directory', { path: 'nowhere' })).toHaveReply({
      isError: true,
      code: 'not_found'
    });
    expect(await call('list_directory', { path: 'notes.txt' })).toHaveReply({
      isError: true,
      code: 'validation_failed'
    });
  });

  it('reads a file in parts that join', async () => {
    const first = await call('read_file', {
      filePath: 'notes.txt',
      range: { offset: 0, length: 5 }
    });
    expect(first).toHaveReply({
      data: { content: 'one\nt', nextRange: { offset: 5, length: 5 } }
    });
    const rest = await call('read_file', {
      filePath: 'notes.txt',
      range: { offset: 5, length: 100, revision: first.data.revision }
    });
    expect(rest).toHaveReply({ data: { content: 'wo\nthree\n' } });
    expect(rest.data).not.toHaveProperty('nextRange');
  });

  it('writes over a file only from its revision', async () => {
    const edit = { filePath: 'notes.txt', content: 'new\n' };
    expect(await call('write_file', edit)).toHaveReply({
      isError: true,
      code: 'validation_failed',
      message: expect.stringContaining('revision')
    });
    const { revision } = await read('notes.txt');
    await writeFile(join(session.home.root, 'notes.txt'), 'theirs\n');
    expect(await call('write_file', { ...edit, revision })).toHaveReply({
      isError: true,
      code: 'stale_revision'
    });
    expect(await onDisk('notes.txt')).toBe('theirs\n');
    const other = await read('a b.txt');
    expect(
      await call('write_file', { ...edit, revision: other.revision })
    ).toHaveReply({ isError: true, code: 'tampered_revision' });
    const again = await read('notes.txt');
    const written = await call('write_file', {
      filePath: 'notes.txt',
      replacements: [{ old: 'theirs', new: 'ours' }],
      revision: again.revision
    });
    expect(written).toHaveReply({
      isError: false,
      data: { saved: true, created: false, replaced: 'theirs\n' }
    });
    expect(await onDisk('notes.txt')).toBe('ours\n');
    expect((await read('notes.txt')).revision).toBe(written.data.revision);
    expect(
      await call('write_file', {
        filePath: 'notes.txt',
        content: 'ours\n',
        revision: written.data.revision
      })
    ).toHaveReply({ isError: true, code: 'validation_failed' });
  });

  it('changes and saves an editor that holds the file', async () => {
    await editor('open.py');
    const { revision } = await read('open.py');
    expect(
      await call('write_file', {
        filePath: 'open.py',
        replacements: [{ old: 'b = 2', new: 'b = 3' }],
        revision
      })
    ).toHaveReply({ isError: false, data: { saved: true } });
    expect(await onDisk('open.py')).toBe('a = 1\nb = 3\n');
    const shown = session.tab.page.locator('.cm-content:visible');
    expect(await shown.innerText()).toContain('b = 3');
  });

  it('sees what the person has not saved, and does not save it for them', async () => {
    await editor('unsaved.py', 'mine = True\n');
    const file = await read('unsaved.py');
    expect(file).toMatchObject({
      open: true,
      dirty: true,
      content: 'x = 1\nmine = True\n'
    });
    expect(
      await call('write_file', {
        filePath: 'unsaved.py',
        replacements: [{ old: 'x = 1', new: 'x = 2' }],
        revision: file.revision
      })
    ).toHaveReply({ isError: false, data: { saved: false } });
    expect(await onDisk('unsaved.py')).toBe('x = 1\n');
    expect((await read('unsaved.py')).content).toBe('x = 2\nmine = True\n');
  });

  it('does not change the file of an open notebook behind it', async () => {
    await session.tab.openNotebook('book.ipynb');
    const { revision } = await read('book.ipynb');
    const before = await onDisk('book.ipynb');
    expect(
      await call('write_file', {
        filePath: 'book.ipynb',
        content: '{}',
        revision
      })
    ).toHaveReply({ isError: true, code: 'operation_refused' });
    expect(await onDisk('book.ipynb')).toBe(before);
  });

  it('takes binary files for what they are', async () => {
    expect(await call('read_file', { filePath: 'image.bin' })).toHaveReply({
      isError: true,
      code: 'unsupported_type'
    });
    expect(
      await call('write_file', { filePath: 'image.bin', content: 'text' })
    ).toHaveReply({ isError: true, code: 'read_only_type' });
  });

  it('creates files and folders, never over what is there', async () => {
    expect(
      await call('create_file', { fileName: 'sub', fileType: 'directory' })
    ).toHaveReply({ isError: false, data: { filePath: 'sub' } });
    expect(
      await call('create_file', {
        fileName: 'hello',
        fileType: 'python',
        content: 'print(1)\n',
        cwd: 'sub'
      })
    ).toHaveReply({
      isError: false,
      data: { filePath: 'sub/hello.py', saved: true }
    });
    expect(await onDisk('sub/hello.py')).toBe('print(1)\n');
    expect(
      await call('create_file', { fileName: 'notes.txt', content: 'gone' })
    ).toHaveReply({ isError: true, code: 'operation_refused' });
    expect(await onDisk('notes.txt')).toBe('ours\n');
    expect(
      await call('create_file', { fileName: 'x.txt', cwd: 'nowhere' })
    ).toHaveReply({ isError: true, code: 'not_found' });
    expect(
      await call('create_file', { fileName: 'x', fileType: 'no-such-type' })
    ).toHaveReply({ isError: true, code: 'unsupported_type' });
    // The server keeps checkpoints beside what it saves.
    const left = await readdir(join(session.home.root, 'sub'));
    expect(left.filter(name => !name.startsWith('.'))).toEqual(['hello.py']);
  });

  it('gives a new file to one of those that make it at once', async () => {
    const made = await Promise.all(
      ['first', 'second'].map(content =>
        call('create_file', { fileName: 'race.txt', content })
      )
    );
    const won = made.filter(reply => !reply.isError);
    expect(won).toHaveLength(1);
    const winner = made.indexOf(won[0]);
    expect(await onDisk('race.txt')).toBe(['first', 'second'][winner]);
    const rest = await readdir(session.home.root);
    expect(rest.filter(name => name.startsWith('untitled'))).toEqual([]);
  });

  it('opens a document behind what the person looks at', async () => {
    await editor('open.py');
    const opened = await call('open_document', { path: 'notes.txt' });
    expect(opened).toHaveReply({
      isError: false,
      data: { path: 'notes.txt', activated: false }
    });
    const context = await call('get_context', {});
    expect(context.data.currentWidgetId).not.toBe(opened.data.widgetId);
    expect(context.data.widgets).toContainEqual(
      expect.objectContaining({ id: opened.data.widgetId, path: 'notes.txt' })
    );
    expect(
      await call('open_document', { path: 'notes.txt', factory: 'Oven' })
    ).toHaveReply({ isError: true, code: 'unsupported_type' });
    await call('create_file', { fileName: 'shelf', fileType: 'directory' });
    expect(await call('open_document', { path: 'shelf' })).toHaveReply({
      isError: true,
      code: 'validation_failed'
    });
    expect(await call('open_document', { path: 'gone.txt' })).toHaveReply({
      isError: true,
      code: 'not_found'
    });
    const shown = await call('open_document', {
      path: 'notes.txt',
      options: { activate: true }
    });
    expect(shown).toHaveReply({ data: { activated: true } });
    expect((await call('get_context', {})).data.currentWidgetId).toBe(
      shown.data.widgetId
    );
  });

  it.each([
    ['a b.txt', 'space'],
    ['A%20B.txt', 'percent'],
    ['x#1?.txt', 'marks'],
    ['2030-01-07 11:27.txt', 'colon'],
    ['na\u00efve.txt', 'composed'],
    ['nai\u0308ve.txt', 'decomposed'],
    ['\u6536\u7a6b.txt', 'harvest'],
    ['/a b.txt', 'space'],
    ['RTC:a b.txt', 'space']
  ])('maps the name %j to one file', async (filePath, content) => {
    expect((await read(filePath)).content).toBe(content);
    const { revision, filePath: canonical } = await read(filePath);
    expect(
      await call('write_file', {
        filePath,
        content: `${content}!`,
        revision
      })
    ).toHaveReply({ isError: false });
    expect(await onDisk(String(canonical))).toBe(`${content}!`);
    const after = await read(filePath);
    await call('write_file', { filePath, content, revision: after.revision });
  });

  it.each([
    ['.hidden/c.txt', 'not_found'],
    ['../out.txt', 'not_found'],
    ['dir/../../out.txt', 'not_found'],
    ['drive:c.txt', 'not_found'],
    ['a\0b', 'validation_failed'],
    ['C:\\x', 'validation_failed'],
    ['trailing. ', 'validation_failed']
  ])('refuses the path %j', async (filePath, code) => {
    for (const [tool, args] of [
      ['read_file', { filePath }],
      ['open_document', { path: filePath }]
    ] as const) {
      expect(await call(tool, args)).toHaveReply({ isError: true, code });
    }
  });

  it('names the new path of what was renamed, and makes no double of it', async () => {
    const make = (fileName: string, cwd?: string): Promise<IReply> =>
      call('create_file', { fileName, content: 'text\n', cwd });
    await call('create_file', { fileName: 'drawer', fileType: 'directory' });
    await make('shown.py');
    await make('inside.txt', 'drawer');
    await editor('shown.py');
    const shown = await read('shown.py');
    const inside = await read('drawer/inside.txt');
    await renameInTab('shown.py', 'renamed.py');
    await renameInTab('drawer', 'cupboard');
    for (const [old, now, { revision }] of [
      ['shown.py', 'renamed.py', shown],
      ['drawer/inside.txt', 'cupboard/inside.txt', inside]
    ] as const) {
      const write = { filePath: old, content: 'other\n' };
      for (const reply of [
        await call('read_file', { filePath: old }),
        await call('open_document', { path: old }),
        await call('write_file', write),
        await call('write_file', { ...write, revision })
      ]) {
        expect(reply).toHaveReply({
          isError: true,
          code: 'not_found',
          message: expect.stringContaining(`now at "${now}"`)
        });
      }
      expect(
        await call('write_file', { ...write, filePath: now, revision })
      ).toHaveReply({ data: { saved: true, created: false } });
      expect(await onDisk(now)).toBe('other\n');
    }
    expect(await call('list_directory', { path: 'drawer' })).toHaveReply({
      code: 'not_found',
      message: expect.stringContaining('"cupboard"')
    });
    const names = await namesOnDisk();
    expect(names).not.toContain('shown.py');
    expect(names).not.toContain('drawer');
  });

  it('does not bring back what another program moved away', async () => {
    const { data: made } = await call('create_notebook', { name: 'moved' });
    const { cellId, revision } = made;
    const book = { notebookPath: 'moved.ipynb' };
    await session.tab.openNotebook('moved.ipynb');
    expect(
      await call('edit_cell', { ...book, cellId, revision, content: 'mine' })
    ).toHaveReply({ isError: false, data: { saved: false, index: 0 } });
    await call('create_file', { fileName: 'moved.py', content: 'a = 1\n' });
    await editor('moved.py');
    await renameOnDisk('moved.ipynb', 'elsewhere.ipynb');
    await renameOnDisk('moved.py', 'elsewhere.py');

    const gone = {
      diskChanged: true,
      warning: expect.stringContaining('gone from disk')
    };
    expect(await call('read_notebook', book)).toHaveReply({
      data: { ...gone, dirty: true, cellCount: 1 }
    });
    expect(await call('save_notebook', book)).toHaveReply({
      isError: true,
      code: 'operation_refused',
      message: expect.stringContaining('gone from disk')
    });
    const text = await read('moved.py');
    expect(text).toMatchObject({ ...gone, content: 'a = 1\n' });
    expect(
      await call('write_file', {
        filePath: 'moved.py',
        content: 'a = 2\n',
        revision: text.revision
      })
    ).toHaveReply({ data: { saved: false, warning: gone.warning } });
    const { widgets } = (await call('get_context', {})).data;
    for (const path of ['moved.ipynb', 'moved.py']) {
      expect(widgets).toContainEqual(
        expect.objectContaining({ path, dirty: true, diskChanged: true })
      );
    }
    const names = await namesOnDisk();
    expect(names).not.toContain('moved.ipynb');
    expect(names).not.toContain('moved.py');
    expect(await session.tab.dialogs()).toEqual([]);
    // The person's own Save brings it back, and all is as before.
    const panel = await session.tab.panel('moved.ipynb');
    await panel.evaluate(each => each.context.save());
    expect(await call('read_notebook', book)).toHaveReply({
      data: { diskChanged: false, dirty: false }
    });
    expect(await onDisk('elsewhere.ipynb')).not.toContain('mine');
    expect(await onDisk('moved.ipynb')).toContain('mine');
  });

  it('shows no error of what it can know cannot be saved', async () => {
    const at = (name: string): string => join(session.home.root, name);
    await call('create_file', { fileName: 'place', fileType: 'directory' });
    for (const fileName of ['turned.py', 'locked.py']) {
      await call('create_file', { fileName, content: 'a = 1\n' });
      await editor(fileName);
    }
    const { data: made } = await call('create_notebook', {
      name: 'inside',
      cwd: 'place'
    });
    const book = { notebookPath: 'place/inside.ipynb' };
    await session.tab.openNotebook(book.notebookPath);
    const { cellId, revision } = made;
    await call('edit_cell', { ...book, cellId, revision, content: 'mine' });
    const turned = await read('turned.py');
    const locked = await read('locked.py');

    // A folder in place of a file, and a file in place of a folder.
    await rm(at('turned.py'));
    await mkdir(at('turned.py'));
    await rm(at('place'), { recursive: true });
    await writeFile(at('place'), '');
    const gone = {
      diskChanged: true,
      warning: expect.stringContaining('gone from disk')
    };
    expect(await read('turned.py')).toMatchObject(gone);
    expect(
      await call('write_file', {
        filePath: 'turned.py',
        content: 'a = 2\n',
        revision: turned.revision
      })
    ).toHaveReply({
      isError: false,
      data: { ...gone, saved: false, changeId: expect.any(String) }
    });
    expect(await call('read_notebook', book)).toHaveReply({ data: gone });
    expect(await call('save_notebook', book)).toHaveReply({
      isError: true,
      code: 'operation_refused',
      message: expect.stringContaining('a file has taken the place')
    });

    await withLocked(at('locked.py'), async () => {
      expect(
        await call('write_file', {
          filePath: 'locked.py',
          content: 'a = 2\n',
          revision: locked.revision
        })
      ).toHaveReply({ isError: true, code: 'permission_denied' });
      expect(await read('locked.py')).toMatchObject({
        content: 'a = 1\n',
        dirty: false
      });
    });
    expect(await session.tab.dialogs()).toEqual([]);
  });

  it.each([
    ['read_file', 'long name', { filePath: '\u00fc'.repeat(200) }],
    ['create_file', 'long name', { fileName: '\u{1f600}'.repeat(80) }],
    ['create_file', 'line break', { fileName: 'a\nb' }],
    ['create_file', 'hidden name', { fileName: '.env' }],
    // There is no room for the name of its checkpoint.
    ['create_notebook', 'long name', { name: 'n'.repeat(245) }],
    ['read_file', 'long path', { filePath: 'p/'.repeat(2000) }],
    ['create_file', 'folder that is a file', { fileName: 'x', cwd: 'a b.txt' }],
    [
      'write_file',
      'folder that is a file',
      { filePath: 'a b.txt/x', content: '' }
    ]
  ])('refuses a %s of a %s itself', async (tool, _, args) => {
    const reply = await call(tool, args);
    expect(reply).toHaveReply({ isError: true, code: 'validation_failed' });
  });

  it.each([
    ['read_file', { filePath: 'a b.txt/deep/x' }],
    ['read_notebook', { notebookPath: 'a b.txt/x' }],
    ['list_directory', { path: 'a b.txt/x' }],
    ['open_document', { path: 'a b.txt/x' }],
    ['write_file', { filePath: 'nowhere/x.txt', content: 'x' }]
  ])(
    'finds nothing where the server breaks off: %s of %j',
    async (tool, args) => {
      const reply = await call(tool, args);
      expect(reply).toHaveReply({ isError: true, code: 'not_found' });
      expect(reply.message).not.toContain(session.home.root);
    }
  );

  it('gives a new file the longest name that JupyterLab can open and save', async () => {
    const fileName = `${'\u00fc'.repeat(120)}.txt`;
    expect(await call('create_file', { fileName })).toHaveReply({
      isError: false
    });
    await editor(fileName);
    const { revision } = await read(fileName);
    expect(
      await call('write_file', { filePath: fileName, content: 'x', revision })
    ).toHaveReply({ isError: false, data: { saved: true } });
    const name = 'n'.repeat(238);
    const made = await call('create_notebook', { name });
    expect(made).toHaveReply({ isError: false });
    const notebookPath = `${name}.ipynb`;
    await call('add_cell', { notebookPath, content: '1' });
    expect(await call('save_notebook', { notebookPath })).toHaveReply({
      data: { saved: true }
    });
    expect(await session.tab.dialogs()).toEqual([]);
  });

  it('says of the file of an open notebook what is not in it', async () => {
    await session.tab.openNotebook('book.ipynb');
    const [first] = (
      await call('read_notebook', { notebookPath: 'book.ipynb' })
    ).data.cells as { cellId: string; revision: string }[];
    expect(await read('book.ipynb')).toMatchObject({ open: true });
    await call('edit_cell', {
      notebookPath: 'book.ipynb',
      ...{ cellId: first.cellId, revision: first.revision },
      content: 'unsaved'
    });
    const file = await read('book.ipynb');
    expect(file).toMatchObject({
      open: true,
      dirty: true,
      warning: expect.stringContaining('read_notebook')
    });
    expect(file.content).not.toContain('unsaved');
  });
});

/** Runs while nobody may write a file; not at all where that cannot be had. */
async function withLocked(
  path: string,
  run: () => Promise<void>
): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  const lock = async (on: boolean): Promise<void> => {
    if (isRoot) {
      execFileSync('chattr', [on ? '+i' : '-i', path], { stdio: 'ignore' });
    } else {
      await chmod(path, on ? 0o444 : 0o644);
    }
  };
  try {
    await lock(true);
  } catch {
    return;
  }
  try {
    await run();
  } finally {
    await lock(false);
  }
}
