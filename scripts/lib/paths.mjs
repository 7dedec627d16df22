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

const PYTHON = WINDOWS ? 'python.exe' : 'python';

export const VENV_PYTHON = join(VENV_BIN, PYTHON);

/** What tests with jupyter-collaboration run in, on top of .venv. */
export const RTC_VENV = join(CACHE, 'venv-rtc');

export const RTC_PYTHON = join(RTC_VENV, WINDOWS ? 'Scripts' : 'bin', PYTHON);

export const BRIDGE_CLI = join(ROOT, 'bridge', 'dist', 'cli.js');
