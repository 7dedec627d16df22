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
      `${what}: the Jupyter server answered ${status}: ${reason.message}`
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
