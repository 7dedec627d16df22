import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, type Home } from './lab';
import { onTopOf } from './onTop';
import { ROOT, startProgram, type IProgram } from './processes';

const WHEELS = join(ROOT, '.cache', 'wheel');

/** A JupyterLite with the built wheel, on a server of plain files. */
export class Lite {
  private constructor(
    readonly url: string,
    private readonly _server: IProgram
  ) {}

  /** Builds one that shows the home's files, and serves it. */
  static async start(home: Home): Promise<Lite> {
    const [wheel] = readdirSync(WHEELS).filter(name => name.endsWith('.whl'));
    const site = join(home.path, 'site');
    const run = (...command: [string, ...string[]]): IProgram => {
      const [name, ...args] = command;
      return startProgram(join(onTopOf('frontends'), 'bin', name), args, {
        cwd: home.path,
        env: {
          ...home.env,
          JUPYTER_PATH: join(onTopOf('frontends'), 'share', 'jupyter')
        }
      });
    };
    await writeFile(
      join(home.path, 'jupyter-lite.json'),
      JSON.stringify({
        'jupyter-lite-schema-version': 0,
        'jupyter-config-data': { exposeAppInBrowser: true }
      })
    );
    const building = run(
      'jupyter-lite',
      'build',
      '--contents',
      home.root,
      '--output-dir',
      site,
      '--no-sourcemaps',
      `--LiteBuildConfig.federated_extensions=${join(WHEELS, wheel)}`
    );
    if ((await building.ended) !== 0) {
      throw new Error(`JupyterLite was not built:\n${building.output()}`);
    }
    const port = await freePort();
    const server = run(
      'python',
      '-u',
      '-m',
      'http.server',
      String(port),
      '--bind',
      '127.0.0.1',
      '--directory',
      site
    );
    await server.until(/Serving HTTP/);
    return new Lite(`http://127.0.0.1:${port}/`, server);
  }

  /** What the server of files was asked for. */
  get log(): string {
    return this._server.output();
  }

  async stop(): Promise<void> {
    await this._server.end();
  }
}
