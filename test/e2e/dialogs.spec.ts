import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { Agent, type IReply } from './support/agent';
import { Home, Lab } from './support/lab';
import { cell, notebook } from './support/notebooks';
import { startBrowser, Tab } from './support/tab';

jest.setTimeout(60_000);

interface IDialogCase {
  /** A command of JupyterLab's core that asks something. */
  readonly command: string;
  readonly args?: Record<string, unknown>;
  /** What brings JupyterLab into the state in which it asks. */
  readonly before?: () => Promise<unknown>;
  readonly title: string | RegExp;
  readonly body?: string | RegExp;
  readonly buttons: readonly string[];
  readonly input?: unknown;
  /** The label that is clicked, as an agent may write it. */
  readonly answer: string;
  /** What the command returns then; undefined where it returns nothing. */
  readonly result?: unknown;
  /** It returns while its dialog is open. */
  readonly returns?: true;
}

/** R, "Dialogs", on the dialogs of JupyterLab itself. */
describe('dialogs of JupyterLab', () => {
  let home: Home;
  let lab: Lab;
  let browser: Browser;
  let tab: Tab;
  let agent: Agent;

  beforeAll(async () => {
    home = await Home.make();
    await home.write('work.ipynb', notebook(cell('one', 'a = 1')));
    await home.write('broken.ipynb', 'not a notebook');
    await home.write('text.txt', 'hello\n');
    await home.write('other.txt', 'other\n');
    [lab, browser] = await Promise.all([
      Lab.start(home, { settings: { executionTimeout: 4 } }),
      startBrowser()
    ]);
    tab = await Tab.open(browser, lab);
    agent = await Agent.in(home);
    await agent.untilConnected();
    const panel = await tab.openNotebook('work.ipynb');
    await panel.evaluate(panel => panel.sessionContext.ready);
  });

  afterAll(async () => {
    await agent?.close();
    await browser?.close();
    await lab?.stop();
    await home?.remove();
  });

  /** Closes what a failed test left open, so that the next one begins clean. */
  afterEach(async () => {
    for (const { id } of await openDialogs()) {
      await agent.call('answer_dialog', { dialogId: id, button: 0 });
    }
  });

  async function openDialogs(): Promise<{ id: string }[]> {
    const { data } = await agent.call('get_context');
    return Array.isArray(data.dialogs) ? data.dialogs : [];
  }

  function execute(
    command_id: string,
    args?: Record<string, unknown>
  ): Promise<IReply> {
    return agent.call(
      'execute_command',
      args ? { command_id, args } : { command_id }
    );
  }

  const show = (path: string) => tab.command('docmanager:open', { path });

  /** The person writes into a document, without saving it. */
  async function write(path: string): Promise<void> {
    await show(path);
    await tab.page.locator('.jp-FileEditor .cm-content:visible').click();
    await tab.page.keyboard.type('x');
  }

  const cases: IDialogCase[] = [
    {
      command: 'notebook:restart-kernel',
      title: 'Restart Kernel?',
      body: 'Do you want to restart the kernel of work.ipynb? All variables will be lost.',
      buttons: ['Cancel', 'Restart'],
      answer: 'RESTART',
      result: true
    },
    {
      command: 'notebook:restart-clear-output',
      title: 'Restart Kernel?',
      buttons: ['Cancel', 'Restart'],
      answer: 'cancel'
    },
    {
      command: 'notebook:trust',
      title: 'Trust this notebook?',
      body: /^A trusted Jupyter notebook may execute hidden malicious code/,
      buttons: ['Cancel', 'Trust'],
      answer: 'Cancel',
      result: { trusted: false }
    },
    {
      command: 'notebook:change-kernel',
      title: 'Select Kernel',
      body: 'Select kernel for: "work.ipynb"',
      buttons: ['Cancel', 'Select'],
      input: expect.stringMatching(/"id"/),
      answer: 'Select'
    },
    {
      command: 'notebook:close-and-shutdown',
      title: 'Shut down the notebook?',
      body: 'Are you sure you want to close "work.ipynb"?',
      buttons: ['Cancel', 'Ok'],
      answer: 'cancel'
    },
    {
      command: 'notebook:export-to-format',
      args: { format: 'html' },
      title: 'Export as HTML',
      buttons: ['Cancel', 'Ok'],
      input: true,
      answer: 'Cancel'
    },
    {
      command: 'notebook:set-side-by-side-ratio',
      title: 'Width of the output in side-by-side mode',
      buttons: ['Cancel', 'Ok'],
      input: '1',
      answer: 'Cancel',
      returns: true
    },
    {
      command: 'docmanager:save-as',
      title: 'Save File As…',
      buttons: ['Cancel', 'Save'],
      input: 'work.ipynb',
      answer: 'Cancel',
      returns: true
    },
    {
      command: 'docmanager:rename',
      title: 'Rename File',
      body: 'File Path\nwork.ipynb\nNew Name',
      buttons: ['Cancel', 'Rename'],
      input: 'work.ipynb',
      answer: 'Cancel',
      result: null
    },
    {
      command: 'docmanager:reload',
      before: () =>
        agent.call('add_cell', { notebookPath: 'work.ipynb', content: 'b' }),
      title: 'Reload Notebook from Disk',
      body: 'Are you sure you want to reload the Notebook from the disk?',
      buttons: ['Cancel', 'Reload'],
      answer: 'Reload'
    },
    {
      command: 'docmanager:restore-checkpoint',
      before: () => agent.call('save_notebook', { notebookPath: 'work.ipynb' }),
      title: 'Revert Notebook to checkpoint',
      body: /^Are you sure you want to revert the Notebook to checkpoint\?/,
      buttons: ['Cancel', 'Revert'],
      answer: 'Cancel'
    },
    {
      command: 'application:close',
      before: () => write('text.txt'),
      title: 'Save your work',
      body: /Save changes in "text.txt" before closing\?/,
      buttons: ['Cancel', 'Discard', 'Save'],
      answer: 'Cancel',
      returns: true
    },
    {
      command: 'docmanager:save',
      before: async () => {
        await write('other.txt');
        await home.write('other.txt', 'changed on disk\n');
        // Later than JupyterLab's tolerance for clocks that differ.
        const later = new Date(Date.now() + 60_000);
        await utimes(join(home.root, 'other.txt'), later, later);
      },
      title: 'File Changed',
      body: /"other.txt" has changed on disk since the last time it was opened or saved/,
      buttons: ['Cancel', 'Revert', 'Overwrite'],
      answer: 'overwrite'
    },
    {
      command: 'filebrowser:delete',
      before: () => tab.command('filebrowser:go-to-path', { path: 'text.txt' }),
      title: /^(Move to Trash|Delete)$/,
      body: /^Are you sure you want to/,
      buttons: ['Cancel', expect.stringMatching(/^(Move to Trash|Delete)$/)],
      answer: 'Cancel'
    },
    {
      command: 'filebrowser:open-path',
      title: 'Open Path',
      body: 'Path',
      buttons: ['Cancel', 'Open'],
      input: '',
      answer: 'Cancel'
    },
    {
      command: 'filebrowser:open-url',
      title: 'Open URL',
      body: 'URL',
      buttons: ['Cancel', 'Open'],
      input: '',
      answer: 'Cancel'
    },
    {
      command: 'help:about',
      title: /^Version 4\./,
      body: /Project Jupyter Contributors/,
      buttons: ['Close'],
      answer: 'Close',
      result: expect.anything()
    },
    {
      command: 'kernelmenu:shutdownAll',
      title: 'Shut Down All?',
      body: /^Are you sure you want to permanently shut down/,
      buttons: ['Cancel', 'Shut Down All'],
      answer: 'Cancel'
    },
    {
      command: 'filemenu:shutdown',
      title: 'Shutdown confirmation',
      body: 'Please confirm you want to shut down JupyterLab.',
      buttons: ['Cancel', 'Shut Down'],
      answer: '0'
    },
    {
      command: 'workspace-ui:save-as',
      title: 'Save Current Workspace As…',
      buttons: ['Cancel', 'Save'],
      input: '/new-workspace.jupyterlab-workspace',
      answer: 'Cancel'
    },
    {
      command: 'workspace-ui:delete',
      title: 'Choose Workspace To Delete',
      body: 'Choose an existing workspace to delete.',
      buttons: ['Cancel', 'Choose'],
      input: expect.any(String),
      answer: 'Cancel'
    },
    {
      command: 'running:show-modal',
      title: 'Tabs and Running Sessions',
      body: /Open Tabs/,
      buttons: ['Ok'],
      answer: 'ok',
      result: expect.anything()
    }
  ];

  it.each(cases)('of $command: $title', async each => {
    await show('work.ipynb');
    await each.before?.();
    const dialog = {
      id: expect.stringMatching(/^dialog-\d+$/),
      title: matching(each.title),
      buttons: each.buttons,
      shown: true,
      ...(each.body === undefined ? {} : { body: matching(each.body) }),
      ...(each.input === undefined ? {} : { input: each.input })
    };
    const asked = await execute(each.command, each.args);
    expect(asked).toHaveReply({
      isError: false,
      data: each.returns
        ? { success: true, dialogs: [dialog] }
        : { status: 'pending', tool: 'execute_command', dialog }
    });
    if (each.input === undefined && !each.returns) {
      expect(asked.data.dialog).not.toHaveProperty('input');
    }
    const answered = await agent.call('answer_dialog', { button: each.answer });
    expect(answered).toHaveReply({
      isError: false,
      data: {
        success: true,
        answered: { dialogId: dialog.id, button: expect.any(String) }
      }
    });
    if (each.result !== undefined) {
      expect(answered.data.result).toEqual(each.result);
    } else if (!each.returns) {
      expect(answered.data).not.toHaveProperty('result');
    }
    expect(await openDialogs()).toEqual([]);
  });

  it('of a file that cannot be loaded: an error to be closed', async () => {
    // The command returns before JupyterLab has tried to load the file.
    await execute('docmanager:open', { path: 'broken.ipynb' });
    await tab.page.locator('.jp-Dialog').waitFor();
    const [error] = await openDialogs();
    expect(error).toEqual({
      id: expect.any(String),
      title: 'File Load Error for broken.ipynb',
      body: expect.stringMatching(/not appear to be JSON/),
      buttons: ['Close'],
      shown: true
    });
    expect(
      await agent.call('answer_dialog', { button: 'close', dialogId: error.id })
    ).toHaveReply({ data: { success: true, answered: { button: 'Close' } } });
  });

  it('that follow one another belong to the same call', async () => {
    await execute('filebrowser:open-path');
    await tab.page.locator('.jp-Dialog input').fill('missing.txt');
    const second = await agent.call('answer_dialog', { button: 'open' });
    expect(second).toHaveReply({
      data: {
        status: 'pending',
        tool: 'execute_command',
        message: expect.stringContaining('probably failed'),
        dialog: { title: 'Cannot open', buttons: ['Close'] },
        answered: { button: 'Open' }
      }
    });
    expect(await agent.call('answer_dialog', { button: 'close' })).toHaveReply({
      data: { success: true, answered: { button: 'Close' } }
    });
  });

  it('keep the value that the person typed', async () => {
    await show('other.txt');
    await execute('docmanager:rename');
    await tab.page.locator('.jp-Dialog input').fill('renamed.txt');
    expect((await openDialogs())[0]).toMatchObject({ input: 'renamed.txt' });
    expect(await agent.call('answer_dialog', { button: 'rename' })).toHaveReply(
      { data: { success: true, answered: { button: 'Rename' } } }
    );
    expect(await tab.openPaths()).toContain('renamed.txt');
  });

  it('that the person closes are not mentioned again', async () => {
    await show('work.ipynb');
    const asked = await execute('notebook:restart-kernel');
    await tab.page.keyboard.press('Escape');
    expect(await openDialogs()).toEqual([]);
    expect(
      await agent.call('wait_for_result', { pendingId: asked.data.pendingId })
    ).toHaveReply({ data: { success: true, result: false } });
  });

  it('that wait in the queue are told with the one that is shown', async () => {
    await show('work.ipynb');
    // The person's own dialog is open already.
    const app = await tab.app();
    await app.evaluate(app => void app.commands.execute('help:about'));
    await tab.page.locator('.jp-Dialog').waitFor();
    const asked = await execute('notebook:restart-kernel');
    expect(asked).toHaveReply({
      data: {
        status: 'pending',
        dialog: {
          title: 'Restart Kernel?',
          body: expect.stringContaining('All variables'),
          buttons: ['Cancel', 'Restart'],
          shown: false
        },
        dialogs: [{ shown: true }, { title: 'Restart Kernel?', shown: false }]
      }
    });
    expect(
      await agent.call('answer_dialog', { button: 'Restart' })
    ).toHaveReply({ isError: true, code: 'validation_failed' });
    const { id } = asked.data.dialog as { id: string };
    expect(
      await agent.call('answer_dialog', { button: 'Restart', dialogId: id })
    ).toHaveReply({ isError: true, code: 'operation_refused' });
    await tab.page.locator('.jp-Dialog-button', { hasText: 'Close' }).click();
    expect(
      await agent.call('answer_dialog', { button: 'Cancel', dialogId: id })
    ).toHaveReply({ data: { success: true, result: false } });
  });

  it('give the focus back to where the person was', async () => {
    await show('text.txt');
    await tab.page.locator('.jp-FileEditor .cm-content:visible').click();
    await execute('filebrowser:open-path');
    await agent.call('answer_dialog', { button: 'Cancel' });
    await tab.page.keyboard.type('typed');
    expect(
      await tab.page.locator('.jp-FileEditor .cm-content:visible').innerText()
    ).toContain('typed');
  });
});

function matching(text: string | RegExp): unknown {
  return typeof text === 'string' ? text : expect.stringMatching(text);
}
