import { randomBytes } from 'node:crypto';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pause, ROOT, startProgram, type IProgram } from './processes';

const PYTHON = join(ROOT, '.venv', 'bin', 'python');
const EXTENSION = 'jupyterlab-mcp-bridge-extension:plugin';

/** No notification of JupyterLab's own covers the page. */
const QUIET = {
  '@jupyterlab/apputils-extension:notification': {
    fetchNews: 'false',
    checkForUpdates: false,
    doNotDisturbMode: true
  }
};

const JUPYTERLAB = { module: 'jupyterlab', app: 'LabApp' };

export interface ILabOptions {
  /** Settings of the extension. */
  settings?: Record<string, unknown>;
  /** More arguments of `jupyter lab`. */
  args?: readonly string[];
  /** The Python whose JupyterLab it is; `.venv`’s by default. */
  python?: string;
  /** The program that is started, and the class that holds its settings. */
  program?: { module: string; app: string };
  /** More variables of its environment. */
  env?: Readonly<Record<string, string>>;
}

/** A free port of the loopback interface. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address !== null
          ? resolve(address.port)
          : reject(new Error('no port'))
      );
    });
  });
}

/**
 * A home folder for tests: nothing of the real one is read or written, and
 * the servers started in it are found only by bridges started in it.
 */
export class Home {
  private constructor(readonly path: string) {}

  static async make(): Promise<Home> {
    const path = await mkdtemp(join(tmpdir(), 'mcp-bridge-e2e-'));
    await mkdir(join(path, 'work'));
    return new Home(path);
  }

  /** The folder that servers show. */
  get root(): string {
    return join(this.path, 'work');
  }

  get runtime(): string {
    return join(this.path, '.local', 'share', 'jupyter', 'runtime');
  }

  /** The environment of everything that runs in it. */
  get env(): Record<string, string> {
    const kept = Object.entries(process.env).filter(
      ([name]) => !/^(JUPYTER|XDG|IPYTHON|npm_)/.test(name)
    );
    return {
      ...Object.fromEntries(
        kept.map(([name, value]): [string, string] => [name, value ?? ''])
      ),
      HOME: this.path
    };
  }

  async write(name: string, content: string): Promise<void> {
    const path = join(this.root, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A running JupyterLab with the built extension. */
export class Lab {
  private _program: IProgram | null = null;

  private constructor(
    readonly home: Home,
    readonly port: number,
    readonly token: string,
    private readonly _options: ILabOptions
  ) {}

  static async start(home: Home, options: ILabOptions = {}): Promise<Lab> {
    const lab = new Lab(
      home,
      await freePort(),
      randomBytes(16).toString('hex'),
      options
    );
    await lab.start();
    return lab;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/`;
  }

  /** Starts it, or starts it again on the same port with the same token. */
  async start(): Promise<void> {
    const settings = join(this.home.path, 'settings');
    await mkdir(settings, { recursive: true });
    await writeFile(
      join(settings, 'overrides.json'),
      JSON.stringify({ ...QUIET, [EXTENSION]: this._options.settings ?? {} })
    );
    const { module, app } = this._options.program ?? JUPYTERLAB;
    this._program = startProgram(
      this._options.python ?? PYTHON,
      [
        '-m',
        module,
        '--ServerApp.ip=127.0.0.1',
        `--ServerApp.port=${this.port}`,
        '--ServerApp.port_retries=0',
        `--ServerApp.root_dir=${this.home.root}`,
        '--ServerApp.open_browser=False',
        `--${app}.app_settings_dir=${settings}`,
        `--${app}.expose_app_in_browser=True`,
        ...(process.getuid?.() === 0 ? ['--allow-root'] : []),
        ...(this._options.args ?? [])
      ],
      {
        cwd: this.home.root,
        env: {
          ...this.home.env,
          ...this._options.env,
          JUPYTER_TOKEN: this.token
        }
      }
    );
    await this._program.until(/is running at:/);
    await this._answers();
  }

  /** The message above comes a little before the port is bound. */
  private async _answers(): Promise<void> {
    for (let tries = 0; tries < 200; tries++) {
      try {
        await (await this.api('')).text();
        return;
      } catch {
        await pause(50);
      }
    }
    throw new Error(`The server does not answer:\n${this.log}`);
  }

  /** What the server wrote. */
  get log(): string {
    return this._program?.output() ?? '';
  }

  /** One request to the server's own API, with the token. */
  async api(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(new URL(`api/${path}`, this.url), {
      ...init,
      headers: { Authorization: `token ${this.token}` }
    });
  }

  async stop(): Promise<void> {
    await this._program?.end();
    this._program = null;
  }
}
