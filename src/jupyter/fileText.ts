import { type Contents, ServerConnection } from '@jupyterlab/services';
import { ToolError } from '../calls/errors';
import { folderOf, outOfReach } from '../calls/paths';
import { quote } from '../calls/words';
import { toServerError } from './reasons';

/** The largest file that is read, in bytes. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024;

/**
 * The text of a file as it is on disk. A notebook too is asked for as text:
 * as a notebook the server would mend ids and convert old formats.
 *
 * Throws not_found, permission_denied, too_large, unsupported_type.
 */
export async function readFileText(
  contents: Pick<Contents.IManager, 'get'>,
  path: string
): Promise<string> {
  try {
    const facts = await contents.get(path, { content: false });
    if (facts.type === 'directory') {
      throw new ToolError(
        'validation_failed',
        `${quote(path)} is a folder; list_directory shows what is in it.`
      );
    }
    if ((facts.size ?? 0) > MAX_FILE_BYTES) {
      throw new ToolError(
        'too_large',
        `${quote(path)} has ${facts.size} bytes; files of at most ${MAX_FILE_BYTES} bytes are read.`
      );
    }
    const file = await contents.get(path, {
      type: 'file',
      format: 'text',
      content: true
    });
    const content: unknown = file.content;
    return typeof content === 'string' ? content : JSON.stringify(content);
  } catch (reason) {
    throw (await isAbsent(contents, path, reason))
      ? outOfReach(path)
      : toReadError(reason, path);
  }
}

function toReadError(reason: unknown, path: string): unknown {
  return reason instanceof ServerConnection.ResponseError &&
    reason.response.status === 400 &&
    /not UTF-8/i.test(reason.message)
    ? new ToolError(
        'unsupported_type',
        `${quote(path)} is not a text file (UTF-8), so it cannot be read as text.`
      )
    : toServerError(reason, `${quote(path)} was not read`);
}

/**
 * Whether a request failed because there is nothing at a path. Where the path
 * leads on behind a file the server does not say so, but breaks off.
 */
export async function isAbsent(
  contents: Pick<Contents.IManager, 'get'>,
  path: string,
  reason: unknown
): Promise<boolean> {
  if (
    !(reason instanceof ServerConnection.ResponseError) ||
    reason.response.status < 500
  ) {
    return isMissing(reason);
  }
  const folder = folderOf(path);
  if (folder === '') {
    return false;
  }
  try {
    const { type } = await contents.get(folder, { content: false });
    return type !== 'directory';
  } catch (above) {
    return isAbsent(contents, folder, above);
  }
}

/** How JupyterLite, which has no server to answer 404, says the same. */
const LITE = /^Could not find (?:content|file) with path /;

/** Whether the server says that there is nothing at a path. */
export function isMissing(reason: unknown): boolean {
  return reason instanceof ServerConnection.ResponseError
    ? reason.response.status === 404
    : reason instanceof Error && LITE.test(reason.message);
}
