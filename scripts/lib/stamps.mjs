import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync
} from 'node:fs';
import { join } from 'node:path';
import { CACHE, ROOT } from './paths.mjs';

/** Made by builds, never what they are made of. */
const SKIP = new Set([
  'node_modules',
  '__pycache__',
  'labextension',
  'dist',
  '_version.py'
]);

function filesOf(path) {
  const full = join(ROOT, path);
  if (!existsSync(full)) {
    return [];
  }
  if (!statSync(full).isDirectory()) {
    return [path];
  }
  return readdirSync(full)
    .filter(name => !SKIP.has(name))
    .sort()
    .flatMap(name => filesOf(join(path, name)));
}

/** A digest of files and folders of the clone, by content, and of `extra`. */
export function digest(paths, extra = '') {
  const hash = createHash('sha256').update(extra);
  for (const file of paths.flatMap(filesOf)) {
    const content = readFileSync(join(ROOT, file));
    hash.update(`\0${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/**
 * Does `work` unless it was done for the same `state` before and all of
 * `made` is still there. Returns whether it did.
 */
export async function whenChanged(name, state, made, work) {
  const stamp = join(CACHE, 'stamps', name);
  if (
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === state &&
    made.every(path => existsSync(path))
  ) {
    return false;
  }
  await work();
  mkdirSync(join(CACHE, 'stamps'), { recursive: true });
  writeFileSync(stamp, state);
  return true;
}
