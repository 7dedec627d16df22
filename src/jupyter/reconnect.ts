import type { ISessionContext } from '@jupyterlab/apputils';
import type { Kernel } from '@jupyterlab/services';
import { ToolError } from '../calls/errors';
import type { IClock } from '../calls/types';

/** The part of a kernel connection that tells whether it was given up. */
export type LosableKernel = Pick<
  Kernel.IKernelConnection,
  'connectionStatus' | 'reconnect' | 'status'
>;

/**
 * Connects again what JupyterLab has given up: what is sent to such a kernel
 * waits for ever. Does nothing while it is connected or being connected.
 *
 * @throws ToolError operation_refused
 */
export async function assertConnected(kernel: LosableKernel): Promise<void> {
  if (kernel.connectionStatus !== 'disconnected' || kernel.status === 'dead') {
    return;
  }
  try {
    await kernel.reconnect();
  } catch {
    throw new ToolError(
      'operation_refused',
      'The connection to the kernel is lost and could not be made again, so nothing ran. Ask the person whether their network and the Jupyter server are there, then try again.'
    );
  }
}

/**
 * Makes a connection anew whose socket is open and dead. Nothing that waits
 * for an answer is given up.
 */
export function renew(kernel: LosableKernel): void {
  if (kernel.connectionStatus === 'connected') {
    // Who waits is told by the connection's own signals.
    kernel.reconnect().catch(() => undefined);
  }
}

/**
 * Waits while JupyterLab restarts the kernel of a document: what is sent
 * meanwhile can be lost with the old process.
 */
export function restartOver(
  session: Pick<ISessionContext, 'isRestarting' | 'statusChanged' | 'disposed'>
): Promise<void> {
  return new Promise(resolve => {
    const end = (): void => {
      session.statusChanged.disconnect(onStatus);
      session.disposed.disconnect(end);
      resolve();
    };
    const onStatus = (): void => {
      if (!session.isRestarting) {
        end();
      }
    };
    session.statusChanged.connect(onStatus);
    session.disposed.connect(end);
    onStatus();
  });
}

/** Milliseconds in which a kernel that answers is done with JupyterLab's requests. */
const RESTS_MS = 1000;

/** What JupyterLab says of a kernel that it has not heard of, or asks things. */
const SOON_IDLE = new Set([
  'unknown',
  'initializing',
  'starting',
  'connecting',
  'busy'
]);

/**
 * Waits a little for a new kernel that has answered to be idle: JupyterLab
 * knows its state from its own first requests, which make it busy for a moment.
 */
export function restsAtFirst(
  session: Pick<
    ISessionContext,
    'kernelDisplayStatus' | 'statusChanged' | 'disposed'
  >,
  clock: IClock
): Promise<void> {
  return new Promise(resolve => {
    const end = (): void => {
      session.statusChanged.disconnect(onStatus);
      session.disposed.disconnect(end);
      timer.dispose();
      resolve();
    };
    const onStatus = (): void => {
      if (!SOON_IDLE.has(session.kernelDisplayStatus)) {
        end();
      }
    };
    const timer = clock.after(RESTS_MS, end);
    session.statusChanged.connect(onStatus);
    session.disposed.connect(end);
    onStatus();
  });
}
