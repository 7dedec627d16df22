import { execFile } from 'node:child_process';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { Agent } from './support/agent';
import { Home, Lab } from './support/lab';
import { cell, notebook } from './support/notebooks';
import { ROOT } from './support/processes';
import { startBrowser, Tab } from './support/tab';

jest.setTimeout(600_000);

const run = promisify(execFile);

/** What a person gets who has no clone: the wheel and the npm package. */
describe('the packages by themselves', () => {
  let home: Home;
  let browser: Browser;
  let steps: string[];

  beforeAll(async () => {
    home = await Home.make();
    browser = await startBrowser();
    const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
    const section =
      /## Without a clone\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? '';
    steps = [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(
      match => match[1] ?? ''
    );
  });

  afterAll(async () => {
    await browser?.close();
    await home?.remove();
  });

  it('take at most four actions, which the README counts', () => {
    expect(steps).toEqual([
      'pip install jupyterlab jupyterlab_mcp_bridge',
      'npm install -g jupyterlab-mcp-bridge',
      'jupyter lab',
      'claude mcp add jupyter -- jupyterlab-mcp-bridge'
    ]);
  });

  it('work together in clean environments', async () => {
    const { env } = home;
    const wheels = join(ROOT, '.cache', 'wheel');
    const [wheel = ''] = await readdir(wheels);
    const venv = join(home.path, 'venv');
    const prefix = join(home.path, 'npm');
    await mkdir(prefix);
    // 1. The wheel brings the labextension and turns the relay on.
    await run('python3', ['-m', 'venv', venv]);
    await run(
      join(venv, 'bin', 'pip'),
      ['install', '-q', 'jupyterlab==4.6.*', join(wheels, wheel)],
      { env: { ...env, HOME: process.env.HOME ?? home.path } }
    );
    // 2. The npm package brings the command.
    const { stdout } = await run(
      'npm',
      ['pack', '--json', '--workspace', 'bridge', '--pack-destination', prefix],
      { cwd: ROOT, env: { ...env, HOME: process.env.HOME ?? home.path } }
    );
    const [packed]: { filename: string; files: { path: string }[] }[] =
      JSON.parse(stdout.slice(stdout.indexOf('[\n')));
    const files = packed?.files.map(file => file.path) ?? [];
    expect(files).toEqual(
      expect.arrayContaining(['README.md', 'dist/cli.js', 'package.json'])
    );
    // No source, test, map or file of somebody's own goes along.
    expect(
      files.filter(
        path =>
          !/^(README\.md|package\.json|dist\/(cli|chunks\/[\w-]+)\.js)$/.test(
            path
          )
      )
    ).toEqual([]);
    await run(
      'npm',
      ['install', '--silent', '-g', '--prefix', prefix, packed?.filename ?? ''],
      { cwd: prefix, env: { ...env, HOME: process.env.HOME ?? home.path } }
    );
    // 3. JupyterLab, and a person who opens a notebook.
    await home.write('new.ipynb', notebook(cell('one', '6 * 7')));
    const lab = await Lab.start(home, { python: join(venv, 'bin', 'python') });
    const tab = await Tab.open(browser, lab);
    await tab.openNotebook('new.ipynb');
    // 4. The client's line.
    const command = join(prefix, 'bin', 'jupyterlab-mcp-bridge');
    const agent = await Agent.start([command], env, home.root);
    await agent.untilConnected();
    expect(
      await agent.call('run_cell', { notebookPath: 'new.ipynb', cellId: 'one' })
    ).toHaveReply({
      isError: false,
      data: { status: 'ok', outputs: [{ data: { 'text/plain': '42' } }] }
    });
    await agent.close();
    await lab.stop();
  });
});
