import { editCell } from '../../src/tools/cells';
import { readFile, writeFile } from '../../src/tools/files';
import { saveNotebook } from '../../src/tools/notebooks';
import { caseText } from './support/disk';
import { Page, WEBMCP } from './support/page';

const B01 = 'b01_three_cells.ipynb';

let page: Page;

afterEach(() => page.dispose());

/** The person answers JupyterLab's question about a changed file. */
async function revert(): Promise<void> {
  for (;;) {
    await new Promise(resolve => setTimeout(resolve, 5));
    const button = [
      ...document.querySelectorAll<HTMLElement>('.jp-Dialog button')
    ].find(each => each.textContent === 'Revert');
    if (button) {
      button.click();
      return;
    }
  }
}

it('a notebook that was loaded anew in place of saved is not called saved', async () => {
  page = new Page({ [B01]: caseText(B01) });
  await page.open(B01);
  const book = { notebookPath: B01 };
  const edit = { ...book, cellId: 'setup-1', content: 'agent = 1' };
  await page.call(editCell, edit, WEBMCP);
  page.disk.write(B01, `${page.disk.read(B01)}\n`);
  const [refusal] = await Promise.all([
    page.refusal(saveNotebook, book),
    revert()
  ]);
  expect(refusal.code).toBe('operation_refused');
  expect(refusal.message).toContain('Revert');
});

it('a write that was loaded over is told, with the revision of what was written', async () => {
  page = new Page({ 'notes.txt': 'one\n' });
  const filePath = 'notes.txt';
  await page.openText(filePath);
  const { revision } = await page.call(readFile, { filePath });
  page.disk.write(filePath, 'other\n');
  const [written] = await Promise.all([
    page.call(writeFile, { filePath, content: 'mine\n', revision }),
    revert()
  ]);
  const now = await page.call(readFile, { filePath });
  expect(now.content).toBe('other\n');
  expect(written.warning).toContain('Revert');
  expect(written.saved).toBe(false);
  // What is there now was not read yet.
  expect(written.revision).not.toBe(now.revision);
});

it('a write that the person types into as it is saved is saved', async () => {
  page = new Page({ 'notes.txt': 'one\n' });
  const filePath = 'notes.txt';
  const { model, saveState } = await page.openText(filePath);
  const { revision } = await page.call(readFile, { filePath });
  saveState.connect((_, state) => {
    if (state === 'completed') {
      model.fromString(`${model.toString()}typed`);
    }
  });
  const content = 'mine\n';
  const written = await page.call(writeFile, { filePath, content, revision });
  expect(page.disk.read(filePath)).toBe(content);
  expect(written).toMatchObject({ saved: true });
  expect(written).not.toHaveProperty('warning');
  expect(model.toString()).toBe('mine\ntyped');
});
