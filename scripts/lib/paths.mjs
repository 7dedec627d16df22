import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The clone's root folder. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Everything that scripts make and that may be thrown away. */
export const CACHE = join(ROOT, '.cache');

export const VENV = join(ROOT, '.venv');

const WINDOWS = process.platform === 'win32';

/** Where a venv keeps its programs. */
const binOf = venv => join(venv, WINDOWS ? 'Scripts' : 'bin');

const pythonOf = venv => join(binOf(venv), WINDOWS ? 'python.exe' : 'python');

export const VENV_BIN = binOf(VENV);

export const VENV_PYTHON = pythonOf(VENV);

const onTop = name => {
  const venv = join(CACHE, `venv-${name}`);
  return { venv, python: pythonOf(venv) };
};

/**
 * What some tests run in, each on top of .venv: jupyter-collaboration, and
 * the other frontends.
 */
export const ON_TOP = { rtc: onTop('rtc'), frontends: onTop('frontends') };

export const BRIDGE_CLI = join(ROOT, 'bridge', 'dist', 'cli.js');
