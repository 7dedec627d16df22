import { addCell, deleteCell, editCell, readCell } from '../../src/tools/cells';
import { readNotebook, saveNotebook } from '../../src/tools/notebooks';
import { caseText } from './support/disk';
import { MCP, Page, SECRET, WEBMCP } from './support/page';

const B01 = 'b01_three_cells.ipynb';
const B04 = 'b04_two_equal_cells.ipynb';

let page: Page;

function open(...names: string[]): Page {
  page = new Page(
    Object.fromEntries(names.map(name => [name, caseText(name)]))
  );
  return page;
}

afterEach(() => page.dispose());

async function revisionOf(path: string, cellId: string): Promise<string> {
  const data = await page.call(readCell, { notebookPath: path, cellId });
  return String(data.revision);
}

describe('add_cell', () => {
  it('puts a cell without a reference at the end (b01)', async () => {
    open(B01);
    const panel = await page.open(B01);
    const data = await page.call(addCell, {
      notebookPath: B01,
      content: 'crates + 1'
    });
    expect(data).toMatchObject({
      success: true,
      notebookPath: B01,
      index: 3,
      before: 'total-1',
      after: null,
      saved: false,
      changeId: 'change-1'
    });
    expect(panel.model?.sharedModel.cells[3].getSource()).toBe('crates + 1');
    expect(panel.model?.sharedModel.cells[3].id).toBe(data.cellId);
  });

  it.each([
    ['below', 2, 'setup-1', 'total-1'],
    ['above', 1, 'title-1', 'setup-1'],
    [undefined, 2, 'setup-1', 'total-1']
  ])('puts a cell %s its reference', async (position, index, before, after) => {
    open(B01);
    await page.open(B01);
    const data = await page.call(addCell, {
      notebookPath: B01,
      content: 'x',
      position,
      referenceCellId: 'setup-1'
    });
    expect(data).toMatchObject({ index, before, after });
  });

  it('takes a position without a reference for the end', async () => {
    open(B01);
    await page.open(B01);
    expect(
      await page.call(addCell, { notebookPath: B01, position: 'above' })
    ).toMatchObject({ index: 3, after: null });
  });

  it('takes no half of a character, and keeps line ends plain', async () => {
    open(B01);
    await page.open(B01);
    expect(
      await page.refusal(addCell, { notebookPath: B01, content: 'a \ud83d' })
    ).toMatchObject({ code: 'validation_failed' });
    const { cellId } = await page.call(addCell, {
      notebookPath: B01,
      content: 'a\r\nb\rc'
    });
    expect(
      await page.call(readCell, { notebookPath: B01, cellId })
    ).toMatchObject({ source: 'a\nb\nc' });
  });

  it('leaves a cell that holds half of a character already to be edited', async () => {
    open(B01);
    const panel = await page.open(B01);
    const [{ sharedModel }] = panel.content.widgets.map(({ model }) => model);
    sharedModel.setSource('a \ud83d');
    const cell = { notebookPath: B01, cellId: sharedModel.getId() };
    const edit = async (args: object) => {
      const { revision } = await page.call(readCell, cell);
      await page.call(editCell, { ...cell, ...args, revision });
      return sharedModel.getSource();
    };
    expect(await edit({ replacements: [{ old: 'a', new: 'b' }] })).toBe(
      'b \ud83d'
    );
    expect(await edit({ content: 'c \ud83d' })).toBe('c \ud83d');
    expect(await edit({ content: 'whole' })).toBe('whole');
    await expect(edit({ content: 'c \ud83d' })).rejects.toThrow(/half/);
  });

  it('opens a closed notebook in the background, without a kernel', async () => {
    open(B01);
    const data = await page.call(addCell, {
      notebookPath: B01,
      content: '# note',
      cellType: 'markdown'
    });
    expect(data).toMatchObject({ success: true, index: 3 });
    expect(page.opened).toEqual([expect.objectContaining({ activate: false })]);
    const panel = page.tracker.find(() => true);
    expect(panel?.model?.cells.get(3).type).toBe('markdown');
    expect(panel?.sessionContext.session).toBeNull();
    expect(page.disk.read(B01)).toBe(caseText(B01));
  });

  it('does not open what JupyterLab itself could not load', async () => {
    open(B01);
    page.disk.opensNothing = true;
    const refusal = await page.refusal(addCell, { notebookPath: B01 });
    expect(refusal.code).toBe('operation_refused');
    expect(refusal.message).toContain('Unreadable Notebook');
    expect(page.opened).toEqual([]);
  });

  it('refuses an unknown reference without opening anything', async () => {
    open(B01);
    const refusal = await page.refusal(addCell, {
      notebookPath: B01,
      referenceCellId: 'nope'
    });
    expect(refusal.code).toBe('not_found');
    expect(refusal.message).toContain('title-1, setup-1, total-1');
    expect(page.opened).toEqual([]);
  });

  it('refuses an unknown cell type', async () => {
    open(B01);
    await page.open(B01);
    expect(
      await page.refusal(addCell, { notebookPath: B01, cellType: 'heading' })
    ).toMatchObject({ code: 'unsupported_type' });
  });
});

describe('edit_cell', () => {
  it('asks for a revision where the surface demands one', async () => {
    open(B01);
    await page.open(B01);
    const args = {
      notebookPath: B01,
      cellId: 'setup-1',
      content: 'crates = 9'
    };
    expect(await page.refusal(editCell, args)).toMatchObject({
      code: 'validation_failed'
    });
    expect(await page.call(editCell, args, WEBMCP)).toMatchObject({
      success: true,
      cellId: 'setup-1',
      replaced: 'crates = 12'
    });
  });

  it('keeps what the person typed between read and edit (b04)', async () => {
    open(B04);
    const panel = await page.open(B04);
    const first = await revisionOf(B04, 'eq-1');
    const second = await revisionOf(B04, 'eq-2');
    const shared = panel.model!.sharedModel;
    shared.insertCell(0, { cell_type: 'code', source: 'above' });
    shared.cells[2].updateSource(5, 5, 's');
    expect(shared.cells[2].getSource()).toBe('values = 1');

    const done = await page.call(editCell, {
      notebookPath: B04,
      cellId: 'eq-1',
      content: 'value = 2',
      revision: first
    });
    expect(done).toMatchObject({ success: true, index: 1 });
    const edit = {
      notebookPath: B04,
      cellId: 'eq-2',
      replacements: [{ old: '1', new: '3' }]
    };
    expect(
      await page.refusal(editCell, { ...edit, revision: second })
    ).toMatchObject({ code: 'stale_revision' });
    expect(shared.cells[2].getSource()).toBe('values = 1');
    await page.call(editCell, {
      ...edit,
      revision: await revisionOf(B04, 'eq-2')
    });
    expect(shared.cells.map(cell => cell.getSource())).toEqual([
      'above',
      'value = 2',
      'values = 3',
      'between',
      'value = 1'
    ]);
  });

  it('does not take the revision of an equal cell for its own (b04)', async () => {
    open(B04);
    await page.open(B04);
    expect(
      await page.refusal(editCell, {
        notebookPath: B04,
        cellId: 'eq-2',
        content: 'x',
        revision: await revisionOf(B04, 'eq-1')
      })
    ).toMatchObject({ code: 'tampered_revision' });
  });

  it('refuses while text is composed in that cell, and only there (b04)', async () => {
    open(B04);
    const panel = await page.open(B04);
    const node = panel.content.widgets[1].node;
    node.dispatchEvent(new CompositionEvent('compositionstart'));
    const edit = async (cellId: string) => ({
      notebookPath: B04,
      cellId,
      content: 'value = 5',
      revision: await revisionOf(B04, cellId)
    });
    expect(await page.refusal(editCell, await edit('eq-2'))).toMatchObject({
      code: 'operation_in_progress'
    });
    await page.call(editCell, await edit('eq-1'));
    node.dispatchEvent(new CompositionEvent('compositionend'));
    await page.call(editCell, await edit('eq-2'));
  });

  it('finds no cell that the person deleted, and lists the others (b05)', async () => {
    open(B01);
    const panel = await page.open(B01);
    const revision = await revisionOf(B01, 'setup-1');
    panel.model!.sharedModel.deleteCell(1);
    const refusal = await page.refusal(editCell, {
      notebookPath: B01,
      cellId: 'setup-1',
      content: 'x',
      revision
    });
    expect(refusal.code).toBe('not_found');
    expect(refusal.message).toContain('title-1, total-1');
  });

  it('refuses an edit that changes nothing', async () => {
    open(B01);
    await page.open(B01);
    expect(
      await page.refusal(editCell, {
        notebookPath: B01,
        cellId: 'setup-1',
        content: 'crates = 12',
        revision: await revisionOf(B01, 'setup-1')
      })
    ).toMatchObject({ code: 'validation_failed' });
  });

  it('leaves the person a caret where it was', async () => {
    open(B01);
    const panel = await page.open(B01);
    const cell = panel.content.widgets[1];
    await cell.ready;
    cell.editor?.setCursorPosition({ line: 0, column: 3 });
    await page.call(
      editCell,
      { notebookPath: B01, cellId: 'setup-1', content: 'crates = 13' },
      WEBMCP
    );
    expect(cell.editor?.getCursorPosition()).toMatchObject({ column: 3 });
    expect(cell.editor?.model.sharedModel.getSource()).toBe('crates = 13');
  });

  it('is one step of the undo of its cell (b45)', async () => {
    open(B01);
    const panel = await page.open(B01);
    const shared = panel.model!.sharedModel.cells[1];
    shared.updateSource(11, 11, '0');
    await page.call(
      editCell,
      { notebookPath: B01, cellId: 'setup-1', content: 'boxes = 120' },
      WEBMCP
    );
    shared.updateSource(11, 11, '5');
    shared.undo();
    expect(shared.getSource()).toBe('boxes = 120');
    shared.undo();
    expect(shared.getSource()).toBe('crates = 120');
    shared.undo();
    expect(shared.getSource()).toBe('crates = 12');
  });

  it('refuses a cell that its owner locked (b36)', async () => {
    const name = 'b36_extra_metadata_kept.ipynb';
    open(name);
    await page.open(name);
    const args = { notebookPath: name, cellId: 'meta-1' };
    expect(
      await page.refusal(editCell, { ...args, content: 'x' }, WEBMCP)
    ).toMatchObject({ code: 'locked_package' });
    expect(await page.refusal(deleteCell, args, WEBMCP)).toMatchObject({
      code: 'locked_package'
    });
  });

  it('refuses writes while collaboration has lost its room, and reads on (b39)', async () => {
    open(B01);
    await page.open(B01);
    page.dialogs = [
      { title: 'Document session error', body: 'The room is gone.' }
    ];
    const refusal = await page.refusal(
      editCell,
      { notebookPath: B01, cellId: 'setup-1', content: 'x' },
      WEBMCP
    );
    expect(refusal.code).toBe('operation_refused');
    expect(refusal.message).toContain('The room is gone.');
    expect(
      await page.call(readCell, { notebookPath: B01, cellId: 'setup-1' })
    ).toMatchObject({
      source: 'crates = 12',
      warning: expect.stringContaining('The room is gone.')
    });
  });

  it('does not write the mark of a secret over the secret', async () => {
    open(B01);
    const panel = await page.open(B01);
    const source = `token = "${SECRET}"\nx = 1`;
    const shared = panel.model!.sharedModel.cells[1];
    shared.setSource(source);
    const args = { notebookPath: B01, cellId: 'setup-1' };
    expect(
      await page.refusal(
        editCell,
        { ...args, content: 'token = "[redacted]"\nx = 2' },
        WEBMCP
      )
    ).toMatchObject({ code: 'validation_failed' });
    expect(shared.getSource()).toBe(source);
    await page.call(
      editCell,
      { ...args, replacements: [{ old: 'x = 1', new: 'x = 2' }] },
      WEBMCP
    );
    expect(shared.getSource()).toBe(source.replace('x = 1', 'x = 2'));
    await page.call(editCell, { ...args, content: 'x = 3' }, WEBMCP);
    await page.call(editCell, { ...args, content: '[redacted]' }, WEBMCP);
  });

  it('repeats no piece of a secret that its answer is cut in', async () => {
    open(B01);
    const panel = await page.open(B01);
    const shared = panel.model!.sharedModel.cells[1];
    for (let at = 280; at < 302; at++) {
      shared.setSource(`${'x'.repeat(at)}${SECRET}${'y'.repeat(50)}`);
      const { replaced, replacedCharacters } = await page.call(
        editCell,
        { notebookPath: B01, cellId: 'setup-1', content: 'x = 3' },
        WEBMCP
      );
      expect(replaced).toBe(
        `${'x'.repeat(at)}[redacted]${'y'.repeat(50)}`.slice(0, 300)
      );
      expect(replacedCharacters).toBe(at + 60);
    }
  });

  it('says what it says: twenty edits in a row (b07)', async () => {
    open(B01);
    const panel = await page.open(B01);
    let revision = await revisionOf(B01, 'setup-1');
    for (let i = 0; i < 20; i++) {
      const data = await page.call(editCell, {
        notebookPath: B01,
        cellId: 'setup-1',
        content: `crates = ${i} # 👩‍🌾`,
        revision
      });
      revision = String(data.revision);
      expect(data.saved).toBe(false);
      expect(await revisionOf(B01, 'setup-1')).toBe(revision);
      expect(panel.model?.cells.get(1).sharedModel.getSource()).toBe(
        `crates = ${i} # 👩‍🌾`
      );
    }
  });
});

describe('delete_cell', () => {
  it('answers with the whole of what it deleted, and is one step of undo', async () => {
    open(B01);
    const panel = await page.open(B01);
    const shared = panel.model!.sharedModel;
    shared.insertCell(3, { cell_type: 'code', source: 'mine' });
    const data = await page.call(deleteCell, {
      notebookPath: B01,
      cellId: 'setup-1',
      revision: await revisionOf(B01, 'setup-1')
    });
    expect(data).toMatchObject({
      cellId: 'setup-1',
      index: 1,
      before: 'title-1',
      after: 'total-1',
      cellType: 'code',
      replaced: 'crates = 12'
    });
    shared.insertCell(0, { cell_type: 'code', source: 'mine too' });
    shared.undo();
    shared.undo();
    expect(shared.cells.map(cell => cell.getSource())).toEqual([
      '# Harvest log',
      'crates = 12',
      'crates * 3',
      'mine'
    ]);
  });
});

describe('save_notebook', () => {
  it('saves what is in the tab and says so', async () => {
    open(B01);
    await page.open(B01);
    await page.call(
      editCell,
      { notebookPath: B01, cellId: 'setup-1', content: 'crates = 40' },
      WEBMCP
    );
    expect(await page.call(saveNotebook, { notebookPath: B01 })).toMatchObject({
      success: true,
      saved: true
    });
    expect(page.disk.json(B01).cells[1].source).toBe('crates = 40');
    expect(
      await page.call(readNotebook, { notebookPath: B01 }, MCP)
    ).toMatchObject({ dirty: false, diskChanged: false });
  });

  it('tells that the file changed on disk (b09)', async () => {
    open(B01);
    await page.open(B01);
    page.disk.write(B01, caseText(B04));
    expect(await page.call(readNotebook, { notebookPath: B01 })).toMatchObject({
      diskChanged: true,
      dirty: false,
      cellCount: 3
    });
  });

  it('keeps what a cell of an unknown type has since a reload', async () => {
    const path = 'unknown.ipynb';
    const book = { notebookPath: path };
    const text = (extra: object): string =>
      JSON.stringify({
        nbformat: 4,
        nbformat_minor: 5,
        metadata: {},
        cells: [
          { cell_type: 'x', id: 'u', metadata: {}, source: 'x', ...extra },
          { cell_type: 'raw', id: 'r', metadata: {}, source: 'y' }
        ]
      });
    page = new Page({ [path]: text({ asked: 'old', gone: 1 }) });
    const { context } = await page.open(path);
    const save = async (content: string): Promise<unknown> => {
      await page.call(editCell, { ...book, cellId: 'r', content }, WEBMCP);
      await page.call(saveNotebook, book);
      return page.disk.json(path).cells[0];
    };
    const u = { cell_type: 'x', id: 'u', metadata: {}, source: 'x' };
    expect(await save('1')).toEqual({ ...u, asked: 'old', gone: 1 });
    page.disk.write(path, text({ asked: 'new' }));
    await context.revert();
    expect(await save('2')).toEqual({ ...u, asked: 'new' });
  });
});
