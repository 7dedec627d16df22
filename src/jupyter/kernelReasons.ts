import { ServerConnection } from '@jupyterlab/services';
import { ToolError } from '../calls/errors';
import { quote } from '../calls/words';
import { toServerError } from './reasons';

/**
 * The reason why something that was asked of a kernel failed, with what leads
 * on.
 *
 * @param kernelId - of the kernel without which it cannot be done.
 */
export function toKernelError(
  reason: unknown,
  what: string,
  kernelId?: string
): unknown {
  if (!(reason instanceof ServerConnection.ResponseError)) {
    return toServerError(reason, what);
  }
  const { status } = reason.response;
  if (status === 404 && kernelId !== undefined) {
    return dead(kernelId);
  }
  const told = toServerError(reason, what);
  return told instanceof ToolError && status >= 500
    ? new ToolError(
        told.code,
        `${told.message}. Somebody else may be restarting or exchanging the kernel: look at get_context, and call again in a few seconds.`
      )
    : told;
}

export function dead(kernelId: string): ToolError {
  return new ToolError(
    'operation_refused',
    `The kernel ${quote(kernelId)} is gone: there is nothing to interrupt or restart. change_kernel gives its notebook another.`
  );
}

/** Of a connection that the page let go of while somebody waited for it. */
export function exchanged(kernelId: string): ToolError {
  return new ToolError(
    'operation_refused',
    `The kernel ${quote(kernelId)} was exchanged for another meanwhile, or its document closed. get_context names the kernels there are now.`
  );
}

export function notRestarted(): ToolError {
  return new ToolError(
    'operation_refused',
    'The kernel could not be restarted: the Jupyter server refused it, or could not be reached. It may still be at work. Try again; if that fails too, choose another kernel with change_kernel.'
  );
}

export function silent(): ToolError {
  return new ToolError(
    'operation_refused',
    'The kernel was started, but has not answered for a minute. It may answer yet: look at get_context; else restart_kernel, or choose another with change_kernel.'
  );
}

/** Not every kernel knows interrupts: one in the browser (Pyodide) does not. */
export function noInterrupt(): ToolError {
  return new ToolError(
    'operation_refused',
    'The kernel could not be interrupted: it may know no interrupts, as Pyodide. restart_kernel ends what it runs; its variables are then lost.'
  );
}
