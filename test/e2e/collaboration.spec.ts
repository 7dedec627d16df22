import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { IReply } from './support/agent';
import { cell, notebook } from './support/notebooks';
import { pause, ROOT } from './support/processes';
import { RelayClient } from './support/relayClient';
import { COLLABORATIVE } from './support/onTop';
import { useSession } from './support/session';
import { Tab } from './support/tab';

jest.setTimeout(60_000);

const CASES = join(ROOT, 'test', 'cases');

/** jupyter-collaboration's words for a file that was written behind its room. */
const BEHIND = 'Out-of-band';

const session = useSession(
  {
    'dir/c.ipynb': notebook(
      cell('one', '40 + 2'),
      cell('two', 'count = 1'),
      cell('long', 'import time; print("began", flush=True); time.sleep(3)')
    ),
    'view.ipynb': notebook(cell('a', '1')),
    'old.ipynb': notebook(cell('kept', 'x = 1')),
    'notes.txt': 'one\n',
    'b36_raw_and_unknown_cells.ipynb': readFileSync(
      join(CASES, 'b36_raw_and_unknown_cells.ipynb'),
      'utf8'
    )
  },
  COLLABORATIVE
);

const C = 'dir/c.ipynb';

function call(
  name: string,
  args: Record<string, unknown> = {}
): Promise<IReply> {
  return session.agent.call(name, args);
}

/** Edits a cell as it was read a moment before. */
async function edit(cellId: string, content: string): Promise<IReply> {
  const { data } = await call('read_cell', { notebookPath: C, cellId });
  const { revision } = data;
  return call('edit_cell', { notebookPath: C, cellId, content, revision });
}

const dialogs = (): Promise<string[]> =>
  session.tab.page.locator('.jp-Dialog-header').allInnerTexts();

const onDisk = (name: string): Promise<string> =>
  readFile(join(session.home.root, name), 'utf8');

/** What the server has logged in this test: a rename by a person may say it too. */
const logged = (): string => session.lab.log.slice(logBegan);
let logBegan = 0;
beforeEach(() => {
  logBegan = session.lab.log.length;
});

/** Asks until it is so; the last answer otherwise, for the test to fail on. */
async function until<T>(
  ask: () => Promise<T>,
  isSo: (value: T) => boolean
): Promise<T> {
  for (let i = 0; i < 100; i++) {
    const value = await ask();
    if (isSo(value)) {
      return value;
    }
    await pause(100);
  }
  return ask();
}

/** Somebody else, in a browser of their own and without a bridge. */
let guest: Tab | undefined;

async function openGuest(): Promise<Tab> {
  if (!guest) {
    const context = await session.browser.newContext();
    await context.routeWebSocket(/mcp-bridge/, socket => void socket.close());
    guest = await Tab.openIn(context, session.lab);
  }
  return guest;
}

describe('a notebook that is edited together', () => {
  it('stays live when the agent edits and runs it, and the person after that (b08)', async () => {
    const { tab } = session;
    const panel = await tab.openNotebook(C);
    expect(await panel.evaluate(each => each.model?.collaborative)).toBe(true);
    expect(await edit('one', '6 * 7')).toHaveReply({ isError: false });
    expect(
      await call('run_cell', { notebookPath: C, cellId: 'one' })
    ).toHaveReply({
      isError: false,
      data: { executionCount: 1, outputs: [{ data: { 'text/plain': '42' } }] }
    });
    // The person types into the next cell and runs it.
    const second = tab.page.locator('.jp-Notebook .jp-CodeCell').nth(1);
    await second.locator('.cm-content').click();
    await tab.page.keyboard.press('Control+End');
    await tab.page.keyboard.type(' + 1; print(count)');
    await tab.page.keyboard.press('Control+Enter');
    await second.locator('.jp-OutputArea-output').waitFor();
    const ran = await until(
      () => call('read_cell', { notebookPath: C, cellId: 'two' }),
      ({ data }) => data.executionCount === 2 && data.state === 'done'
    );
    expect(ran).toHaveReply({
      data: {
        source: 'count = 1 + 1; print(count)',
        executionCount: 2,
        state: 'done',
        outputs: [{ text: '2\n' }]
      }
    });
    expect(await call('save_notebook', { notebookPath: C })).toHaveReply({
      isError: false,
      data: { saved: true }
    });
    const file = await onDisk(C);
    expect(file).toContain('6 * 7');
    expect(file).toContain('count = 1 + 1');
    expect(await dialogs()).toEqual([]);
    expect(logged()).not.toContain(BEHIND);
  });

  it('has one path, with the drive’s name and without it (b37)', async () => {
    for (const spelling of [C, `RTC:${C}`, `/${C}`]) {
      const args = { notebookPath: spelling, cellId: 'one' };
      expect(await call('read_cell', args)).toHaveReply({
        data: { notebookPath: C, open: true, source: '6 * 7' }
      });
      expect(await call('open_document', { path: spelling })).toHaveReply({
        isError: false,
        data: { path: C }
      });
    }
    expect(await call('list_directory', { path: 'RTC:dir' })).toHaveReply({
      data: { path: 'dir', items: [{ name: 'c.ipynb' }] }
    });
    const { structured } = await call('get_context');
    const told = JSON.stringify(structured);
    expect(told.split(`"path":"${C}"`).length).toBe(2);
    expect(told).not.toContain('RTC:');
    expect(await session.tab.openPaths()).toEqual([C]);
    const looker = await RelayClient.open(session.lab);
    const [{ notebooks }] = await looker.tabs(1);
    looker.close();
    expect(notebooks).toEqual([
      expect.objectContaining({ path: C, shared: true })
    ]);
  });

  it('refuses what another collaborator has changed, and shows them what the agent does (b04)', async () => {
    const { data } = await call('read_cell', {
      notebookPath: C,
      cellId: 'two'
    });
    const them = await openGuest();
    const panel = await them.openNotebook(C);
    await panel.evaluate(each =>
      each.model?.sharedModel.cells[1].setSource('count = "theirs"')
    );
    await until(
      () => session.tab.sources(C),
      sources => sources.some(source => source.includes('theirs'))
    );
    const args = { notebookPath: C, cellId: 'two' };
    const content = 'count = "mine"';
    expect(
      await call('edit_cell', { ...args, content, revision: data.revision })
    ).toHaveReply({ isError: true, code: 'stale_revision' });
    expect(await edit('two', 'count = "agreed"')).toHaveReply({
      isError: false,
      data: { replaced: 'count = "theirs"' }
    });
    const theirs = await until(
      () => them.sources(C),
      sources => sources.some(source => source.includes('agreed'))
    );
    expect(theirs[1]).toBe('count = "agreed"');
    // A run is seen there, and what they run is seen here.
    await call('run_cell', { notebookPath: C, cellId: 'one' });
    await panel.evaluate(each => {
      each.content.activeCellIndex = 1;
    });
    await them.command('notebook:run-cell');
    const ran = await until(
      () => call('read_cell', args),
      ({ data }) => data.executionCount === 4 && data.state === 'done'
    );
    expect(ran).toHaveReply({ data: { executionCount: 4, state: 'done' } });
    expect(await dialogs()).toEqual([]);
    expect(logged()).not.toContain(BEHIND);
  });

  it('keeps its handle when another collaborator renames it (b11)', async () => {
    await session.tab.openNotebook('old.ipynb');
    const { data } = await call('read_cell', {
      notebookPath: 'old.ipynb',
      cellId: 'kept'
    });
    const panel = await (await openGuest()).openNotebook('old.ipynb');
    await panel.evaluate(each => each.context.rename('new.ipynb'));
    await until(
      () => session.tab.openPaths(),
      paths => paths.includes('new.ipynb')
    );
    const args = {
      cellId: 'kept',
      content: 'x = 2',
      revision: data.revision
    };
    expect(
      await call('edit_cell', { notebookPath: 'old.ipynb', ...args })
    ).toHaveReply({
      isError: true,
      code: 'not_found',
      message: expect.stringContaining('new.ipynb')
    });
    expect(
      await call('edit_cell', { notebookPath: 'new.ipynb', ...args })
    ).toHaveReply({ isError: false });
    expect(
      await call('save_notebook', { notebookPath: 'new.ipynb' })
    ).toHaveReply({ data: { saved: true } });
    expect(await onDisk('new.ipynb')).toContain('x = 2');
    expect(await dialogs()).toEqual([]);
  });

  it('is made, filled and run like any other', async () => {
    const args = { notebookPath: 'dir/made.ipynb' };
    await call('create_notebook', { name: 'made', cwd: 'RTC:dir' });
    const added = await call('add_cell', { ...args, content: '1 + 1' });
    expect(added).toHaveReply({ data: { notebookPath: 'dir/made.ipynb' } });
    expect(
      await call('run_cell', { ...args, cellId: added.data.cellId })
    ).toHaveReply({ data: { outputs: [{ data: { 'text/plain': '2' } }] } });
    expect(await call('save_notebook', args)).toHaveReply({
      data: { saved: true }
    });
    expect(await onDisk('dir/made.ipynb')).toContain('1 + 1');
    expect(await dialogs()).toEqual([]);
  });
});

describe('a notebook with a cell that JupyterLab does not know (b36)', () => {
  const path = 'b36_raw_and_unknown_cells.ipynb';
  const refused = {
    isError: true,
    code: 'operation_refused',
    message: expect.stringContaining('does not know')
  };

  /** It is read from its file, and not changed by an edit. */
  async function expectKept(): Promise<void> {
    const args = { notebookPath: path };
    const read = await call('read_notebook', args);
    expect(read).toHaveReply({ data: { open: false, cellCount: 5 } });
    expect(await call('add_cell', { ...args, content: 'x' })).toHaveReply(
      refused
    );
  }

  it('is read from its file, not opened, and not changed', async () => {
    await expectKept();
    expect(await session.tab.openPaths()).not.toContain(path);
    // Collaboration shows the person none of its cells.
    await session.tab.command('docmanager:open', { path });
    const panel = await session.tab.panel(path);
    await panel.evaluate(each => each.context.ready);
    expect(await session.tab.sources(path)).toEqual([]);
    await expectKept();
    await panel.evaluate(each => each.dispose());
    expect(await onDisk(path)).toBe(await readFile(join(CASES, path), 'utf8'));
  });
});

describe('a text file that is edited together', () => {
  it('is never written behind its room, also after a save (b08)', async () => {
    await session.tab.command('docmanager:open', { path: 'notes.txt' });
    const editor = session.tab.page.locator('.jp-FileEditor .cm-content');
    await editor.filter({ hasText: 'one' }).waitFor();
    for (const content of ['two\n', 'three\n']) {
      const { data } = await call('read_file', { filePath: 'notes.txt' });
      expect(data.open).toBe(true);
      expect(
        await call('write_file', {
          filePath: 'RTC:notes.txt',
          content,
          revision: data.revision
        })
      ).toHaveReply({ data: { filePath: 'notes.txt', saved: true } });
      expect(await onDisk('notes.txt')).toBe(content);
      await editor.filter({ hasText: content.trim() }).waitFor();
    }
    expect(await dialogs()).toEqual([]);
    expect(logged()).not.toContain(BEHIND);
  });

  it('is not opened as a notebook beside that', async () => {
    const factory = 'Editor';
    await session.tab.command('docmanager:open', {
      path: 'view.ipynb',
      factory
    });
    const asText = (): Promise<IReply> =>
      call('read_file', { filePath: 'view.ipynb' });
    const { data } = await until(asText, reply => reply.data.open === true);
    const args = { notebookPath: 'view.ipynb' };
    expect(await call('add_cell', { ...args, content: '2' })).toHaveReply({
      isError: true,
      code: 'operation_refused',
      message: expect.stringContaining('text editor')
    });
    expect(await dialogs()).toEqual([]);
    const edits = [{ old: '"source": "1"', new: '"source": "2"' }];
    for (const replacements of [edits, [{ old: '"2"', new: '"3"' }]]) {
      const { revision } = (await asText()).data;
      expect(
        await call('write_file', {
          filePath: 'view.ipynb',
          replacements,
          revision
        })
      ).toHaveReply({ data: { saved: true } });
    }
    expect(data.content).toContain('"source": "1"');
    expect(await call('read_notebook', args)).toHaveReply({
      data: { open: false, cells: [{ source: '3' }] }
    });
    expect(logged()).not.toContain(BEHIND);
  });
});

describe('a run whose page is reloaded', () => {
  it('is not told as running for good, and can be run again (b38)', async () => {
    await guest?.close();
    const args = { notebookPath: C, cellId: 'long' };
    const lost = call('run_cell', args);
    await until(
      () => call('read_cell', args),
      ({ data }) => Array.isArray(data.outputs) && data.outputs.length > 0
    );
    await session.tab.reload();
    expect(await lost).toHaveReply({ isError: true, code: 'internal_error' });
    await session.agent.untilConnected();
    const read = await until(
      () => call('read_cell', args),
      ({ data }) => /done|unknown/.test(String(data.state))
    );
    expect(read).toHaveReply({
      data: {
        state: expect.stringMatching(/done|unknown/),
        outputsMayBeMissing: true,
        outputs: [{ text: 'began\n' }]
      }
    });
    expect(await edit('long', '"again"')).toHaveReply({ isError: false });
    expect(await call('run_cell', args)).toHaveReply({
      isError: false,
      data: { outputs: [{ data: { 'text/plain': "'again'" } }] }
    });
    expect(await call('read_cell', args)).toHaveReply({
      data: { state: 'done', outputsMayBeMissing: false }
    });
  });
});

describe('a document that collaboration has given up (b39)', () => {
  const words = 'Session expired';

  /** Each write is refused in its words, and each read says that it may be old. */
  async function expectGivenUp(says: string): Promise<void> {
    const refused = {
      isError: true,
      code: 'operation_refused',
      message: expect.stringContaining(says)
    };
    const args = { notebookPath: C, cellId: 'one' };
    expect(await edit('one', 'lost')).toHaveReply(refused);
    expect(await call('run_cell', args)).toHaveReply(refused);
    expect(
      await call('add_cell', { notebookPath: C, content: 'lost' })
    ).toHaveReply(refused);
    expect(await call('save_notebook', { notebookPath: C })).toHaveReply(
      refused
    );
    const { data } = await call('read_file', { filePath: 'notes.txt' });
    expect(
      await call('write_file', {
        filePath: 'notes.txt',
        content: 'lost',
        revision: data.revision
      })
    ).toHaveReply(refused);
    const warning = expect.stringContaining(says);
    expect(data).toMatchObject({ content: 'three\n', warning });
    const read = await call('read_cell', args);
    expect(read).toHaveReply({ data: { source: '6 * 7', warning } });
    expect(read.bytes).toBeLessThan(4000);
    expect(await call('read_notebook', { notebookPath: C })).toHaveReply({
      data: { warning }
    });
  }

  it('is not changed while its dialog is up, nor after that', async () => {
    const { home, lab, agent, tab } = session;
    await tab.command('docmanager:open', { path: 'notes.txt' });
    const isOpen = ({ data }: IReply): boolean => data.open === true;
    await until(() => call('read_file', { filePath: 'notes.txt' }), isOpen);
    await until(() => call('read_notebook', { notebookPath: C }), isOpen);
    await lab.stop();
    // What the server would know the documents of this page by.
    await rm(join(home.root, '.jupyter'), { recursive: true });
    await lab.start();
    await agent.untilConnected();
    await tab.page
      .locator('.jp-Dialog-header', { hasText: 'Server Connection Error' })
      .or(tab.page.locator('.jp-Dialog-header', { hasText: words }))
      .waitFor();
    await until(
      () => call('get_context'),
      ({ structured }) => JSON.stringify(structured).includes(words)
    );
    await expectGivenUp(words);
    await tab.page.evaluate(() => {
      const close = (): void => {
        const reject = '.jp-Dialog .jp-mod-reject, .jp-Dialog .jp-mod-accept';
        document.querySelector<HTMLElement>(reject)?.click();
      };
      close();
      setInterval(close, 5);
    });
    await until(dialogs, titles => titles.length === 0);
    await tab.page.waitForTimeout(500);
    expect(await dialogs()).toEqual([]);
    await expectGivenUp('closed and opened again');
  });

  it('is there again when the page is reloaded', async () => {
    const { tab, agent } = session;
    await tab.reload();
    await agent.untilConnected();
    await tab.openNotebook(C);
    expect(await edit('one', '7 * 6')).toHaveReply({ isError: false });
    expect(await call('save_notebook', { notebookPath: C })).toHaveReply({
      data: { saved: true }
    });
    expect(await onDisk(C)).toContain('7 * 6');
    expect(await onDisk('notes.txt')).toBe('three\n');
    expect(logged()).not.toContain(BEHIND);
  });
});
