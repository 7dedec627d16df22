import { ToolError } from './errors';
import { holdsHalf } from './whole';
import { quote } from './words';

/** What decides how a path is read. */
export interface IPathRules {
  /** Whether the server serves files and folders whose names begin with a dot. */
  readonly allowHidden: boolean;
}

/** JupyterLab's drive of documents that are edited together; names the same files. */
const SHARED_DRIVE = 'RTC:';

/** Bytes of a name that a disk takes. Asked for more, the server breaks off. */
const NAME_BYTES = 255;

/**
 * Bytes of the name of a new file. The server keeps a copy beside it under a
 * longer name, `NAME-checkpoint.ipynb`, and can neither save nor open it
 * where there is no room for that.
 */
const NEW_NAME_BYTES = NAME_BYTES - '-checkpoint'.length;

/** Bytes of a path: 4096 are what a disk takes, and the server's root is part of that. */
const PATH_BYTES = 3000;

/**
 * The one spelling of a path: no leading slash, no empty or `.` parts, no
 * `RTC:` prefix. The name itself is taken exactly: `%20`, `#`, `?`, colons
 * and both Unicode forms of an accent are what they are.
 *
 * Throws before anything is asked of a server: validation_failed for what is
 * no path, not_found for what is hidden or above the root.
 */
export function canonicalPath(path: string, rules: IPathRules): string {
  if (path.includes('\0')) {
    throw notAPath(path, 'a name cannot hold a NUL character');
  }
  if (path.includes('\\')) {
    throw notAPath(path, 'parts are separated by "/", never by a backslash');
  }
  const parts = partsOf(path);
  while (parts[0]?.startsWith(SHARED_DRIVE)) {
    parts.splice(0, 1, ...partsOf(parts[0].slice(SHARED_DRIVE.length)));
  }
  if (parts.includes('..')) {
    throw outOfReach(path);
  }
  for (const part of parts) {
    if (/[. ]$/.test(part)) {
      throw notAPath(path, 'a name cannot end in a dot or a space');
    }
    if (holdsHalf(part)) {
      throw notAPath(path, 'a name must be whole Unicode characters');
    }
    if (bytesOf(part) > NAME_BYTES) {
      throw notAPath(path, `a name has at most ${NAME_BYTES} bytes (UTF-8)`);
    }
  }
  if (bytesOf(parts.join('/')) > PATH_BYTES) {
    throw notAPath(path, `a path has at most ${PATH_BYTES} bytes (UTF-8)`);
  }
  if (!rules.allowHidden && parts.some(isHiddenPart)) {
    throw outOfReach(path);
  }
  return parts.join('/');
}

/** As `canonicalPath`, for a file: the root itself is not one. */
export function canonicalFilePath(path: string, rules: IPathRules): string {
  const canonical = canonicalPath(path, rules);
  if (canonical === '') {
    throw notAPath(path, 'it names the root folder, not a file');
  }
  return canonical;
}

/**
 * Refuses a path for something new that would be trouble to those who meet it
 * later.
 * @throws ToolError validation_failed
 */
export function assertNewPath(path: string): void {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (bytesOf(name) > NEW_NAME_BYTES) {
    throw noName(
      name,
      `that of a new file has at most ${NEW_NAME_BYTES} bytes (UTF-8)`
    );
  }
  if (UNSEEN.test(name)) {
    throw noName(
      name,
      'it holds control characters, or ones that turn the direction of the text'
    );
  }
}

/**
 * The path of something new in a folder.
 * @throws ToolError validation_failed, not_found
 */
export function newPath(
  folder: string,
  name: string,
  rules: IPathRules
): string {
  if (name.includes('/')) {
    throw noName(name, 'it is a path. Give the folder as cwd');
  }
  if (name === '.' || name === '..') {
    throw noName(name, 'it stands for a folder');
  }
  if (!rules.allowHidden && isHiddenPart(name)) {
    throw noName(
      name,
      'it begins with a dot, and this server hides such files'
    );
  }
  const path = canonicalFilePath(
    joinPath(canonicalPath(folder, rules), name),
    rules
  );
  assertNewPath(path);
  return path;
}

/** Whether a path is that one, or lies in it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** The spelling of a path that JupyterLab itself uses, without the shared drive. */
export function plainPath(path: string): string {
  return path.replace(/^RTC:/, '').replace(/^\/+/, '');
}

/** The folder a path lies in; '' for the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** A folder and what is in it, joined. */
export function joinPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** What a missing document is answered with: the same for hidden, outside and absent. */
export function outOfReach(path: string): ToolError {
  return new ToolError(
    'not_found',
    `There is no document at ${quote(path)}. Paths are relative to the folder that Jupyter serves, such as "folder/name.ipynb"; list_directory or get_context shows what is there.`
  );
}

function partsOf(path: string): string[] {
  return path.split('/').filter(part => part !== '' && part !== '.');
}

function isHiddenPart(part: string): boolean {
  return part.startsWith('.');
}

/** Control characters, and marks that turn the direction of what stands around. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

function noName(name: string, why: string): ToolError {
  return new ToolError(
    'validation_failed',
    `${quote(name)} is no name for a new file: ${why}. Take another name.`
  );
}

function notAPath(path: string, why: string): ToolError {
  return new ToolError(
    'validation_failed',
    `${quote(path)} is not a path: ${why}. Give a path relative to the folder that Jupyter serves, such as "folder/name.ipynb".`
  );
}
