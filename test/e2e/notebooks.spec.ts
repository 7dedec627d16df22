import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { Agent } from './support/agent';
import { Home, Lab } from './support/lab';
import { cell, notebook } from './support/notebooks';
import { ROOT } from './support/processes';
import { startBrowser, Tab } from './support/tab';

jest.setTimeout(90_000);

const CASES = join(ROOT, 'test', 'cases');
const WORK = 'work.ipynb';
const RAW = 'b36_raw_and_unknown_cells.ipynb';
const COPIED = [
  'b01_three_cells.ipynb',
  'b34_duplicate_ids.ipynb',
  'b35_id_edge.ipynb',
  'b35_v44_no_ids.ipynb',
  'b36_source_lists_crlf.ipynb',
  'b36_v3_worksheets.ipynb',
  'b46_conflict_markers.ipynb',
  RAW
];

/** Cells without what a save may add to them. */
interface ICellJSON {
  id?: unknown;
  cell_type: string;
  source: string | string[];
  level?: number;
}

let home: Home;
let lab: Lab;
let browser: Browser;
let tab: Tab;
let agent: Agent;

beforeAll(async () => {
  home = await Home.make();
  await home.write(
    WORK,
    notebook(
      cell('intro', '# Hello', 'markdown'),
      ...Array.from({ length: 60 }, (_, i) => cell(`c${i}`, `x = ${i}`))
    )
  );
  for (const name of COPIED) {
    await home.write(name, await readFile(join(CASES, name), 'utf8'));
  }
  [lab, browser] = await Promise.all([Lab.start(home), startBrowser()]);
  tab = await Tab.open(browser, lab);
  agent = await Agent.in(home);
  await agent.untilConnected();
});

afterAll(async () => {
  await agent?.close();
  await browser?.close();
  await lab?.stop();
  await home?.remove();
});

/** A file with its sources joined: the server saves them as lists. */
async function file(name: string): Promise<{ cells: ICellJSON[] }> {
  const text = await readFile(join(home.root, name), 'utf8');
  const { cells }: { cells: ICellJSON[] } = JSON.parse(text);
  return {
    cells: cells.map(each => ({
      ...each,
      source: [each.source].flat().join('')
    }))
  };
}

async function read(path: string): Promise<Record<string, unknown>[]> {
  const { data } = await agent.call('read_notebook', {
    notebookPath: path,
    view: 'cells'
  });
  return data.cells as Record<string, unknown>[];
}

/** What the person would notice: focus, caret, scroll, mode, current tab. */
async function attention(): Promise<unknown> {
  const panel = await tab.panel(WORK);
  return panel.evaluate(({ id, content }) => {
    const { activeElement } = document;
    const cells = content.widgets;
    return {
      inCell: cells.find(each => each.node.contains(activeElement))?.model.id,
      caret: content.activeCell?.editor?.getCursorPosition(),
      activeCell: content.activeCell?.model.id,
      mode: content.mode,
      // Of the cell on the screen: what is added above must not push it down.
      top: Math.round(
        content.activeCell?.node.getBoundingClientRect().top ?? 0
      ),
      shown: document.querySelector('.lm-DockPanel-tabBar .jp-mod-current')
        ?.textContent,
      visible: document.getElementById(id)?.isConnected
    };
  });
}

describe('the person types in one cell while the agent works in others', () => {
  beforeAll(async () => {
    await tab.openNotebook(WORK);
    const panel = await tab.panel(WORK);
    await panel.evaluate(async ({ content }) => {
      content.activeCellIndex = 30;
      await content.scrollToItem(30, 'center');
      content.mode = 'edit';
      await content.activeCell?.ready;
      content.activeCell?.editor?.focus();
      content.activeCell?.editor?.setCursorPosition({ line: 0, column: 2 });
    });
    await tab.page.waitForTimeout(500);
  });

  it.each<[string, Record<string, unknown>]>([
    ['get_context', {}],
    ['read_notebook', { notebookPath: WORK }],
    ['read_notebook', { notebookPath: WORK, view: 'cells', outputs: 'full' }],
    ['read_cell', { notebookPath: WORK, cellId: 'c3' }],
    ['read_notebook', { notebookPath: 'b01_three_cells.ipynb' }],
    ['add_cell', { notebookPath: WORK, content: 'at_the_end = 1' }],
    [
      'add_cell',
      {
        notebookPath: WORK,
        content: 'above = 1',
        position: 'above',
        referenceCellId: 'c10'
      }
    ],
    [
      'add_cell',
      {
        notebookPath: WORK,
        content: '# Text',
        cellType: 'markdown',
        referenceCellId: 'c29'
      }
    ],
    ['edit_cell', { notebookPath: WORK, cellId: 'c0', content: 'x = "new"' }],
    ['edit_cell', { notebookPath: WORK, cellId: 'c31', content: 'y = 31' }],
    ['delete_cell', { notebookPath: WORK, cellId: 'c50' }],
    ['add_cell', { notebookPath: 'b01_three_cells.ipynb', content: 'hidden' }]
  ])('%s %j leaves them where they are', async (tool, args) => {
    const before = await attention();
    const given = { ...args };
    if (tool === 'edit_cell') {
      const { notebookPath, cellId } = args;
      const { data } = await agent.call('read_cell', { notebookPath, cellId });
      given.revision = data.revision;
    }
    if (tool === 'delete_cell') {
      const { data } = await agent.call('read_cell', args);
      given.revision = data.revision;
    }
    expect(await agent.call(tool, given)).toHaveReply({ isError: false });
    await tab.page.waitForTimeout(300);
    expect(await attention()).toEqual(before);
  });

  it('keeps every letter that is typed meanwhile', async () => {
    const typing = tab.page.keyboard.type('abcdefghij', { delay: 30 });
    for (let i = 0; i < 6; i++) {
      expect(
        await agent.call('add_cell', {
          notebookPath: WORK,
          content: `n = ${i}`,
          position: 'above',
          referenceCellId: 'c5'
        })
      ).toHaveReply({ isError: false });
    }
    await typing;
    const { data } = await agent.call('get_context');
    expect(data.currentEditor).toMatchObject({ cellId: 'c29' });
    expect(
      await agent.call('read_cell', { notebookPath: WORK, cellId: 'c29' })
    ).toHaveReply({ data: { source: 'x abcdefghij= 29', dirty: true } });
  });
});

describe('a notebook that is not open', () => {
  it('is opened in the background for an edit, with no kernel and no dialog', async () => {
    expect(await tab.openPaths()).toContain('b01_three_cells.ipynb');
    const panel = await tab.panel('b01_three_cells.ipynb');
    expect(
      await panel.evaluate(({ isVisible, sessionContext }) => ({
        isVisible,
        hasKernel: Boolean(sessionContext.session?.kernel)
      }))
    ).toEqual({ isVisible: false, hasKernel: false });
    expect(await tab.dialogs()).toEqual([]);
    const { cells } = await file('b01_three_cells.ipynb');
    expect(cells).toHaveLength(3);
  });

  it('starts its kernel with the first run, without asking which', async () => {
    expect(
      await agent.call('run_cell', {
        notebookPath: 'b01_three_cells.ipynb',
        cellId: 'setup-1'
      })
    ).toHaveReply({ isError: false, data: { status: 'ok' } });
    expect(await tab.dialogs()).toEqual([]);
  });
});

describe('create_notebook', () => {
  it('makes a notebook with an empty cell for the default kernel, ready to be filled', async () => {
    const made = await agent.call('create_notebook', { name: 'made' });
    expect(made).toHaveReply({
      isError: false,
      data: { notebookPath: 'made.ipynb', kernelName: 'python3' }
    });
    const { cellId, revision } = made.data;
    expect(await read('made.ipynb')).toMatchObject([
      { cellId, revision, source: '' }
    ]);
    expect(await tab.openPaths()).not.toContain('made.ipynb');
    expect(
      await agent.call('add_cell', {
        notebookPath: 'made.ipynb',
        content: '6 * 7'
      })
    ).toHaveReply({ isError: false });
    const cells = await read('made.ipynb');
    expect(cells).toHaveLength(2);
    expect(cells[0].cellId).toBe(cellId);
    expect(
      await agent.call('run_cell', {
        notebookPath: 'made.ipynb',
        cellId: cells[cells.length - 1].cellId
      })
    ).toHaveReply({
      isError: false,
      data: { outputs: [{ data: { 'text/plain': '42' } }] }
    });
  });

  it.each([
    [{ name: WORK }, 'operation_refused'],
    [{ name: 'x', cwd: 'no such folder' }, 'not_found'],
    [{ name: 'x', language: 'cobol' }, 'not_found'],
    [{ name: '../x' }, 'validation_failed'],
    [{ name: 'x', cwd: '..' }, 'not_found']
  ])('refuses %j', async (args, code) => {
    const before = await tab.page.evaluate(() => document.title);
    expect(await agent.call('create_notebook', args)).toHaveReply({
      isError: true,
      code
    });
    expect(await tab.page.evaluate(() => document.title)).toBe(before);
  });
});

describe('notebooks as they are, through the real server', () => {
  it.each([
    'b34_duplicate_ids.ipynb',
    'b35_v44_no_ids.ipynb',
    'b35_id_edge.ipynb'
  ])('%s: ids stay when it is opened, and none is written', async name => {
    const before = await read(name);
    const text = await file(name);
    const last = before[before.length - 1];
    expect(
      await agent.call('edit_cell', {
        notebookPath: name,
        cellId: last.cellId,
        content: 'edited',
        revision: last.revision
      })
    ).toHaveReply({ isError: false, data: { cellId: last.cellId } });
    const after = await read(name);
    expect(after.map(each => each.cellId)).toEqual(
      before.map(each => each.cellId)
    );
    expect(
      await agent.call('save_notebook', { notebookPath: name })
    ).toHaveReply({ isError: false, data: { saved: true } });
    const saved = await file(name);
    expect(saved.cells.map(each => each.source)).toEqual([
      ...text.cells.slice(0, -1).map(each => each.source),
      'edited'
    ]);
    for (const { cellId } of before) {
      if (String(cellId).startsWith('cell-')) {
        expect(JSON.stringify(saved)).not.toContain(String(cellId));
      }
    }
  });

  it.each<[string, Record<string, unknown>]>([
    ['cells[1].source is a number', { source: 5 }],
    ['cells[1].source is a list that', { source: ['a', 1] }],
    ['cells[1].metadata is a list', { metadata: [] }],
    ['cells[1].outputs is an object', { outputs: {} }],
    [
      'cells[1].outputs[0].traceback is missing',
      { outputs: [{ output_type: 'error', ename: 'E', evalue: '' }] }
    ]
  ])('%s: an edit is refused before anything is opened', async (words, odd) => {
    const name = 'odd.ipynb';
    await home.write(
      name,
      notebook(cell('fine', 'x = 1'), { ...cell('odd', 'y'), ...odd })
    );
    const [fine] = await read(name);
    expect(
      await agent.call('edit_cell', {
        notebookPath: name,
        cellId: 'fine',
        content: 'x = 2',
        revision: fine.revision
      })
    ).toHaveReply({
      isError: true,
      code: 'validation_failed',
      message: expect.stringContaining(words)
    });
    expect(await tab.openPaths()).not.toContain(name);
    expect(await tab.dialogs()).toEqual([]);
  });

  it('edits what was read under __proto__, and leaves no tab of a refused edit', async () => {
    const name = 'proto.ipynb';
    const locks = (value: string): Record<string, unknown> =>
      JSON.parse(`{"__proto__": ${value}}`);
    await home.write(
      name,
      notebook(
        { ...cell('locked', 'x = 1'), metadata: locks('{"editable": false}') },
        { ...cell('plain', 'y = 1'), metadata: locks('{"a": null}') }
      )
    );
    const [locked, plain] = await read(name);
    const edit = (each: Record<string, unknown>): Record<string, unknown> => ({
      notebookPath: name,
      cellId: each.cellId,
      content: 'z = 1',
      revision: each.revision
    });
    expect(await agent.call('edit_cell', edit(locked))).toHaveReply({
      isError: true,
      code: 'locked_package'
    });
    expect(await tab.openPaths()).not.toContain(name);
    expect(await agent.call('edit_cell', edit(plain))).toHaveReply({
      isError: false,
      data: { cellId: 'plain' }
    });
    expect(await tab.dialogs()).toEqual([]);
  });

  it('keeps raw and unknown cells through an edit and a save', async () => {
    const before = await file(RAW);
    const code = (await read(RAW))[2];
    expect(code.source).toBe('%%bash\necho hi');
    await agent.call('edit_cell', {
      notebookPath: RAW,
      cellId: code.cellId,
      content: '1 + 1',
      revision: code.revision
    });
    expect(
      await agent.call('save_notebook', { notebookPath: RAW })
    ).toHaveReply({ isError: false, data: { saved: true } });
    const { cells } = await file(RAW);
    expect(cells).toHaveLength(5);
    cells.forEach((each, i) =>
      expect(each).toMatchObject(
        i === 2 ? { source: '1 + 1' } : before.cells[i]
      )
    );
  });

  it.each([
    ['b36_v3_worksheets.ipynb', 'unsupported_type'],
    ['b46_conflict_markers.ipynb', 'validation_failed'],
    ['../out.ipynb', 'not_found'],
    ['nowhere.ipynb', 'not_found']
  ])('%s is refused: %s', async (notebookPath, code) => {
    expect(await agent.call('read_notebook', { notebookPath })).toHaveReply({
      isError: true,
      code
    });
  });

  it('is shown after an edit of a cell with carriage returns (b36)', async () => {
    const path = 'returns.ipynb';
    await home.write(path, notebook(cell('one', 'a = 1\r\nb = 2\r\na + b')));
    await tab.openNotebook(path);
    const shown = tab.page.locator('.jp-Notebook:visible .cm-content').first();
    for (const content of ['all of it', 'x\r\ny\r\nz', 'x\r\ny']) {
      const { data } = await agent.call('read_cell', {
        notebookPath: path,
        cellId: 'one'
      });
      expect(
        await agent.call('edit_cell', {
          notebookPath: path,
          cellId: 'one',
          content,
          revision: data.revision
        })
      ).toHaveReply({ isError: false });
      const [source] = await tab.sources(path);
      // A cell without carriage returns gets none.
      expect(source).toBe(content.replace(/\r/g, ''));
      await shown.filter({ hasText: content.slice(-1) }).waitFor();
      expect((await shown.innerText()).split('\n')).toEqual(source.split('\n'));
    }
  });

  it('sees a change on disk, and saving asks in a dialog', async () => {
    const name = 'b36_source_lists_crlf.ipynb';
    const [first] = await read(name);
    await agent.call('edit_cell', {
      notebookPath: name,
      cellId: first.cellId,
      replacements: [{ old: 'b = 2', new: 'b = 3' }],
      revision: first.revision
    });
    await home.write(name, notebook(cell('other', 'elsewhere = 1')));
    expect(
      await agent.call('read_notebook', { notebookPath: name })
    ).toHaveReply({ data: { diskChanged: true, dirty: true } });
    const pending = await agent.call('save_notebook', { notebookPath: name });
    expect(pending).toHaveReply({
      isError: false,
      data: { status: 'pending', dialog: { title: 'File Changed' } }
    });
    expect(
      await agent.call('answer_dialog', { button: 'Overwrite' })
    ).toHaveReply({ isError: false, data: { success: true, saved: true } });
    const { cells } = await file(name);
    expect(cells[0].source).toBe('a = 1\r\nb = 3\r\na + b');
  });
});

describe('a page that is reloaded while a cell runs (b38)', () => {
  const path = 'long.ipynb';

  it('says of that cell that its outputs may be missing', async () => {
    await home.write(
      path,
      notebook(
        cell(
          'slow',
          'import time; print("begun"); time.sleep(4); print("end")'
        ),
        cell('other', '1 + 1')
      )
    );
    await tab.openNotebook(path);
    await agent.call('save_notebook', { notebookPath: path });
    const run = agent.call('run_cell', { notebookPath: path, cellId: 'slow' });
    await tab.page.waitForTimeout(1500);
    await tab.reload();
    expect(await run).toHaveReply({ isError: true, code: 'internal_error' });
    await agent.untilConnected();
    await tab.openNotebook(path);
    expect(
      await agent.call('read_cell', { notebookPath: path, cellId: 'slow' })
    ).toHaveReply({ isError: false, data: { outputsMayBeMissing: true } });
    expect(
      await agent.call('read_cell', { notebookPath: path, cellId: 'other' })
    ).toHaveReply({ isError: false, data: { outputsMayBeMissing: false } });
  });

  it('has them all again once the cell ran anew', async () => {
    const read = () =>
      agent.call('read_cell', { notebookPath: path, cellId: 'slow' });
    // The run of before the reload may not have ended yet.
    while ((await read()).data.state === 'running') {
      await tab.page.waitForTimeout(100);
    }
    expect(
      await agent.call('run_cell', { notebookPath: path, cellId: 'slow' })
    ).toHaveReply({ isError: false, data: { status: 'ok' } });
    expect(await read()).toHaveReply({
      data: {
        outputsMayBeMissing: false,
        state: 'done',
        outputs: [{ text: 'begun\nend\n' }]
      }
    });
  });
});

describe('a notebook that another program wrote, loaded again', () => {
  const path = 'pulled.ipynb';
  const ids = async (): Promise<string[]> => {
    const { data } = await agent.call('read_notebook', {
      notebookPath: path,
      view: 'cells'
    });
    const cells = data.cells as { cellId: string }[];
    return cells.map(({ cellId }) => cellId);
  };
  const pull = async (...cells: Record<string, unknown>[]): Promise<void> => {
    await home.write(path, notebook(...cells));
    const panel = await tab.panel(path);
    await panel.evaluate(({ context }) => context.revert());
  };
  const [a, b, c] = ['a', 'b', 'c'].map(id => cell(id, `${id} = 1`));

  beforeAll(async () => {
    await home.write(path, notebook(a, b, c));
    await tab.openNotebook(path);
    expect(await ids()).toEqual(['a', 'b', 'c']);
  });

  it('keeps the ids of its file where cells were edited and others put beside them', async () => {
    await pull(cell('a', 'a = 2'), cell('new', '0'), b, cell('c', 'c = 3'));
    expect(await ids()).toEqual(['a', 'new', 'b', 'c']);
  });

  it('takes no copy with the id of another cell for that cell', async () => {
    const { data } = await agent.call('read_cell', {
      notebookPath: path,
      cellId: 'b'
    });
    await pull(cell('a', 'a = 2'), cell('b', 'copy = 1'), b, c);
    const edit = await agent.call('edit_cell', {
      notebookPath: path,
      cellId: 'b',
      content: 'edited',
      revision: data.revision
    });
    const sources = await tab.sources(path);
    expect(sources[1]).toBe('copy = 1');
    expect(sources[2]).toBe(edit.isError ? 'b = 1' : 'edited');
    expect(new Set(await ids()).size).toBe(4);
  });
});
