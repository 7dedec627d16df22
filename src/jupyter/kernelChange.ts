import type { ISessionContext } from '@jupyterlab/apputils';
import type { Kernel } from '@jupyterlab/services';
import { ToolError } from '../calls/errors';
import type { IClock } from '../calls/types';
import { quote } from '../calls/words';
import { toKernelError } from './kernelReasons';
import { answered, restartOver, restsAtFirst } from './reconnect';

/** What the changes of a document's kernel take their turns by. */
export function keysOf(session: ISessionContext): unknown[] {
  const id = session.session?.kernel?.id;
  return id === undefined ? [session] : [session, id];
}

/**
 * Gives a document a fresh kernel, and waits until that answers.
 *
 * @param refreshSessions - asks the server which sessions there are; those
 * that are gone end here too.
 */
export async function changeKernel(
  context: ISessionContext,
  name: string,
  refreshSessions: () => Promise<void>,
  clock: IClock
): Promise<void> {
  await restartOver(context, clock);
  if (context.isDisposed) {
    throw new ToolError(
      'operation_refused',
      'The document was closed before its kernel was changed. Call again to open it in the background.'
    );
  }
  try {
    // The context's own way opens a dialog when the kernel cannot start,
    // and leaves the notebook without any.
    const kernel =
      (await inSession(context, name, refreshSessions)) ??
      (await context.changeKernel({ name }));
    if (kernel) {
      await answered(kernel, () => kernel.info, refreshSessions, clock);
    }
    await restsAtFirst(context, clock);
  } catch (reason) {
    const what = `The kernel ${quote(name)} could not be started`;
    throw toKernelError(reason, what);
  }
}

/** Null where the notebook has no session, or one that the server forgot. */
async function inSession(
  context: ISessionContext,
  name: string,
  refreshSessions: () => Promise<void>
): Promise<Kernel.IKernelConnection | null> {
  try {
    return (await context.session?.changeKernel({ name })) ?? null;
  } catch (reason) {
    // After a restart of the server JupyterLab knows it for a while yet.
    await refreshSessions();
    if (context.session) {
      throw reason;
    }
    return null;
  }
}
