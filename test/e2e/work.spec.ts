import { cell, notebook } from './support/notebooks';
import { useSession } from './support/session';

jest.setTimeout(60_000);

/** The daily work: the person looks on while the agent reads, edits and runs. */
describe('an agent at work in an open notebook', () => {
  const path = 'work.ipynb';
  const session = useSession({
    [path]: notebook(
      cell('intro', '# Hello', 'markdown'),
      cell('one', 'a = 1'),
      cell('two', 'a + 1'),
      cell('three', 'undefined_name')
    )
  });

  beforeAll(() => session.tab.openNotebook(path), 60_000);

  it('tells what is open', async () => {
    expect(await session.agent.call('get_context')).toHaveReply({
      isError: false,
      data: {
        untrusted: true,
        app: { name: 'JupyterLab' },
        widgets: expect.arrayContaining([
          expect.objectContaining({ path, dirty: false })
        ])
      }
    });
  });

  it('reads cells by id', async () => {
    expect(
      await session.agent.call('read_notebook', {
        notebookPath: path,
        view: 'cells'
      })
    ).toHaveReply({
      isError: false,
      data: {
        notebookPath: path,
        cells: [
          { cellId: 'intro', cellType: 'markdown', source: '# Hello' },
          { cellId: 'one', cellType: 'code', source: 'a = 1' },
          { cellId: 'two', cellType: 'code', source: 'a + 1' },
          { cellId: 'three' }
        ]
      }
    });
  });

  it('runs cells and answers with their outputs', async () => {
    const { agent } = session;
    expect(
      await agent.call('run_cell', { notebookPath: path, cellId: 'one' })
    ).toHaveReply({ isError: false, data: { status: 'ok', outputs: [] } });
    expect(
      await agent.call('run_cell', { notebookPath: path, cellId: 'two' })
    ).toHaveReply({
      isError: false,
      data: {
        success: true,
        status: 'ok',
        outputs: [
          { output_type: 'execute_result', data: { 'text/plain': '2' } }
        ]
      }
    });
  });

  it('shows the agent’s edits and outputs in the page at once', async () => {
    const { agent, tab } = session;
    const added = await agent.call('add_cell', {
      notebookPath: path,
      content: 'print("from the agent")',
      referenceCellId: 'one',
      position: 'below'
    });
    expect(added).toHaveReply({
      isError: false,
      data: { index: 2, before: 'one', after: 'two' }
    });
    expect(await tab.sources(path)).toEqual([
      '# Hello',
      'a = 1',
      'print("from the agent")',
      'a + 1',
      'undefined_name'
    ]);
    const cellId = added.data.cellId;
    await agent.call('run_cell', { notebookPath: path, cellId });
    expect(
      await tab.page.locator('.jp-OutputArea-output').allTextContents()
    ).toContain('from the agent\n');
    const edited = await agent.call('edit_cell', {
      notebookPath: path,
      cellId,
      replacements: [{ old: 'agent', new: 'client' }],
      revision: added.data.revision
    });
    expect(edited).toHaveReply({ isError: false, data: { cellId } });
    expect((await tab.sources(path))[2]).toBe('print("from the client")');
    expect(
      await agent.call('delete_cell', {
        notebookPath: path,
        cellId,
        revision: edited.data.revision
      })
    ).toHaveReply({ isError: false });
    expect(await tab.sources(path)).toHaveLength(4);
  });

  it('refuses an edit made from what the person has changed since', async () => {
    const { agent, tab } = session;
    const read = await agent.call('read_cell', {
      notebookPath: path,
      cellId: 'one'
    });
    const panel = await tab.panel(path);
    await panel.evaluate(panel => {
      panel.content.model?.cells.get(1).sharedModel.updateSource(5, 5, '0');
    });
    expect(
      await agent.call('edit_cell', {
        notebookPath: path,
        cellId: 'one',
        content: 'a = 2',
        revision: read.data.revision
      })
    ).toHaveReply({
      isError: true,
      code: 'stale_revision',
      structured: { retryable: false }
    });
    expect((await tab.sources(path))[1]).toBe('a = 10');
  });

  it('tells a wrong argument by name', async () => {
    expect(
      await session.agent.call('run_cell', { notebook: path, cellId: 'one' })
    ).toHaveReply({
      isError: true,
      code: 'validation_failed',
      message:
        'Unknown argument "notebook". Accepted arguments: "notebookPath", "cellId", "content", "revision".'
    });
  });

  it('lists cells when an id is not there', async () => {
    expect(
      await session.agent.call('run_cell', { notebookPath: path, cellId: 'x' })
    ).toHaveReply({
      isError: true,
      code: 'not_found',
      message: expect.stringContaining('three')
    });
  });

  it('saves when asked, and what is saved is what the page holds', async () => {
    const { agent, lab } = session;
    expect(
      await agent.call('save_notebook', { notebookPath: path })
    ).toHaveReply({ isError: false });
    const file = await lab.api(`contents/${path}?content=1`);
    expect(await file.json()).toMatchObject({
      content: { cells: [{}, { source: 'a = 10' }, {}, {}] }
    });
  });
});
