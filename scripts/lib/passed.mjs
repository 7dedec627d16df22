import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from 'node:fs';
import { join } from 'node:path';
import { CACHE, ROOT, VENV } from './paths.mjs';

const PASSED = join(CACHE, 'passed');

/**
 * A digest of every file of the clone that git knows or would take up, and of
 * the programs that run them. null where git cannot tell which these are.
 */
export function stateOfClone() {
  const listed = spawnSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 }
  );
  if (listed.status !== 0) {
    return null;
  }
  const venv = join(VENV, 'pyvenv.cfg');
  const hash = createHash('sha256')
    .update(`${process.version} ${process.platform} ${process.arch}\n`)
    .update(existsSync(venv) ? readFileSync(venv) : '');
  for (const name of listed.stdout.split('\0').filter(Boolean).sort()) {
    const path = join(ROOT, name);
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile()) {
      const content = readFileSync(path);
      hash.update(`\0${name}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest('hex');
}

/** How many checks of a stage passed on just these files, and when; or null. */
export function passedBefore(stage, state) {
  try {
    const kept = JSON.parse(readFileSync(join(PASSED, stage), 'utf8'));
    return state !== null && kept.state === state ? kept : null;
  } catch {
    return null;
  }
}

/** Takes down that a stage passed, unless the files changed meanwhile. */
export function keepPassed(stage, state, passed) {
  mkdirSync(PASSED, { recursive: true });
  if (state !== null && stateOfClone() === state) {
    const at = new Date().toISOString();
    writeFileSync(join(PASSED, stage), JSON.stringify({ state, passed, at }));
  } else {
    rmSync(join(PASSED, stage), { force: true });
  }
}
