import { readdir, readFile, writeFile } from 'node:fs/promises';
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
});
