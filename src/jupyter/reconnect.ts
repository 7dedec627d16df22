import type { ISessionContext } from '@jupyterlab/apputils';
import type { Kernel } from '@jupyterlab/services';
import { ToolError } from '../calls/errors';
import type { IClock } from '../calls/types';
import { dead, exchanged, silent } from './kernelReasons';
import { beingChanged, within } from './turns';

/** The part of a kernel connection that tells whether it was given up. */
export type LosableKernel = Pick<
  Kernel.IKernelConnection,
  'connectionStatus' | 'reconnect' | 'status'
>;

/** The part of a document's session that tells of a restart. */
export type RestartedSession = Pick<
  ISessionContext,
  'isRestarting' | 'statusChanged' | 'disposed'
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
 *
 * @throws ToolError operation_in_progress (it takes too long)
 */
export function restartOver(
  session: RestartedSession,
  clock: IClock
): Promise<void> {
  let end = (): void => undefined;
  const over = new Promise<void>(resolve => (end = resolve));
  const onStatus = (): void => {
    if (!session.isRestarting) {
      end();
    }
  };
  session.statusChanged.connect(onStatus);
  session.disposed.connect(end);
  onStatus();
  return within(over, clock, beingChanged).finally(() => {
    session.statusChanged.disconnect(onStatus);
    session.disposed.disconnect(end);
  });
}

/** The part of a kernel connection that tells whether it answers. */
export type AnsweringKernel = Pick<
  Kernel.IKernelConnection,
  | 'id'
  | 'status'
  | 'isDisposed'
  | 'disposed'
  | 'connectionStatus'
  | 'connectionStatusChanged'
>;

/** How long a kernel that was started may take to answer. */
export const ANSWERS_MS = 60_000;

/** Milliseconds without an answer after which the server is asked for the kernel. */
const SILENT_MS = 1000;

/**
 * Waits until a kernel that was started answers. An answer can be lost with a
 * connection that is made anew, and none comes on one that was given up for
 * another kernel's.
 *
 * @param ask - resolves with the kernel's answer.
 * @param askServer - asks which kernels there are; those that are gone end here too.
 * @throws ToolError operation_refused (it is gone, or silent)
 */
export function answered(
  kernel: AnsweringKernel,
  ask: () => Promise<unknown>,
  askServer: () => Promise<void>,
  clock: IClock
): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (reason?: ToolError): void => {
      kernel.disposed.disconnect(onDisposed);
      kernel.connectionStatusChanged.disconnect(onConnection);
      timers.forEach(timer => timer.dispose());
      if (reason) {
        reject(reason);
      } else {
        resolve();
      }
    };
    const onDisposed = (): void =>
      end(kernel.status === 'dead' ? dead(kernel.id) : exchanged(kernel.id));
    const onConnection = (): void => {
      if (kernel.connectionStatus === 'connected') {
        // A question that is dropped is asked again on the next connection.
        ask().then(
          () => (kernel.isDisposed ? onDisposed() : end()),
          () => undefined
        );
      }
    };
    const timers = [
      clock.after(SILENT_MS, () => void askServer().catch(() => undefined)),
      clock.after(ANSWERS_MS, () => end(silent()))
    ];
    kernel.disposed.connect(onDisposed);
    kernel.connectionStatusChanged.connect(onConnection);
    if (kernel.isDisposed) {
      onDisposed();
    } else {
      onConnection();
    }
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
