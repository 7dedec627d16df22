import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Agent } from './support/agent';
import { freePort, Home } from './support/lab';
import { pause, ROOT, startBare, type IProgram } from './support/processes';

jest.setTimeout(120_000);

const SCRIPT = join(ROOT, 'scripts', 'start.mjs');

/** What a person sees and may rely on when they type `npm start`. */
describe('npm start', () => {
  let home: Home;
  const running: IProgram[] = [];

  beforeAll(async () => {
    home = await Home.make();
  });

  afterAll(async () => {
    await Promise.all(running.map(program => program.end()));
    await home.remove();
  });

  function start(args: readonly string[], env: Record<string, string> = {}) {
    const program = startBare(process.execPath, [SCRIPT, ...args], {
      cwd: home.root,
      env: { ...home.env, ...env }
    });
    running.push(program);
    return program;
  }

  /** Starts it for a program and reads the one line that it prints. */
  async function startForProgram(args: readonly string[] = []) {
    const port = await freePort();
    const program = start(['--json', '--port', String(port), ...args]);
    const [line] = await program.until(/^\{.*\}$/m);
    const ready: { lab: string; stdio: [string, ...string[]]; pid: number } =
      JSON.parse(line);
    const lab = new URL(ready.lab);
    const api = async (path: string, method = 'GET') => {
      const url = new URL(`/api/${path}`, lab);
      url.search = lab.search;
      const token = lab.searchParams.get('token') ?? '';
      const response = await fetch(url, {
        method,
        headers: { Authorization: `token ${token}` }
      });
      return response.json();
    };
    return {
      program,
      port,
      address: lab,
      api,
      stdio: ready.stdio,
      pid: ready.pid
    };
  }

  describe('says what to do, in a sentence', () => {
    it.each([
      { args: ['--help'], code: 0, says: /--overrides FILE/ },
      {
        args: ['--prot', '9000'],
        code: 2,
        says: /--prot is no option.*--port/
      },
      { args: ['--port'], code: 2, says: /--port needs a value/ },
      { args: ['--port', 'abc'], code: 2, says: /from 1 to 65535/ },
      { args: ['--port', '0'], code: 2, says: /from 1 to 65535/ },
      { args: ['--root', 'not-there'], code: 2, says: /no such folder/ },
      { args: ['--overrides', 'not-there'], code: 2, says: /no such file/ }
    ])('$args', async ({ args, code, says }) => {
      const program = start(args);
      expect(await program.ended).toBe(code);
      expect(program.output()).toMatch(says);
      expect(program.output()).not.toMatch(/^\s+at /m);
    });

    it('overrides that are no settings', async () => {
      const path = join(home.path, 'broken.json');
      await writeFile(path, '{"a": ');
      const program = start(['--overrides', path]);
      expect(await program.ended).toBe(2);
      expect(program.output()).toMatch(/no JSON object/);
    });

    it('a port that is taken', async () => {
      const server = createServer();
      await new Promise<void>(resolve =>
        server.listen(0, '127.0.0.1', () => resolve())
      );
      const address = server.address();
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
      const program = start(['--port', String(port)]);
      expect(await program.ended).toBe(1);
      expect(program.output()).toMatch(
        new RegExp(`Port ${port} is taken.*--port`)
      );
      server.close();
    });

    it.each([
      {
        name: 'too old',
        script: 'echo 3.8',
        says: /is 3\.8, which is too old/
      },
      {
        name: 'without venv',
        script: 'echo 3.12; exit 1',
        says: /cannot make virtual environments.*python3-venv/
      },
      { name: 'that is none', script: 'exit 127', says: /needs Python 3\.10/ }
    ])('a Python $name', async ({ script, says }) => {
      const path = join(home.path, 'python');
      await writeFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      const program = start(['--no-browser'], { PYTHON: path });
      expect(await program.ended).toBe(1);
      expect(program.output()).toMatch(says);
      expect(program.output()).not.toMatch(/^\s+at /m);
    });
  });

  it('prints for a program where it is, and ends all of it on SIGTERM', async () => {
    const lab = await startForProgram(['--root', home.root]);
    expect(lab.pid).toBe(lab.program.process.pid);
    // Built before: nothing is done twice.
    expect(lab.program.output()).not.toMatch(/Building|Installing|Packing/);
    expect(await lab.api('status')).toMatchObject({ kernels: 0 });
    const token = lab.address.searchParams.get('token') ?? 'none';
    expect(token).toMatch(/^[0-9a-f]{48}$/);
    expect(await commandLines()).not.toContain(token);
    expect(await listeners(lab.port)).toEqual(['0100007F']);

    const agent = await Agent.start(lab.stdio, onlyPath(), home.path);
    expect(await agent.call('get_context')).toHaveReply({
      isError: true,
      code: 'operation_refused',
      message: expect.stringContaining(`127.0.0.1:${lab.port}/lab`)
    });
    await agent.close();

    await lab.api('kernels', 'POST');
    const family = await familyOf(lab.pid);
    expect(family.length).toBeGreaterThanOrEqual(3);
    process.kill(lab.pid, 'SIGTERM');
    expect(await lab.program.ended).toBe(0);
    expect(family.filter(isRunning)).toEqual([]);
  });

  it('opens no tabs that were left open in another folder', async () => {
    const opened: string[] = [];
    for (const name of ['one', 'two']) {
      const root = join(home.path, name);
      await mkdir(root, { recursive: true });
      const { program, address } = await startForProgram(['--root', root]);
      const url = new URL('/lab/api/workspaces/default', address);
      const headers = {
        Authorization: `token ${address.searchParams.get('token')}`
      };
      opened.push(await (await fetch(url, { headers })).text());
      const body = JSON.stringify({
        data: { left: 'open.ipynb' },
        metadata: { id: 'default' }
      });
      await fetch(url, { method: 'PUT', headers, body });
      expect(await (await fetch(url, { headers })).text()).toContain('left');
      await program.end();
    }
    expect(opened.join()).not.toContain('left');
  });

  it('leaves nothing behind when it is killed', async () => {
    const lab = await startForProgram(['--root', home.root]);
    await lab.api('kernels', 'POST');
    const family = await familyOf(lab.pid);
    process.kill(lab.pid, 'SIGKILL');
    await eventually(() => family.filter(isRunning).length === 0);
  });

  it('leaves nothing behind when what started it is killed', async () => {
    const port = await freePort();
    const shell = startBare(
      'sh',
      // More than one command, so that the shell stays its parent.
      ['-c', `"${process.execPath}" "${SCRIPT}" --json --port ${port}; true`],
      { cwd: home.root, env: home.env }
    );
    await shell.until(/^\{.*\}$/m);
    const family = await familyOf(shell.process.pid ?? 0);
    shell.process.kill('SIGKILL');
    await eventually(() => family.filter(isRunning).length === 0);
  });

  describe('prints what connects each client', () => {
    const runtime = () => join(home.path, 'a folder', 'runtime');
    let printed = '';
    let url = '';

    beforeAll(async () => {
      await mkdir(runtime(), { recursive: true, mode: 0o700 });
      const port = await freePort();
      url = `http://127.0.0.1:${port}/`;
      const program = start(
        ['--no-browser', '--port', String(port), '--root', home.root],
        { JUPYTER_RUNTIME_DIR: runtime() }
      );
      await program.until(/Ctrl-C ends it/);
      printed = program.output();
    });

    /** The indented text below a client's heading. */
    function textOf(client: string): string {
      const start = printed.indexOf(`\n${client} (`);
      const match = /\n\n((?: {4}.*\n)+)/.exec(printed.slice(start));
      return (match?.[1] ?? '').replace(/^ {4}/gm, '').trim();
    }

    /** A shell takes the line apart, as a person's would. */
    async function typed(line: string): Promise<string[]> {
      const [name = ''] = line.split(' ');
      const shell = startBare(
        'sh',
        ['-c', `${name}() { printf '%s\\n' "$@"; }\n${line}`],
        { cwd: home.path, env: onlyPath() }
      );
      await shell.ended;
      return shell.output().trimEnd().split('\n');
    }

    async function startsTheBridge(
      command: readonly string[],
      env: Record<string, string>
    ): Promise<void> {
      const [program = '', ...args] = command;
      const agent = await Agent.start(
        [program, ...args],
        { ...onlyPath(), ...env },
        home.path
      );
      expect(agent.client.getServerVersion()?.name).toMatch(/jupyterlab/);
      expect((await agent.client.listTools()).tools.length).toBeGreaterThan(5);
      expect(await agent.call('get_context')).toHaveReply({
        code: 'operation_refused',
        message: expect.stringContaining(`${url}lab`)
      });
      await agent.close();
    }

    it.each(['Claude Code', 'Codex'])('%s', async client => {
      const words = await typed(textOf(client));
      expect(words.slice(0, 3)).toEqual(['mcp', 'add', 'jupyter']);
      const end = words.indexOf('--');
      const options = words.slice(3, end);
      expect(options[0]).toBe('--env');
      const [name = '', ...value] = (options[1] ?? '').split('=');
      await startsTheBridge(words.slice(end + 1), {
        [name]: value.join('=')
      });
    });

    it('VS Code', async () => {
      const { servers } = JSON.parse(textOf('VS Code'));
      const { type, command, args, env } = servers.jupyter;
      expect(type).toBe('stdio');
      await startsTheBridge([command, ...args], env);
    });

    it('Cursor', async () => {
      const { mcpServers } = JSON.parse(textOf('Cursor'));
      const { command, args, env } = mcpServers.jupyter;
      await startsTheBridge([command, ...args], env);
    });
  });
});

/** No more than what a client gives a program it starts. */
function onlyPath(): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: '/nonexistent' };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function eventually(holds: () => boolean): Promise<void> {
  const end = Date.now() + 30_000;
  while (!holds()) {
    if (Date.now() > end) {
      throw new Error('This did not become true within 30 seconds.');
    }
    await pause(100);
  }
}

async function processes(): Promise<{ pid: number; parent: number }[]> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  const stats = await Promise.all(
    pids.map(pid => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))
  );
  return stats
    .filter(stat => stat !== '')
    .map(stat => ({
      pid: Number.parseInt(stat),
      parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    }));
}

/** A process and everything below it. */
async function familyOf(pid: number): Promise<number[]> {
  const all = await processes();
  const found = [pid];
  for (const member of found) {
    found.push(...all.filter(one => one.parent === member).map(one => one.pid));
  }
  return found;
}

/** What every user of the machine may read of every process. */
async function commandLines(): Promise<string> {
  const texts = (await processes()).map(({ pid }) =>
    readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  );
  return (await Promise.all(texts)).join('\n');
}

/** Addresses, in the kernel's notation, that something listens at on a port. */
async function listeners(port: number): Promise<string[]> {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map(path =>
      readFile(path, 'utf8').catch(() => '')
    )
  );
  return tables
    .join('\n')
    .split('\n')
    .map(line => line.trim().split(/\s+/))
    .filter(
      ([, local, , state]) => local?.endsWith(`:${hex}`) && state === '0A'
    )
    .map(([, local]) => local?.split(':')[0] ?? '');
}
