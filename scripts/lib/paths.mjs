import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The clone's root folder. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Everything that scripts make and that may be thrown away. */
export const CACHE = join(ROOT, '.cache');

export const VENV = join(ROOT, '.venv');

const WINDOWS = process.platform === 'win32';

/** Where a venv keeps its programs. */
export const VENV_BIN = join(VENV, WINDOWS ? 'Scripts' : 'bin');

export const VENV_PYTHON = join(VENV_BIN, WINDOWS ? 'python.exe' : 'python');

export const BRIDGE_CLI = join(ROOT, 'bridge', 'dist', 'cli.js');
