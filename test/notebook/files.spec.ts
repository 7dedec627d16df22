import { Dialog } from '@jupyterlab/apputils';
import {
  ABCWidgetFactory,
  type DocumentRegistry,
  DocumentWidget
} from '@jupyterlab/docregistry';
import type { Contents } from '@jupyterlab/services';
import { Widget } from '@lumino/widgets';
import {
  createFile,
  listDirectory,
  openDocument,
  readFile,
  writeFile
} from '../../src/tools/files';
import { WAITS_MS } from '../../src/jupyter/turns';
import { addCell, editCell, readCell } from '../../src/tools/cells';
import {
  createNotebook,
  readNotebook,
  saveNotebook
} from '../../src/tools/notebooks';
import { caseText } from './support/disk';
import { CLIENT, Page, WEBMCP } from './support/page';

const B01 = 'b01_three_cells.ipynb';

let page: Page;

beforeEach(() => {
  page = new Page({
    'notes.txt': 'one\n',
    'dir/in.txt': 'two\n',
    'dir/book.ipynb': caseText(B01),
    [B01]: caseText(B01)
  });
});

afterEach(() => page.dispose());

const contents = (): Contents.IManager => page.disk.services.contents;

describe('the old path of what was renamed in this tab', () => {
  it.each([
    ['a file', 'notes.txt', 'notes.txt', 'new.txt', 'new.txt'],
    ['a folder above it', 'dir/in.txt', 'dir', 'folder', 'folder/in.txt']
  ])('%s: is answered with the new one', async (_, old, from, to, now) => {
    const { revision } = await page.call(readFile, { filePath: old });
    await contents().rename(from, to);
    for (const refusal of [
      await page.refusal(readFile, { filePath: old }),
      await page.refusal(openDocument, { path: old }),
      await page.refusal(writeFile, { filePath: old, content: 'x' }),
      await page.refusal(writeFile, { filePath: old, content: 'x', revision }),
      await page.refusal(writeFile, { filePath: old, content: 'x' }, WEBMCP)
    ]) {
      expect(refusal.code).toBe('not_found');
      expect(refusal.message).toContain(`now at "${now}"`);
    }
    expect(page.disk.read(old)).toBeUndefined();
    // Its revision goes with it, and a new file can be made on purpose.
    await page.call(writeFile, { filePath: now, content: 'x', revision });
    expect(page.disk.read(now)).toBe('x');
  });

  it('is also that of a folder to list, and to make something in', async () => {
    await contents().rename('dir', 'folder');
    for (const refusal of [
      await page.refusal(listDirectory, { path: 'dir' }),
      await page.refusal(createFile, { fileName: 'a.txt', cwd: 'dir' }),
      await page.refusal(createNotebook, { name: 'a', cwd: 'dir' }),
      await page.refusal(writeFile, { filePath: 'dir/new.txt', content: 'x' })
    ]) {
      expect(refusal.code).toBe('not_found');
      expect(refusal.message).toContain('"folder');
    }
    const book = { notebookPath: 'dir/book.ipynb' };
    for (const tool of [readNotebook, saveNotebook, addCell]) {
      const refusal = await page.refusal(tool, book);
      expect(refusal.code).toBe('not_found');
      expect(refusal.message).toContain('"folder/book.ipynb"');
    }
  });

  it('can be given to a new file on purpose', async () => {
    await contents().rename('notes.txt', 'new.txt');
    await page.call(createFile, { fileName: 'notes.txt', content: 'fresh' });
    expect(await page.call(readFile, { filePath: 'notes.txt' })).toMatchObject({
      content: 'fresh'
    });
  });
});

describe('a revision of what another was moved to the place of', () => {
  const swap = async (a: string, b: string): Promise<void> => {
    await contents().rename(a, 'between');
    await contents().rename(b, a);
    await contents().rename('between', b);
  };

  it('is stale for a file of the same text', async () => {
    page.disk.write('same.txt', 'one\n');
    const first = await page.call(readFile, { filePath: 'notes.txt' });
    await swap('notes.txt', 'same.txt');
    const write = { content: 'x', revision: first.revision };
    const args = { filePath: 'notes.txt', ...write };
    const refusal = await page.refusal(writeFile, args);
    expect(refusal.code).toBe('stale_revision');
    expect(refusal.message).toContain('Another document');
    expect(page.disk.read('notes.txt')).toBe('one\n');
    await page.call(writeFile, { filePath: 'same.txt', ...write });
    expect(page.disk.read('same.txt')).toBe('x');
    const { revision } = await page.call(readFile, { filePath: 'notes.txt' });
    await page.call(writeFile, { ...args, revision });
    expect(page.disk.read('notes.txt')).toBe('x');
  });

  it('is stale for the cells of a copy of a notebook, open or not', async () => {
    const a = { notebookPath: B01 };
    const b = { notebookPath: 'dir/book.ipynb' };
    const { cellId } = (await page.notebooks.read(B01)).cells[0];
    const { revision } = await page.call(readCell, { ...a, cellId });
    await swap(B01, 'dir/book.ipynb');
    for (const isOpen of [false, true]) {
      if (isOpen) {
        await page.open(B01);
      }
      const edit = { cellId, content: 'x', revision };
      expect((await page.refusal(editCell, { ...a, ...edit })).code).toBe(
        'stale_revision'
      );
    }
    await page.call(editCell, { ...b, cellId, content: 'x', revision });
  });
});

describe('an open document whose file is gone from disk', () => {
  const book = { notebookPath: B01 };
  const gone = {
    diskChanged: true,
    warning: expect.stringContaining('gone from disk')
  };

  it('a notebook: reads say so, and a save does not bring it back', async () => {
    const panel = await page.open(B01);
    page.disk.remove(B01);
    expect(await page.call(readNotebook, book)).toMatchObject(gone);
    const { cellId } = page.notebooks.open()[0].cells[0];
    expect(await page.call(readCell, { ...book, cellId })).toMatchObject(gone);
    expect(page.openDisk.isKnownGone(panel.context)).toBe(true);
    const added = await page.call(addCell, { ...book, content: 'kept' });
    expect(added).toMatchObject({ saved: false });
    const refusal = await page.refusal(saveNotebook, book);
    expect(refusal.code).toBe('operation_refused');
    expect(refusal.message).toContain('gone from disk');
    expect(page.disk.read(B01)).toBeUndefined();
    expect(panel.model?.cells.length).toBe(4);
    // The person may bring it back.
    await panel.context.save();
    expect(page.openDisk.isKnownGone(panel.context)).toBe(false);
    expect(await page.call(readNotebook, book)).toMatchObject({
      diskChanged: false
    });
    expect(await page.call(saveNotebook, book)).toMatchObject({ saved: true });
  });

  it('a text file: reads say so, and a write changes the editor alone', async () => {
    const context = await page.openText('notes.txt');
    page.disk.remove('notes.txt');
    const file = await page.call(readFile, { filePath: 'notes.txt' });
    expect(file).toMatchObject({ ...gone, open: true, content: 'one\n' });
    const blind = { filePath: 'notes.txt', content: 'over' };
    expect((await page.refusal(writeFile, blind)).code).toBe(
      'validation_failed'
    );
    expect(
      await page.call(writeFile, { ...blind, revision: file.revision })
    ).toMatchObject({
      created: false,
      saved: false,
      warning: gone.warning,
      replaced: 'one\n'
    });
    expect(context.model.toString()).toBe('over');
    expect(page.disk.read('notes.txt')).toBeUndefined();
    expect(
      (await page.refusal(createFile, { fileName: 'notes.txt' })).code
    ).toBe('operation_refused');
    await page.call(openDocument, { path: 'notes.txt' });
  });

  it('a text file that is there is told as before, and saved', async () => {
    await page.openText('notes.txt');
    const file = await page.call(readFile, { filePath: 'notes.txt' });
    expect(file).toMatchObject({ open: true, diskChanged: false });
    expect(file).not.toHaveProperty('warning');
    const { revision } = file;
    const args = { filePath: 'notes.txt', content: 'new', revision };
    expect(await page.call(writeFile, args)).toMatchObject({ saved: true });
    expect(page.disk.read('notes.txt')).toBe('new');
  });
});

describe('the line ends of a file that an editor holds', () => {
  it.each([
    ['a\r\nb\nc\rd\n', 'Z\r\nb\r\nc\rd\r\n', 'CRLF'],
    ['a\rb\nc\n', 'Z\rb\rc\r', 'CR'],
    ['a\r\nb\r\n', 'Z\r\nb\r\n', undefined],
    ['a\rb\r', 'Z\rb\r', undefined],
    ['a\nb\n', 'Z\nb\n', undefined]
  ])('%j: become %j, which is told if they were mixed', async (...each) => {
    const [text, saved, kind] = each;
    page.disk.write('ends.txt', text);
    await page.openText('ends.txt');
    const filePath = 'ends.txt';
    const { revision } = await page.call(readFile, { filePath });
    const replacements = [{ old: 'a', new: 'Z' }];
    const args = { filePath, replacements, revision };
    const first = await page.call(writeFile, args);
    expect(page.disk.read('ends.txt')).toBe(saved);
    expect(first).toMatchObject({ saved: true });
    if (kind === undefined) {
      expect(first).not.toHaveProperty('warning');
    } else {
      expect(first.warning).toContain(` ${kind} `);
    }
    const again = await page.call(writeFile, {
      filePath,
      content: 'Y\n',
      revision: first.revision
    });
    expect(again).not.toHaveProperty('warning');
  });
});

describe('line ends that a new text brings to an editor', () => {
  const filePath = 'ends.txt';
  const write = async (content: string): Promise<Record<string, unknown>> => {
    const { revision } = await page.call(readFile, { filePath });
    return { filePath, content, revision };
  };

  it.each([
    ['a\r\nb\r\n', 'A\r\nb\r\n', 'A\r\nb\r\n', undefined],
    ['a\r\nb\r\n', 'A\r\nb\rc\n', 'A\r\nb\r\nc\r\n', 'CRLF'],
    ['a\r\nb\rc\n', 'A\r\nb\rc\n', 'A\r\nb\rc\r\n', 'CRLF'],
    ['a\r\nb\n', 'A\r\r\nb\r\n', 'A\r\nb\r\n', 'CRLF'],
    ['a\rb\r', 'A\r\nb\r', 'A\rb\r', 'CR'],
    ['a\nb\n', 'A\r\nb\r', 'A\nb\n', 'LF']
  ])('%j, with %j: saved as %j', async (text, content, saved, kind) => {
    page.disk.write(filePath, text);
    const context = await page.openText(filePath);
    const done = await page.call(writeFile, await write(content));
    expect(page.disk.read(filePath)).toBe(saved);
    expect(context.model.toString()).not.toContain('\r\n');
    const { revision } = await page.call(readFile, { filePath });
    expect(done).toMatchObject({ saved: true, revision });
    if (kind === undefined) {
      expect(done).not.toHaveProperty('warning');
    } else {
      expect(done.warning).toContain(`that are not ${kind} were made so`);
    }
  });

  it('are no change by themselves', async () => {
    page.disk.write(filePath, 'a\nb\n');
    await page.openText(filePath);
    const refusal = await page.refusal(writeFile, await write('a\r\nb\r\n'));
    expect(refusal.code).toBe('validation_failed');
    expect(page.disk.read(filePath)).toBe('a\nb\n');
  });

  it('are those that were sent where no editor holds it', async () => {
    page.disk.write(filePath, 'a\nb\n');
    await page.call(writeFile, await write('A\r\nb\r\n'));
    expect(page.disk.read(filePath)).toBe('A\r\nb\r\n');
  });
});

describe('an open document that cannot be saved', () => {
  const book = { notebookPath: B01 };
  const dialogs = (): string[] =>
    Array.from(document.querySelectorAll('.jp-Dialog'), each =>
      String(each.textContent)
    ).filter(text => text.includes('Error'));
  const saves = (): string[] =>
    page.disk.requests.filter(each => each.startsWith('save'));

  afterEach(() => Dialog.flush());

  const folder = (path: string): void => {
    page.disk.remove(path);
    page.disk.write(`${path}/in.txt`, '');
  };
  const behindFile = (): void => {
    page.disk.remove('dir/in.txt');
    page.disk.remove('dir/book.ipynb');
    page.disk.write('dir', '');
  };

  it.each([
    ['a folder has taken', 'notes.txt', (): void => folder('notes.txt')],
    ['a file of the folder’s name has taken', 'dir/in.txt', behindFile]
  ])(
    'a text file whose place %s is changed in its editor alone',
    async (_, filePath, replace) => {
      const context = await page.openText(filePath);
      const { revision } = await page.call(readFile, { filePath });
      replace();
      expect(await page.call(readFile, { filePath })).toMatchObject({
        open: true,
        diskChanged: true,
        warning: expect.stringContaining('gone from disk')
      });
      expect(page.openDisk.isKnownGone(context)).toBe(true);
      const written = await page.call(writeFile, {
        filePath,
        content: 'over',
        revision
      });
      expect(written).toMatchObject({
        saved: false,
        revision: expect.any(String),
        changeId: expect.any(String),
        warning: expect.stringContaining('gone from disk')
      });
      expect(context.model.toString()).toBe('over');
      expect(saves()).toEqual([]);
      expect(dialogs()).toEqual([]);
    }
  );

  it.each([
    ['a folder', B01, (): void => folder(B01)],
    ['a file', 'dir/book.ipynb', behindFile]
  ])(
    'a notebook is not saved where %s has taken its place',
    async (what, notebookPath, replace) => {
      await page.open(notebookPath);
      replace();
      const read = await page.call(readNotebook, { notebookPath });
      expect(read).toMatchObject({ diskChanged: true });
      const refusal = await page.refusal(saveNotebook, { notebookPath });
      expect(refusal.code).toBe('operation_refused');
      expect(refusal.message).toContain('gone from disk');
      expect(refusal.message).toContain(`${what} has taken`);
      expect(saves()).toEqual([]);
      expect(dialogs()).toEqual([]);
    }
  );

  it('a text file that may not be written is not changed', async () => {
    const context = await page.openText('notes.txt');
    const { revision } = await page.call(readFile, { filePath: 'notes.txt' });
    page.disk.locked.add('notes.txt');
    const args = { filePath: 'notes.txt', content: 'over', revision };
    const refusal = await page.refusal(writeFile, args);
    expect(refusal.code).toBe('permission_denied');
    expect(refusal.message).toContain('Nothing was changed');
    expect(context.model.toString()).toBe('one\n');
    expect(context.model.dirty).toBe(false);
    expect(saves()).toEqual([]);
    expect(dialogs()).toEqual([]);
    // What the person has unsaved is not saved anyway.
    context.model.fromString('mine');
    context.model.dirty = true;
    const mine = await page.call(readFile, { filePath: 'notes.txt' });
    expect(
      await page.call(writeFile, { ...args, revision: mine.revision })
    ).toMatchObject({ saved: false });
    expect(dialogs()).toEqual([]);
  });

  it('a notebook that may not be written is not saved', async () => {
    await page.open(B01);
    await page.call(addCell, { ...book, content: 'kept' });
    page.disk.locked.add(B01);
    const refusal = await page.refusal(saveNotebook, book);
    expect(refusal.code).toBe('permission_denied');
    expect(saves()).toEqual([]);
    expect(dialogs()).toEqual([]);
  });

  it('nothing is changed or saved while the server does not answer for it', async () => {
    const context = await page.openText('notes.txt');
    await page.open(B01);
    const { revision } = await page.call(readFile, { filePath: 'notes.txt' });
    page.disk.failWith = 503;
    const args = { filePath: 'notes.txt', content: 'over', revision };
    for (const refusal of [
      await page.refusal(writeFile, args),
      await page.refusal(saveNotebook, book)
    ]) {
      expect(refusal.code).toBe('operation_refused');
      expect(refusal.message).toContain('503');
    }
    expect(context.model.toString()).toBe('one\n');
    expect(dialogs()).toEqual([]);
  });

  it.each([413, 500])(
    'what was changed is told where the save fails all the same (%i)',
    async status => {
      const context = await page.openText('notes.txt');
      const { revision } = await page.call(readFile, { filePath: 'notes.txt' });
      page.disk.saveFailsWith = status;
      const args = { filePath: 'notes.txt', content: 'over', revision };
      const written = await page.call(writeFile, args);
      expect(written).toMatchObject({
        success: true,
        saved: false,
        replaced: 'one\n',
        warning: expect.stringContaining(`answered ${status}`)
      });
      expect(page.changes.of(CLIENT)).toMatchObject([
        { changeId: written.changeId, change: { after: 'over' } }
      ]);
      expect(context.model.toString()).toBe('over');
      const now = await page.call(readFile, { filePath: 'notes.txt' });
      expect(now).toMatchObject({ revision: written.revision, dirty: true });
    }
  );

  it('what the person typed since it was read is not written over', async () => {
    const context = await page.openText('notes.txt');
    const { revision } = await page.call(readFile, { filePath: 'notes.txt' });
    const args = { filePath: 'notes.txt', content: 'over', revision };
    let looks = 0;
    page.disk.onRequest = () => {
      looks++;
      if (looks === 2) {
        context.model.sharedModel.setSource('typed');
      }
    };
    expect((await page.refusal(writeFile, args)).code).toBe('stale_revision');
    expect(context.model.toString()).toBe('typed');
  });
});

describe('names that no file can have', () => {
  it.each([
    ['ü'.repeat(200), 'validation_failed'],
    ['\u{1f600}'.repeat(80), 'validation_failed'],
    ['a\0b', 'validation_failed'],
    ['a\\b', 'validation_failed'],
    ['half \ud83d', 'validation_failed'],
    ['dot.', 'validation_failed'],
    ['blank ', 'validation_failed'],
    [`deep/${'d/'.repeat(2000)}x.txt`, 'validation_failed'],
    ['..', 'not_found'],
    ['.hidden', 'not_found']
  ])('%j is refused before any request', async (path, code) => {
    for (const [tool, args] of [
      [readFile, { filePath: path }],
      [writeFile, { filePath: `${path}/x`, content: 'x' }],
      [openDocument, { path }],
      [listDirectory, { path }],
      [createFile, { fileName: 'x.txt', cwd: path }],
      [createNotebook, { name: 'x', cwd: path }],
      [readNotebook, { notebookPath: path }]
    ] as const) {
      expect((await page.refusal(tool, args)).code).toBe(code);
    }
    expect(page.disk.requests).toEqual([]);
  });

  it.each([
    // With the ending of a notebook there is no room for its checkpoint.
    'a'.repeat(245),
    'ü'.repeat(123),
    '.',
    '..',
    '.hidden',
    'a/b',
    'a\tb',
    'a\nb',
    'a\u001b[31mb',
    'a\u2028b',
    'a\u202eb'
  ])('%j is not given to a new file', async name => {
    for (const [tool, args] of [
      [createFile, { fileName: name }],
      [createFile, { fileName: name, fileType: 'directory' }],
      [createNotebook, { name: `${name}.ipynb` }]
    ] as const) {
      if (tool === createNotebook && /^\.\.?$/.test(name)) {
        continue;
      }
      expect((await page.refusal(tool, args)).code).toBe('validation_failed');
    }
    expect(page.disk.requests.some(each => each.startsWith('save'))).toBe(
      false
    );
  });

  it('write_file gives no such name to a new file either', async () => {
    for (const filePath of ['a'.repeat(245), 'a\nb']) {
      const args = { filePath, content: 'x' };
      expect((await page.refusal(writeFile, args)).code).toBe(
        'validation_failed'
      );
    }
    expect(page.disk.requests.some(each => each.startsWith('save'))).toBe(
      false
    );
  });

  it.each([
    'foo:bar.txt',
    'A%20B.txt',
    'x%00y.txt',
    'na\u00efve.txt',
    'nai\u0308ve.txt',
    'ü'.repeat(120),
    'family \u{1f468}\u200d\u{1f469}.txt'
  ])('%j is taken as it is', async fileName => {
    expect(await page.call(createFile, { fileName })).toMatchObject({
      filePath: fileName
    });
    expect(page.disk.read(fileName)).toBe('');
  });

  it('answers a path that leads on behind a file', async () => {
    const path = 'notes.txt/deep/x.txt';
    expect((await page.refusal(readFile, { filePath: path })).code).toBe(
      'not_found'
    );
    expect((await page.refusal(listDirectory, { path })).code).toBe(
      'not_found'
    );
    for (const [tool, args] of [
      [writeFile, { filePath: 'notes.txt/x', content: 'x' }],
      [createFile, { fileName: 'x', cwd: 'notes.txt' }]
    ] as const) {
      expect((await page.refusal(tool, args)).code).toBe('validation_failed');
    }
  });

  it('answers a folder that is not there', async () => {
    const args = { filePath: 'nowhere/x.txt', content: 'x' };
    expect((await page.refusal(writeFile, args)).code).toBe('not_found');
  });
});

describe('read_file of a notebook that is open', () => {
  it('tells so, with what the person has not saved', async () => {
    const panel = await page.open(B01);
    const args = { filePath: B01 };
    const clean = await page.call(readFile, args);
    expect(clean).toMatchObject({ open: true, dirty: false });
    expect(clean).not.toHaveProperty('warning');
    panel.model?.sharedModel.cells[0].setSource('mine');
    expect(await page.call(readFile, args)).toMatchObject({
      open: true,
      dirty: true,
      content: caseText(B01),
      warning: expect.stringContaining('read_notebook')
    });
  });
});

describe('create_notebook', () => {
  it('makes one with a single empty cell, which it has open as well', async () => {
    const made = await page.call(createNotebook, { name: 'made' });
    expect(made).toMatchObject({ notebookPath: 'made.ipynb' });
    const { cellId, revision } = made;
    const book = { notebookPath: 'made.ipynb' };
    const cells = [{ cellId, revision, source: '', cellType: 'code' }];
    expect(await page.call(readNotebook, book)).toMatchObject({ cells });
    const panel = await page.open('made.ipynb');
    expect(await page.call(readNotebook, book)).toMatchObject({ cells });
    expect(panel.model?.dirty).toBe(false);
  });
});

describe('calls that write one file at once', () => {
  it('only the first of those that read the same has its revision', async () => {
    const { revision } = await page.call(readFile, { filePath: 'notes.txt' });
    const replacements = [{ old: 'one', new: 'one, two' }];
    const write = { filePath: 'notes.txt', replacements, revision };
    const [first, ...others] = await Promise.allSettled([
      page.call(writeFile, write),
      page.call(writeFile, { ...write, filePath: '/notes.txt' }),
      page.call(writeFile, { ...write, content: 'x', replacements: undefined })
    ]);
    expect(first.status).toBe('fulfilled');
    for (const other of others) {
      expect(other).toMatchObject({ reason: { code: 'stale_revision' } });
    }
    expect(page.disk.read('notes.txt')).toBe('one, two\n');
  });

  it('only the first of those that find no file makes it', async () => {
    const [first, second, third] = await Promise.allSettled([
      page.call(writeFile, { filePath: 'new.txt', content: '1' }),
      page.call(writeFile, { filePath: 'new.txt', content: '2' }),
      page.call(createFile, { fileName: 'new.txt', content: '3' })
    ]);
    expect(first).toMatchObject({ value: { created: true } });
    expect(second).toMatchObject({ reason: { code: 'validation_failed' } });
    expect(third).toMatchObject({ reason: { code: 'operation_refused' } });
    expect(page.disk.read('new.txt')).toBe('1');
  });

  it('waits for one that does not end, but not for ever', async () => {
    void page.files.alone('new.txt', () => new Promise(() => undefined));
    const waiting = Promise.allSettled([
      page.call(writeFile, { filePath: 'new.txt', content: 'x' })
    ]);
    const other = { filePath: 'other.txt', content: 'y' };
    expect(await page.call(writeFile, other)).toMatchObject({ saved: true });
    await page.clock.advance(WAITS_MS);
    expect(await waiting).toMatchObject([
      {
        reason: {
          code: 'operation_in_progress',
          message: expect.stringContaining('still writing')
        }
      }
    ]);
  });

  it('one that fails is in nobody’s way', async () => {
    const bad = {
      filePath: 'notes.txt',
      content: 'x',
      revision: 'A'.repeat(16)
    };
    const good = { filePath: 'more.txt', content: 'y' };
    const all = [bad, bad, good].map(each => page.call(writeFile, each));
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(
      ['rejected', 'rejected', 'fulfilled']
    );
    const { revision } = await page.call(readFile, { filePath: 'notes.txt' });
    await page.call(writeFile, { ...bad, revision });
    expect(page.disk.read('notes.txt')).toBe('x');
  });
});

describe('a notebook that is open in an editor too', () => {
  class AnyEditor extends ABCWidgetFactory<DocumentWidget> {
    protected createNewWidget(
      context: DocumentRegistry.Context
    ): DocumentWidget {
      return new DocumentWidget({ content: new Widget(), context });
    }
  }

  it('is not written behind the notebook, and read with a warning', async () => {
    page.documents.registry.addWidgetFactory(
      new AnyEditor({ name: 'Any', modelName: 'text', fileTypes: ['*'] })
    );
    const editor = page.documents.open(B01, 'Any');
    await (editor && page.documents.contextForWidget(editor))?.ready;
    await page.open(B01);
    await page.call(
      editCell,
      { notebookPath: B01, cellId: 'setup-1', content: 'person = 1' },
      WEBMCP
    );
    const { content, revision, warning } = await page.call(readFile, {
      filePath: B01
    });
    expect(warning).toContain('unsaved edits');
    const refusal = await page.refusal(writeFile, {
      filePath: B01,
      content: `${content}\n`,
      revision
    });
    expect(refusal.code).toBe('operation_refused');
    expect(page.disk.read(B01)).toBe(caseText(B01));
  });
});
