import { readNotebook } from '../../src/tools/notebooks';
import { Page } from './support/page';

const PATH = 'old.ipynb';

let page: Page;

afterEach(() => page.dispose());

const cell = (source: string, more: object = {}): object => ({
  cell_type: 'code',
  metadata: {},
  source,
  outputs: [],
  execution_count: null,
  ...more
});

const file = (nbformat_minor: number, ...cells: object[]): string =>
  JSON.stringify({ nbformat: 4, nbformat_minor, metadata: {}, cells });

async function ids(): Promise<Record<string, string>> {
  const args = { notebookPath: PATH, view: 'cells' };
  const { cells } = await page.call(readNotebook, args);
  return Object.fromEntries(
    (cells as { cellId: string; source: string }[]).map(each => [
      each.source,
      each.cellId
    ])
  );
}

it.each([
  ['without ids', file(4, cell('a'), cell('b'), cell('c'))],
  [
    'with doubles',
    file(
      5,
      cell('a', { id: 'd' }),
      cell('b', { id: 'd' }),
      cell('c', { id: 'd' })
    )
  ]
])(
  'a cell that the person puts in place of another has its own id (%s)',
  async (_, text) => {
    page = new Page({ [PATH]: text });
    const closed = await ids();
    const panel = await page.open(PATH);
    const shared = panel.model!.sharedModel;
    shared.deleteCell(1);
    shared.insertCell(1, { cell_type: 'code', source: 'other' });
    const { other, ...rest } = await ids();
    expect(rest).toEqual({ a: closed.a, c: closed.c });
    expect(Object.values(closed)).not.toContain(other);
    await panel.context.revert();
    await Promise.resolve();
    const before = await ids();
    await panel.context.revert();
    shared.deleteCell(1);
    shared.insertCell(1, { cell_type: 'code', source: 'third' });
    expect(Object.values(before)).not.toContain((await ids()).third);
  }
);

it('a cell without an id is not taken for one that has the id of another', async () => {
  const [x, y] = [cell('x', { id: 'a' }), cell('x')];
  page = new Page({ [PATH]: file(5, x, y, cell('z', { id: 'z' })) });
  const read = async (): Promise<string[]> => {
    const args = { notebookPath: PATH, view: 'cells' };
    const { cells } = await page.call(readNotebook, args);
    return (cells as { cellId: string }[]).map(({ cellId }) => cellId);
  };
  const panel = await page.open(PATH);
  const [, second] = await read();
  panel.model!.sharedModel.deleteCell(0);
  await read();
  page.disk.write(PATH, file(5, y, x, cell('z', { id: 'z' })));
  await panel.context.revert();
  expect((await read())[1]).not.toBe(second);
});
