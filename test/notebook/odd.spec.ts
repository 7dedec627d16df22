import fc from 'fast-check';
import type { Data } from '../../src/calls/types';
import { parseNotebook } from '../../src/jupyter/notebookFile';
import { addCell, deleteCell, editCell, readCell } from '../../src/tools/cells';
import { readNotebook } from '../../src/tools/notebooks';
import { runCell } from '../../src/tools/running';
import { PROPERTY, RUNS, timeFor } from '../support/property';
import { caseText } from './support/disk';
import { Page, WEBMCP } from './support/page';

const PATH = 'odd.ipynb';

type Fields = Readonly<Record<string, unknown>>;

let page: Page;

afterEach(() => page.dispose());

const notebook = (cells: unknown, more: Fields = {}): string =>
  JSON.stringify({
    nbformat: 4,
    nbformat_minor: 5,
    metadata: {
      kernelspec: { name: 'python3', display_name: 'Python' },
      language_info: { name: 'python' }
    },
    cells,
    ...more
  });

const code = (more: Fields = {}): Fields => ({
  cell_type: 'code',
  id: 'c1',
  metadata: {},
  source: 'x = 1',
  outputs: [],
  execution_count: null,
  ...more
});

const text = (more: Fields = {}): Fields => ({
  cell_type: 'markdown',
  id: 'm1',
  metadata: {},
  source: 'words',
  ...more
});

const stream = (value: unknown): Fields => ({
  output_type: 'stream',
  name: 'stdout',
  text: value
});

const error = (traceback: unknown): Fields => ({
  output_type: 'error',
  ename: 'E',
  evalue: 'v',
  traceback
});

async function read(): Promise<Data> {
  return page.call(readNotebook, {
    notebookPath: PATH,
    view: 'cells',
    outputs: 'full'
  });
}

async function firstCell(): Promise<Data> {
  const { cells } = await read();
  return (cells as Data[])[0];
}

/** As JSON that has keys that an object literal cannot have. */
const proto = (json: string): Fields => JSON.parse(json);

describe('what JupyterLab cannot load', () => {
  it.each<[string, string]>([
    [
      notebook([code(), code({ id: 'c2', source: 5 })]),
      'cells[1].source is a number'
    ],
    [notebook([code({ source: { a: 1 } })]), 'cells[0].source is an object'],
    [notebook([text({ source: false })]), 'cells[0].source is a boolean'],
    [notebook([code({ outputs: { a: {} } })]), 'cells[0].outputs is an object'],
    [notebook([code({ outputs: [null] })]), 'cells[0].outputs[0] is null'],
    [
      notebook([code({ outputs: [stream(null)] })]),
      'cells[0].outputs[0].text is null'
    ],
    [
      notebook([code({ outputs: [error('E')] })]),
      'cells[0].outputs[0].traceback is a string'
    ],
    [notebook([code({ outputs: [error(undefined)] })]), 'traceback is missing'],
    [notebook([code({ outputs: [{}] })]), '.outputs[0].output_type is missing'],
    [
      notebook([code({ outputs: [{ name: 'a', text: 'x' }] })]),
      'cells[0].outputs[0].output_type is missing'
    ],
    [notebook([code({ metadata: 'm' })]), 'cells[0].metadata is a string'],
    [
      notebook([code({ metadata: { collapsed: true, jupyter: 'x' } })]),
      'cells[0].metadata.jupyter is a string'
    ],
    [
      notebook([code({ metadata: { a: { constructor: 1 } } })]),
      'cells[0].metadata.a has a field "constructor"'
    ],
    [
      notebook([
        code({ outputs: [{ output_type: 'x', 'a b': { constructor: 1 } }] })
      ]),
      'cells[0].outputs[0]["a b"] has a field "constructor"'
    ],
    [
      notebook([text({ attachments: proto('{"__proto__": null}') })]),
      'cells[0].attachments has a field "constructor"'
    ],
    [notebook([code()], { metadata: null }), 'metadata is null']
  ])('%s: refused before anything is opened', async (file, words) => {
    page = new Page({ [PATH]: file });
    const { warning } = await read();
    expect(warning).toContain(words);
    for (const [tool, args] of [
      [addCell, {}],
      [editCell, { cellId: 'c1', content: 'x = 2' }],
      [editCell, { cellId: 'm1', content: 'x = 2' }]
    ] as const) {
      const refusal = await page.refusal(
        tool,
        { notebookPath: PATH, ...args },
        WEBMCP
      );
      if (refusal.code !== 'not_found') {
        expect(refusal.code).toBe('validation_failed');
        expect(refusal.message).toContain(words);
        expect(refusal.message).toContain('read_file shows its text');
        expect(refusal.message).toContain('write_file can mend it');
      }
    }
    expect(page.opened).toEqual([]);
    expect(page.disk.read(PATH)).toBe(file);
  });

  it.each<[string, string]>([
    [
      notebook([code({ source: ['a', null] })]),
      'cells[0].source is a list that'
    ],
    [notebook([code({ metadata: [] })]), 'cells[0].metadata is a list'],
    [notebook([text({ attachments: [] })]), 'cells[0].attachments is a list'],
    [
      notebook([text({ attachments: { 'a.png': 5 } })]),
      'attachments["a.png"] is a number'
    ],
    [notebook([code({ outputs: ['a'] })]), 'cells[0].outputs[0] is a string'],
    [notebook([code({ id: {} })]), 'cells[0].id is an object'],
    [notebook([code()], { nbformat_minor: '5' }), 'nbformat_minor is a string']
  ])('%s: said where, when the server refuses it', async (file, words) => {
    page = new Page({ [PATH]: file });
    page.disk.opensNothing = true;
    expect((await read()).warning).toContain(words);
    const refusal = await page.refusal(addCell, { notebookPath: PATH }, WEBMCP);
    expect(refusal.code).toBe('validation_failed');
    expect(refusal.message).toContain(words);
    expect(page.opened).toEqual([]);
  });

  it('shows other cells, and what stands for a source as JSON', async () => {
    page = new Page({
      [PATH]: notebook([
        code({ source: { a: [1] } }),
        text(),
        code({ id: 'c2', source: ['a\n', 1, null] })
      ])
    });
    expect(await read()).toMatchObject({
      cells: [
        { source: '{"a":[1]}' },
        { source: 'words' },
        { source: 'a\n1null' }
      ]
    });
  });

  it('does not wait for a tab that the person was left with', async () => {
    page = new Page({ [PATH]: notebook([code({ source: 5 })]) });
    page.documents.open(PATH, 'Notebook', undefined, undefined, {
      shouldStart: false
    });
    const refusal = await page.refusal(addCell, { notebookPath: PATH }, WEBMCP);
    expect(refusal).toMatchObject({ code: 'validation_failed' });
  });

  it('names three and counts the rest', async () => {
    page = new Page({
      [PATH]: notebook(
        [1, 2, 3, 4, 5].map(source => code({ id: `c${source}`, source }))
      )
    });
    expect((await read()).warning).toContain('and 2 more');
  });
});

describe('what JupyterLab loads', () => {
  it.each<[string, Fields]>([
    ['no source', code({ source: null })],
    ['a count in words', code({ execution_count: '3' })],
    ['a count of 0', code({ execution_count: 0 })],
    [
      'an output of no known type',
      code({ outputs: [{ output_type: 'zebra' }] })
    ],
    ['a traceback that holds numbers', code({ outputs: [error([1])] })],
    ['outputs in a text', text({ outputs: { a: 1 } })],
    [
      'attachments of code',
      code({ attachments: { 'a.svg': { 'image/svg+xml': 'a' } } })
    ],
    [
      'attachments in lines',
      text({
        attachments: { 'a.svg': { 'image/svg+xml': ['<svg>', '</svg>'] } }
      })
    ],
    [
      'an attachment named data',
      text({ attachments: { a: { data: 'x', 'image/png': 'y' } } })
    ],
    [
      'locks that are none',
      code({ metadata: { editable: 0, deletable: 'false' } })
    ],
    ['a lock', text({ metadata: { deletable: false } })],
    ['__proto__ {}', code({ metadata: proto('{"__proto__": {}}') })],
    [
      '__proto__ null',
      code({ metadata: proto('{"__proto__": null, "a": 1}') })
    ],
    ['__proto__ list', code({ metadata: proto('{"__proto__": [1, 2]}') })],
    ['__proto__ text', code({ metadata: proto('{"__proto__": "x"}') })],
    [
      '__proto__ lock',
      code({ metadata: proto('{"__proto__": {"deletable": false}}') })
    ],
    [
      '__proto__ twice',
      code({
        metadata: proto('{"__proto__": {"__proto__": {"deletable": false}}}')
      })
    ],
    [
      '__proto__ below',
      text({ metadata: proto('{"a": {"__proto__": {"editable": false}}}') })
    ],
    [
      '__proto__ attached',
      text({
        attachments: proto(
          '{"__proto__": {"image/png": "a"}, "b": {"__proto__": {"image/png": "c"}}}'
        )
      })
    ],
    [
      '__proto__ of a cell',
      proto(
        '{"cell_type": "code", "id": "c1", "metadata": {}, "__proto__": {"source": "y"}}'
      )
    ],
    [
      '__proto__ of an output',
      code({
        outputs: [proto('{"output_type": "zebra", "__proto__": {"a": 1}}')]
      })
    ],
    [
      'constructor',
      code({ metadata: { constructor: { a: 1 }, toString: 'x' } })
    ]
  ])(
    '%s: the same closed and open, and edited from what was read',
    async (_, cell) => {
      page = new Page({ [PATH]: notebook([cell]) });
      const closed = await firstCell();
      const { cellId, revision } = closed;
      const args = { notebookPath: PATH, cellId };
      await page.call(editCell, { ...args, content: 'z = 1', revision });
      await page.call(
        editCell,
        { ...args, content: closed.source || ' ' },
        WEBMCP
      );
      const open = await firstCell();
      expect({ ...open, source: 0, revision: 0 }).toEqual({
        ...closed,
        source: 0,
        revision: 0
      });
      expect(Object.keys(Object.prototype)).toEqual([]);
      expect(({} as Data).deletable).toBeUndefined();
    }
  );

  it('takes __proto__ in the metadata of the notebook', async () => {
    page = new Page({
      [PATH]: notebook([code()], {
        metadata: proto('{"__proto__": {"kernelspec": {"name": "x"}}}')
      })
    });
    const { cellId, revision } = await firstCell();
    await page.call(editCell, {
      notebookPath: PATH,
      cellId,
      content: 'z = 1',
      revision
    });
  });

  it(
    'any JSON is refused before it is opened, or edited from what was read',
    async () => {
      const json = fc.letrec(tie => ({
        value: fc.oneof(
          { depthSize: 'small' },
          fc.constantFrom<unknown>(null, true, false, 0, 3, '', 's', 'a\nb'),
          fc.array(tie('value'), { maxLength: 2 }),
          fc
            .array(
              fc.tuple(
                fc.constantFrom(
                  '__proto__',
                  'a',
                  'editable',
                  'data',
                  'text/plain',
                  'collapsed',
                  'jupyter',
                  'constructor'
                ),
                tie('value')
              ),
              { maxLength: 3 }
            )
            .map(each => Object.fromEntries(each))
        )
      })).value;
      const output = fc
        .tuple(
          fc.constantFrom<unknown>(
            'stream',
            'error',
            'display_data',
            'zebra',
            5
          ),
          fc.constantFrom('text', 'traceback', 'data', 'metadata', '__proto__'),
          json
        )
        .map(([type, name, value]) =>
          Object.fromEntries([
            ['output_type', type],
            [name, value]
          ])
        );
      const cell = fc
        .tuple(
          fc.constantFrom('code', 'markdown', 'raw'),
          fc.constantFrom(
            'source',
            'metadata',
            'attachments',
            'outputs',
            'execution_count',
            '__proto__'
          ),
          fc.oneof(json, fc.array(fc.oneof(output, json), { maxLength: 2 }))
        )
        .map(([type, name, value]) =>
          Object.fromEntries([
            ...Object.entries(text({ cell_type: type })),
            [name, value]
          ])
        );
      await fc.assert(
        fc.asyncProperty(cell, async each => {
          const file = notebook([each]);
          page?.dispose();
          page = new Page({ [PATH]: file });
          const { odd } = parseNotebook(file, PATH);
          // Jupyter's own server refuses what is odd.
          page.disk.opensNothing = odd.length > 0;
          const { cellId, revision, editable } = await firstCell();
          const args = {
            notebookPath: PATH,
            cellId,
            content: 'z = 1',
            revision
          };
          if (odd.length > 0) {
            const refusal = await page.refusal(editCell, args);
            expect(refusal.code).toBe('validation_failed');
            expect(page.opened).toEqual([]);
          } else if (editable === false) {
            const refusal = await page.refusal(editCell, args);
            expect(refusal.code).toBe('locked_package');
          } else {
            expect(await page.call(editCell, args)).toMatchObject({
              success: true
            });
          }
          expect(Object.keys(Object.prototype)).toEqual([]);
        }),
        { ...PROPERTY, numRuns: Math.ceil(RUNS / 8) }
      );
    },
    timeFor(100)
  );
});

describe('an edit that is refused', () => {
  const B01 = 'b01_three_cells.ipynb';
  const LOCKED = 'b36_extra_metadata_kept.ipynb';

  it.each([
    [addCell, B01, { cellType: 'heading' }, 'unsupported_type'],
    [
      editCell,
      B01,
      { cellId: 'setup-1', content: 'crates = 12' },
      'validation_failed'
    ],
    [
      editCell,
      B01,
      { cellId: 'setup-1', replacements: [{ old: 'nope', new: 'x' }] },
      'validation_failed'
    ],
    [editCell, LOCKED, { cellId: 'meta-1', content: 'x' }, 'locked_package'],
    [deleteCell, LOCKED, { cellId: 'meta-1' }, 'locked_package'],
    [runCell, LOCKED, { cellId: 'meta-1', content: 'x' }, 'locked_package']
  ] as const)(
    '$#: leaves no tab behind, and a clean notebook clean',
    async (tool, name, args, code) => {
      page = new Page({ [name]: caseText(name) });
      const call = { notebookPath: name, ...args };
      expect(await page.refusal(tool, call, WEBMCP)).toMatchObject({ code });
      expect(page.tracker.size).toBe(0);
      const panel = await page.open(name);
      expect(await page.refusal(tool, call, WEBMCP)).toMatchObject({ code });
      expect(page.tracker.size).toBe(1);
      expect(panel.isDisposed).toBe(false);
      expect(panel.model?.dirty).toBe(false);
      expect(
        await page.call(readCell, {
          notebookPath: name,
          cellId: name === B01 ? 'setup-1' : 'meta-1'
        })
      ).toMatchObject({ dirty: false });
    }
  );

  it('leaves the notebook to another call that was given it', async () => {
    page = new Page({ [B01]: caseText(B01) });
    const [refused, added] = await Promise.allSettled([
      page.call(addCell, { notebookPath: B01, cellType: 'heading' }, WEBMCP),
      page.call(addCell, { notebookPath: B01, content: 'y' }, WEBMCP)
    ]);
    expect(refused.status).toBe('rejected');
    expect(added).toEqual({ status: 'fulfilled', value: expect.anything() });
    expect(page.tracker.size).toBe(1);
  });
});
