import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { CACHE, VENV_PYTHON } from './paths.mjs';
import { environment, start } from './processes.mjs';
import { Trouble } from './trouble.mjs';

const HOST = '127.0.0.1';
const FIRST_PORT = 8888;

/** What JupyterLab writes when it takes requests. */
const READY = /is running at:/;

function isFree(port) {
  return new Promise(resolve => {
    const probe = createServer()
      .once('error', () => resolve(false))
      .once('listening', () => probe.close(() => resolve(true)));
    probe.listen(port, HOST);
  });
}

/** The port asked for, or the first free one from Jupyter's own on. */
export async function choosePort(asked) {
  if (asked !== undefined) {
    if (!(await isFree(asked))) {
      throw new Trouble(
        `Port ${asked} is taken. End what uses it, or choose another with --port N, or leave --port out and a free one is found.`
      );
    }
    return asked;
  }
  for (let port = FIRST_PORT; port < FIRST_PORT + 100; port++) {
    if (await isFree(port)) {
      return port;
    }
  }
  throw new Trouble(
    `No port from ${FIRST_PORT} to ${FIRST_PORT + 99} is free. Choose one with --port N.`
  );
}

/** A file that only this user may read. */
function writeOwn(path, text) {
  writeFileSync(path, text, { mode: 0o600 });
  chmodSync(path, 0o600);
}

/**
 * Our own token, the same at each start, so that an open tab and a client
 * find a server that was started again.
 */
function ownToken(folder) {
  const path = join(folder, 'token');
  const token = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  if (/^[0-9a-f]{48}$/.test(token)) {
    chmodSync(path, 0o600);
    return { path, token };
  }
  const made = randomBytes(24).toString('hex');
  writeOwn(path, made);
  return { path, token: made };
}

/** The folder of one port's server: token, settings, log. */
function serverFolder(port) {
  const folder = join(CACHE, 'start', String(port));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Where open tabs are remembered: another root's are not opened again. */
export function workspacesFolder(root) {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16);
  return join(CACHE, 'start', 'workspaces', name);
}

/** The message comes a little before the port is bound, and no other does. */
async function answers(url, job) {
  let over = false;
  void job.done.then(() => {
    over = true;
  });
  while (!over) {
    try {
      await (await fetch(`${url}api`)).text();
      return 'ready';
    } catch {
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  }
}

/**
 * Starts JupyterLab on loopback and waits until it takes requests.
 *
 * @param options - {root, port, overrides (an object or null), browser}
 * @returns {url, token, tokenFile, log, done, end}
 */
export async function startLab({ root, port, overrides, browser }) {
  const url = `http://${HOST}:${port}/`;
  const folder = serverFolder(port);
  const { path: tokenFile, token } = ownToken(folder);
  const settings = join(folder, 'settings');
  mkdirSync(settings, { recursive: true });
  writeFileSync(
    join(settings, 'overrides.json'),
    JSON.stringify(overrides ?? {})
  );
  const log = join(folder, 'jupyter.log');
  writeOwn(log, '');
  const job = start(
    VENV_PYTHON,
    [
      '-m',
      'jupyterlab',
      `--ServerApp.ip=${HOST}`,
      `--ServerApp.port=${port}`,
      '--ServerApp.port_retries=0',
      `--ServerApp.root_dir=${root}`,
      `--ServerApp.open_browser=${browser ? 'True' : 'False'}`,
      `--LabApp.app_settings_dir=${settings}`,
      `--LabApp.workspaces_dir=${workspacesFolder(root)}`,
      ...(process.getuid?.() === 0 ? ['--allow-root'] : [])
    ],
    {
      cwd: root,
      stdio: 'pipe',
      env: environment({
        // By the environment: everyone may read a command line.
        JUPYTER_TOKEN: token,
        // A person's own Jupyter settings neither matter here nor change.
        JUPYTER_CONFIG_DIR: join(CACHE, 'start', 'config')
      })
    }
  );
  const file = createWriteStream(log, { flags: 'a' });
  job.stdout.pipe(file, { end: false });
  job.stderr.pipe(file, { end: false });
  let text = '';
  const ready = new Promise(resolve => {
    job.stderr.setEncoding('utf8');
    job.stderr.on('data', function watch(part) {
      text = (text + part).slice(-8000);
      if (READY.test(text)) {
        job.stderr.off('data', watch);
        resolve(answers(url, job));
      }
    });
  });
  if ((await Promise.race([ready, job.done])) !== 'ready') {
    throw new Trouble(
      `${text.trimEnd()}\n\nJupyterLab did not start. Its log is ${log}.`
    );
  }
  return { url, token, tokenFile, log, done: job.done, end: job.end };
}
