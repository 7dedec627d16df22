import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { errorCode } from '../errorCode';

/** Why a file's text is not to be trusted or not there. */
export type NotOwn =
  | 'missing'
  | 'symlink'
  | 'not a file'
  | 'other owner'
  | 'readable by others'
  | 'too large'
  | 'unreadable';

/** What each means, after "it" or the file's name. */
export const NOT_OWN: Record<NotOwn, string> = {
  missing: 'is not there',
  symlink: 'is a symbolic link',
  'not a file': 'is not a regular file',
  'other owner': 'belongs to another user',
  'readable by others':
    'can be read or written by other users of this machine (it should have mode 0600)',
  'too large': 'is too large',
  unreadable: 'cannot be read'
};

/**
 * Reads a file that holds a secret: a regular file of this process's user
 * that nobody else may open. Owner and mode are those of the opened file, so
 * that it cannot be swapped in between. Windows has neither; there the folder
 * protects it.
 *
 * @param limit - the most bytes it may have.
 */
export async function readOwnFile(
  path: string,
  limit: number
): Promise<{ text: string } | { problem: NotOwn }> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  let file;
  try {
    file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    return { problem: problemOf(error) };
  }
  try {
    const stat = await file.stat();
    const uid = process.getuid?.();
    if (!stat.isFile()) {
      return { problem: 'not a file' };
    }
    if (uid !== undefined && stat.uid !== uid) {
      return { problem: 'other owner' };
    }
    if (uid !== undefined && (stat.mode & 0o077) !== 0) {
      return { problem: 'readable by others' };
    }
    if (stat.size > limit) {
      return { problem: 'too large' };
    }
    return { text: await file.readFile('utf8') };
  } catch (error) {
    return { problem: problemOf(error) };
  } finally {
    await file.close();
  }
}

function problemOf(error: unknown): NotOwn {
  switch (errorCode(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'missing';
    case 'ELOOP':
    case 'EMLINK':
      return 'symlink';
    case 'EISDIR':
    case 'ENXIO':
      return 'not a file';
    default:
      return 'unreadable';
  }
}
