import type { Data } from '../../src/calls/types';
import { editCell, readCell } from '../../src/tools/cells';
import { readNotebook, saveNotebook } from '../../src/tools/notebooks';
import { caseText } from './support/disk';
import { Page, WEBMCP } from './support/page';

const B01 = 'b01_three_cells.ipynb';
const TWINS = 'b34_duplicate_ids.ipynb';
const NO_IDS = 'b35_v44_no_ids.ipynb';
const EDGES = 'b35_id_edge.ipynb';
const RAW = 'b36_raw_and_unknown_cells.ipynb';
const CRLF = 'b36_source_lists_crlf.ipynb';

let page: Page;

function start(...names: string[]): void {
  page = new Page(
    Object.fromEntries(names.map(name => [name, caseText(name)]))
  );
}

afterEach(() => page.dispose());

async function cellsOf(notebookPath: string, args: Data = {}): Promise<Data[]> {
  const data = await page.call(readNotebook, {
    notebookPath,
    view: 'cells',
    ...args
  });
  return data.cells as Data[];
}

async function idsOf(notebookPath: string): Promise<unknown[]> {
  return (await cellsOf(notebookPath)).map(cell => cell.cellId);
}

describe('reading', () => {
  it('opens nothing, writes nothing and marks nothing dirty', async () => {
    start(B01);
    await page.call(readNotebook, { notebookPath: B01 });
    await page.call(readCell, { notebookPath: B01, cellId: 'setup-1' });
    expect(page.opened).toEqual([]);
    expect(page.disk.requests.every(each => each.startsWith('get'))).toBe(true);
    expect(page.disk.requests).not.toContain(`get notebook ${B01}`);
    const panel = await page.open(B01);
    await page.call(readNotebook, { notebookPath: B01 });
    expect(panel.model?.dirty).toBe(false);
  });

  it('gives a short notebook whole, with what a closed one has too', async () => {
    start(B01);
    const closed = await page.call(readNotebook, { notebookPath: B01 });
    await page.open(B01);
    const open = await page.call(readNotebook, { notebookPath: B01 });
    expect(closed).toMatchObject({
      success: true,
      notebookPath: B01,
      open: false,
      dirty: false,
      kernel: null,
      kernelStatus: 'none',
      cellCount: 3,
      cells: [
        { cellId: 'title-1', cellType: 'markdown', source: '# Harvest log' },
        { cellId: 'setup-1', state: 'done', executionCount: 1, outputs: [] },
        {
          cellId: 'total-1',
          outputs: [
            {
              output_type: 'execute_result',
              mimeTypes: ['text/plain'],
              text: '36'
            }
          ]
        }
      ]
    });
    expect(open).toEqual({ ...closed, open: true });
  });

  it('sees unsaved edits', async () => {
    start(B01);
    const panel = await page.open(B01);
    panel.model!.sharedModel.cells[1].setSource('crates = 99');
    expect(
      await page.call(readCell, { notebookPath: B01, cellId: 'setup-1' })
    ).toMatchObject({ source: 'crates = 99', dirty: true });
  });

  it('does not wait for a server that is silent (b06)', async () => {
    start(B01);
    await page.open(B01);
    page.disk.isSilent = true;
    const reading = page.call(readNotebook, { notebookPath: B01 });
    await page.clock.advance(1500);
    const data = await reading;
    expect(data).toMatchObject({ cellCount: 3, kernelStatus: 'none' });
    expect(data).not.toHaveProperty('diskChanged');
  });

  it('takes counts from the cell, and tells never run from run (b23)', async () => {
    start('b23_counts.ipynb');
    expect(await cellsOf('b23_counts.ipynb')).toMatchObject([
      { state: 'done', executionCount: null },
      { state: 'done', executionCount: 4 },
      { state: 'never run', executionCount: null },
      { state: 'done', executionCount: 3 }
    ]);
  });

  it('says which server reason kept it from reading', async () => {
    start(B01);
    page.disk.failWith = 403;
    expect(
      await page.refusal(readNotebook, { notebookPath: B01 })
    ).toMatchObject({ code: 'permission_denied' });
  });
});

describe('paths', () => {
  it.each([
    'a b.ipynb',
    'A%20B.ipynb',
    'x#1?.ipynb',
    '2030-01-07 11:27.ipynb',
    'na\u00efve.ipynb',
    'nai\u0308ve.ipynb',
    '\u6536\u7a6b.ipynb',
    `${'n'.repeat(249)}.ipynb`
  ])('%s round-trips to one file (b37)', async name => {
    page = new Page({
      [name]: caseText(B01),
      'A B.ipynb': '{}',
      'other.ipynb': '{}'
    });
    expect(await page.call(readNotebook, { notebookPath: name })).toMatchObject(
      { notebookPath: name, cellCount: 3 }
    );
    await page.call(
      editCell,
      { notebookPath: name, cellId: 'setup-1', content: 'x = 1' },
      WEBMCP
    );
    expect(await page.call(saveNotebook, { notebookPath: name })).toMatchObject(
      { notebookPath: name, saved: true }
    );
    expect(page.disk.json(name).cells[1].source).toBe('x = 1');
    expect(page.disk.read('A B.ipynb')).toBe('{}');
  });

  it.each(['RTC:dir/c.ipynb', '/dir/c.ipynb', 'dir//c.ipynb', './dir/c.ipynb'])(
    '%s names dir/c.ipynb (b37)',
    async name => {
      page = new Page({ 'dir/c.ipynb': caseText(B01) });
      expect(
        await page.call(readNotebook, { notebookPath: name })
      ).toMatchObject({ notebookPath: 'dir/c.ipynb' });
      const panel = await page.open('dir/c.ipynb');
      panel.model!.sharedModel.cells[1].setSource('seen');
      expect(
        await page.call(readCell, { notebookPath: name, cellId: 'setup-1' })
      ).toMatchObject({ source: 'seen' });
    }
  );

  it.each([
    ['../out.ipynb', 'not_found'],
    ['dir/../../out.ipynb', 'not_found'],
    ['root-sibling/../root2/c.ipynb', 'not_found'],
    ['.hidden/c.ipynb', 'not_found'],
    ['a\0b', 'validation_failed'],
    ['C:\\x', 'validation_failed'],
    ['dir\\..\\x.ipynb', 'validation_failed'],
    ['x.ipynb. ', 'validation_failed'],
    ['/', 'validation_failed']
  ])('%j is refused before any request (b37)', async (name, code) => {
    page = new Page({ 'root2/c.ipynb': caseText(B01) });
    expect(
      await page.refusal(readNotebook, { notebookPath: name })
    ).toMatchObject({ code });
    expect(page.disk.requests).toEqual([]);
  });

  it('finds nothing on a drive that is not there (b37)', async () => {
    page = new Page({ 'c.ipynb': caseText(B01) });
    expect(
      await page.refusal(readNotebook, { notebookPath: 'drive:c.ipynb' })
    ).toMatchObject({ code: 'not_found' });
  });

  it('follows a rename, and leaves a new file of the old name alone (b11)', async () => {
    page = new Page({ 'Untitled1.ipynb': caseText(B01) });
    const panel = await page.open('Untitled1.ipynb');
    const { revision } = await page.call(readCell, {
      notebookPath: 'Untitled1.ipynb',
      cellId: 'setup-1'
    });
    await page.disk.services.contents.rename('Untitled1.ipynb', 'kept.ipynb');
    expect(panel.context.path).toBe('kept.ipynb');
    const lost = await page.refusal(saveNotebook, {
      notebookPath: 'Untitled1.ipynb'
    });
    expect(lost.code).toBe('not_found');
    expect(lost.message).toContain('kept.ipynb');
    page.disk.write('Untitled1.ipynb', caseText(TWINS));
    expect(
      await page.call(editCell, {
        notebookPath: 'kept.ipynb',
        cellId: 'setup-1',
        content: 'x',
        revision
      })
    ).toMatchObject({ notebookPath: 'kept.ipynb' });
    expect(
      await page.call(saveNotebook, { notebookPath: 'kept.ipynb' })
    ).toMatchObject({ notebookPath: 'kept.ipynb', saved: true });
    expect(page.disk.read('Untitled1.ipynb')).toBe(caseText(TWINS));
  });
});

describe('cells whose ids are no good', () => {
  it('gives double ids one each, and does not guess (b34)', async () => {
    start(TWINS);
    const ids = await idsOf(TWINS);
    expect(new Set(ids).size).toBe(3);
    expect(ids[1]).toBe('case0002');
    const refusal = await page.refusal(
      editCell,
      { notebookPath: TWINS, cellId: 'twin', content: 'x' },
      WEBMCP
    );
    expect(refusal.code).toBe('validation_failed');
    expect(refusal.message).toContain(`${ids[0]} (index 0)`);
    expect(refusal.message).toContain(`${ids[2]} (index 2)`);
    expect(page.opened).toEqual([]);
  });

  it.each([TWINS, NO_IDS, EDGES, RAW])(
    '%s: the ids of reading the file are those of the open notebook',
    async name => {
      start(name);
      const before = await cellsOf(name);
      await page.open(name);
      const after = await cellsOf(name);
      expect(after).toEqual(before);
    }
  );

  it.each([TWINS, NO_IDS, EDGES])(
    '%s: ids stay through a load from disk, and edits hit their cell',
    async name => {
      start(name);
      const panel = await page.open(name);
      const ids = await idsOf(name);
      await panel.context.revert();
      expect(await idsOf(name)).toEqual(ids);
      const last = ids.length - 1;
      await page.call(
        editCell,
        { notebookPath: name, cellId: String(ids[last]), content: 'edited' },
        WEBMCP
      );
      expect(panel.model?.cells.get(last).sharedModel.getSource()).toBe(
        'edited'
      );
      expect(await idsOf(name)).toEqual(ids);
    }
  );

  it('writes no id that was given out into the file (b35)', async () => {
    start(NO_IDS);
    const [first] = await idsOf(NO_IDS);
    await page.call(
      editCell,
      { notebookPath: NO_IDS, cellId: String(first), content: 'value = 7' },
      WEBMCP
    );
    await page.call(saveNotebook, { notebookPath: NO_IDS });
    const { cells } = page.disk.json(NO_IDS);
    expect(cells[0].source).toBe('value = 7');
    expect(cells.every(cell => !('id' in cell))).toBe(true);
    const [again] = await idsOf(NO_IDS);
    expect(again).toBe(first);
  });

  it('keeps the id of a cell whose deletion was undone', async () => {
    start(NO_IDS);
    await page.call(readNotebook, { notebookPath: NO_IDS });
    const panel = await page.open(NO_IDS);
    const ids = await idsOf(NO_IDS);
    panel.model!.sharedModel.deleteCell(0);
    expect(await idsOf(NO_IDS)).toEqual(ids.slice(1));
    panel.model!.sharedModel.undo();
    expect(await idsOf(NO_IDS)).toEqual(ids);
  });

  it.each([
    ['without ids', undefined, false],
    ['with one id', 'twin', false],
    ['without ids', undefined, true],
    ['with one id', 'twin', true]
  ])(
    'equal cells %s: an edit from before another program put one above hits its cell or none',
    async (_, id, isOpen) => {
      const file = (...sources: string[]): string =>
        JSON.stringify({
          nbformat: 4,
          nbformat_minor: id === undefined ? 4 : 5,
          metadata: {},
          cells: sources.map(source => ({
            cell_type: 'code',
            id,
            metadata: {},
            source,
            outputs: [],
            execution_count: null
          }))
        });
      page = new Page({ 'n.ipynb': file('x', 'x', 'a', 'x') });
      const before = await cellsOf('n.ipynb');
      const panel = isOpen ? await page.open('n.ipynb') : undefined;
      expect(await idsOf('n.ipynb')).toEqual(before.map(cell => cell.cellId));
      page.disk.write('n.ipynb', file('x', 'x', 'x', 'a', 'x'));
      await panel?.context.revert();
      const edit = (cell: Data, content: string): Data => ({
        notebookPath: 'n.ipynb',
        cellId: cell.cellId,
        revision: cell.revision,
        content
      });
      // Any of the first three may be the new one.
      for (const cell of before.slice(0, 2)) {
        expect(await page.refusal(editCell, edit(cell, 'y'))).toMatchObject({
          code: 'not_found'
        });
      }
      await page.call(editCell, edit(before[3], 'last'));
      expect((await cellsOf('n.ipynb')).map(cell => cell.source)).toEqual([
        'x',
        'x',
        'x',
        'a',
        'last'
      ]);
    }
  );

  it('does not give the id of a deleted cell to an equal new one', async () => {
    start(B01);
    const panel = await page.open(B01);
    await idsOf(B01);
    const shared = panel.model!.sharedModel;
    shared.deleteCell(1);
    await idsOf(B01);
    shared.insertCell(1, { cell_type: 'code', source: 'crates = 12' });
    expect((await idsOf(B01))[1]).not.toBe('setup-1');
  });

  it('takes every usable own id as it is (b35)', async () => {
    start(EDGES);
    const ids = await idsOf(EDGES);
    expect(ids.slice(0, 2)).toEqual(['a'.repeat(64), 'has.dot_and-dash']);
    expect(
      await page.call(readCell, { notebookPath: EDGES, cellId: 'spa ce' })
    ).toMatchObject({ source: 'z=3', cellId: ids[2] });
    expect(
      await page.call(readCell, { notebookPath: EDGES, cellId: 'x'.repeat(65) })
    ).toMatchObject({ source: 'w=4', cellId: ids[3] });
  });
});

describe('notebooks as they are', () => {
  it('reads raw and unknown cells (b36)', async () => {
    start(RAW);
    expect(await cellsOf(RAW)).toMatchObject([
      { cellId: 'raw-1', cellType: 'raw', source: '.. note::' },
      { cellId: 'h-1', cellType: 'heading', source: 'unknown type' },
      { cellType: 'code', source: '%%bash\necho hi', state: 'never run' },
      { source: '# only a comment' },
      { source: '' }
    ]);
  });

  it('keeps an unknown cell through an edit of another one and a save (b36)', async () => {
    start(RAW);
    const before = JSON.parse(caseText(RAW)).cells;
    const code = (await cellsOf(RAW))[2];
    await page.call(
      editCell,
      {
        notebookPath: RAW,
        cellId: String(code.cellId),
        content: '1 + 1',
        revision: code.revision
      },
      WEBMCP
    );
    await page.call(saveNotebook, { notebookPath: RAW });
    const after = page.disk.json(RAW).cells;
    expect(after).toEqual(
      before.map((cell: object, i: number) =>
        i === 2 ? { ...cell, source: '1 + 1' } : cell
      )
    );
  });

  it('joins lists and keeps carriage returns (b36)', async () => {
    start(CRLF);
    const closed = await cellsOf(CRLF, { outputs: 'full' });
    expect(closed).toMatchObject([
      {
        source: 'a = 1\r\nb = 2\r\na + b',
        outputs: [{ text: 'part one\npart two\n' }]
      },
      { source: 'line 1\nline 2' }
    ]);
    await page.open(CRLF);
    expect(await cellsOf(CRLF, { outputs: 'full' })).toEqual(closed);
  });

  it('edits a cell with carriage returns where it says, also on the screen (b36)', async () => {
    start(CRLF);
    const panel = await page.open(CRLF);
    const cell = panel.content.widgets[0];
    await cell.ready;
    await page.call(
      editCell,
      {
        notebookPath: CRLF,
        cellId: 'case0345',
        replacements: [{ old: 'b = 2', new: 'bee = 2' }]
      },
      WEBMCP
    );
    expect(cell.model.sharedModel.getSource()).toBe(
      'a = 1\r\nbee = 2\r\na + b'
    );
    const lines = cell.editor?.lineCount ?? 0;
    expect(
      Array.from({ length: lines }, (_, i) => cell.editor?.getLine(i))
    ).toEqual(['a = 1', 'bee = 2', 'a + b']);
  });

  it.each([
    ['b36_v3_worksheets.ipynb', 'unsupported_type', 'format 3'],
    ['b46_conflict_markers.ipynb', 'validation_failed', 'line 3, column 1'],
    ['b46_cut_short.ipynb', 'validation_failed', 'cut short'],
    ['b46_empty_file.ipynb', 'validation_failed', 'empty'],
    ['b46_not_json.ipynb', 'validation_failed', 'HTML']
  ])('%s: a sentence, and nothing is written', async (name, code, words) => {
    start(name);
    const before = page.disk.read(name);
    for (const tool of [readNotebook, editCell]) {
      const args =
        tool === editCell
          ? { notebookPath: name, cellId: 'c', content: 'x' }
          : { notebookPath: name };
      const refusal = await page.refusal(tool, args, WEBMCP);
      expect(refusal.code).toBe(code);
      expect(refusal.message).toContain(words);
    }
    expect(page.opened).toEqual([]);
    expect(page.disk.read(name)).toBe(before);
  });
});

describe('outlines', () => {
  const BIG = 'b29_300_cells.ipynb';

  it('has one line a cell, at most 90 characters, 100 at a time (b29)', async () => {
    start(BIG);
    const first = await page.call(readNotebook, { notebookPath: BIG });
    const lines = String(first.outline).split('\n');
    expect(lines).toHaveLength(100);
    expect(lines[0]).toBe('0 case0012 markdown 1 - 0 | ## Part 0');
    expect(lines[1]).toBe('1 case0013 code 1 done 0 | v1 = 1');
    expect(lines.every(line => line.length <= 90)).toBe(true);
    expect(first.nextRange).toEqual({
      offset: 100,
      length: 100,
      revision: first.revision
    });
  });

  it('reads on with nextRange until every cell was there once (b29)', async () => {
    start(BIG);
    const seen: string[] = [];
    let range: unknown;
    do {
      const data: Data = await page.call(readNotebook, {
        notebookPath: BIG,
        view: 'outline',
        ...(range === undefined ? {} : { range })
      });
      seen.push(...String(data.outline).split('\n'));
      range = data.nextRange;
    } while (range !== undefined);
    expect(seen.map(line => Number(line.split(' ')[0]))).toEqual(
      Array.from({ length: 300 }, (_, i) => i)
    );
  });

  it('reads cells on likewise, and none is left out (b29)', async () => {
    start(BIG);
    const seen: unknown[] = [];
    let range: unknown;
    do {
      const data: Data = await page.call(readNotebook, {
        notebookPath: BIG,
        view: 'cells',
        ...(range === undefined ? {} : { range })
      });
      expect(JSON.stringify(data).length).toBeLessThan(40000);
      seen.push(...(data.cells as Data[]).map(cell => cell.index));
      range = data.nextRange;
    } while (range !== undefined);
    expect(seen).toEqual(Array.from({ length: 300 }, (_, i) => i));
  });

  it('refuses to read on when the order changed in between', async () => {
    start(BIG);
    const panel = await page.open(BIG);
    const { nextRange } = await page.call(readNotebook, { notebookPath: BIG });
    panel.model!.sharedModel.deleteCell(5);
    expect(
      await page.refusal(readNotebook, { notebookPath: BIG, range: nextRange })
    ).toMatchObject({ code: 'stale_revision' });
  });

  it('reads a long source in parts that join', async () => {
    const source = 'print("👩‍🌾 é")\n'.repeat(50);
    page = new Page({
      'long.ipynb': JSON.stringify({
        nbformat: 4,
        nbformat_minor: 5,
        metadata: {},
        cells: [{ cell_type: 'raw', id: 'long', metadata: {}, source }]
      })
    });
    const parts: unknown[] = [];
    let range: unknown = { offset: 0, length: 17 };
    do {
      const data: Data = await page.call(readCell, {
        notebookPath: 'long.ipynb',
        cellId: 'long',
        range
      });
      parts.push(data.source);
      range = data.nextRange;
    } while (range !== undefined);
    expect(parts.length).toBeGreaterThan(10);
    expect(parts.join('')).toBe(source);
  });
});

describe('a run that a reload interrupted (b38)', () => {
  it.each([B01, NO_IDS])(
    '%s: its cell may miss outputs until it runs again',
    async name => {
      start(name);
      const before = await page.open(name);
      const [id] = (await idsOf(name)).slice(1);
      Object.assign(before.model!.cells.get(1), { executionState: 'running' });
      page.leave();
      const { storage } = page;
      page.dispose();
      page = new Page({ [name]: caseText(name) }, storage);
      const panel = await page.open(name);
      const read = (index: number): Promise<Data> =>
        idsOf(name).then(ids =>
          page.call(readCell, {
            notebookPath: name,
            cellId: String(ids[index])
          })
        );
      expect(id).toBeDefined();
      // Which the file alone would call done, or never run.
      expect(await read(1)).toMatchObject({
        state: 'unknown',
        outputsMayBeMissing: true
      });
      if (name === B01) {
        expect(await read(2)).toMatchObject({ outputsMayBeMissing: false });
      }
      Object.assign(panel.model!.cells.get(1), { executionState: 'running' });
      Object.assign(panel.model!.cells.get(1), { executionState: 'idle' });
      expect(await read(1)).toMatchObject({ outputsMayBeMissing: false });
    }
  );

  it('is remembered over every reload, and told of a notebook that is not open', async () => {
    start(B01);
    const panel = await page.open(B01);
    Object.assign(panel.model!.cells.get(1), { executionState: 'running' });
    const [, id] = await idsOf(B01);
    const read = (): Promise<Data> =>
      page.call(readCell, { notebookPath: B01, cellId: String(id) });
    for (const isOpen of [true, false, true]) {
      page.leave();
      const { storage } = page;
      page.dispose();
      page = new Page({ [B01]: caseText(B01) }, storage);
      if (isOpen) {
        await page.open(B01);
      }
      expect(await read()).toMatchObject({
        open: isOpen,
        state: 'unknown',
        outputsMayBeMissing: true
      });
    }
  });

  it('says nothing of a reload while nothing ran', async () => {
    start(B01);
    await page.open(B01);
    page.leave();
    const { storage } = page;
    page.dispose();
    page = new Page({ [B01]: caseText(B01) }, storage);
    await page.open(B01);
    expect(
      await page.call(readCell, { notebookPath: B01, cellId: 'setup-1' })
    ).toMatchObject({ outputsMayBeMissing: false, state: 'done' });
  });
});
