import { ServerConnection } from '@jupyterlab/services';
import { ToolError } from '../calls/errors';

/**
 * The server's own reason, passed on. Other exceptions are returned as they
 * are, for the one border that hides them.
 */
export function toServerError(reason: unknown, what: string): unknown {
  if (reason instanceof ServerConnection.ResponseError) {
    const { status } = reason.response;
    return new ToolError(
      status === 403 ? 'permission_denied' : 'operation_refused',
      `${what}: the Jupyter server answered ${status}: ${withoutPaths(reason.message)}`
    );
  }
  if (reason instanceof ServerConnection.NetworkError) {
    return new ToolError(
      'operation_refused',
      `${what}: the Jupyter server cannot be reached. Try again when it is back.`
    );
  }
  return reason;
}

/** Where a path of the server's own machine begins, in quotes or without. */
const PATH =
  /(?<![\p{L}\p{M}\p{N}_.)\]}~/\\-])(?:~\w*[\\/]|\/(?=\S)|[A-Za-z]:[\\/]|\\\\)/u;
const QUOTED = new RegExp(`(["'\`])(?:${PATH.source}).*?(?<!\\\\)\\1`, 'gsu');

/**
 * The server's words without the paths of its own machine. Of one that is not
 * in quotes nothing tells where it ends: what follows goes with it.
 */
function withoutPaths(message: string): string {
  const quoted = message.replace(QUOTED, '$1…$1');
  const at = quoted.search(PATH);
  return at < 0 ? quoted : `${quoted.slice(0, at)}…`;
}
