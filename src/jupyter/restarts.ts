import type { Kernel, Session } from '@jupyterlab/services';
import type { IClock } from '../calls/types';
import { hasEnded } from './deaths';
import type { HeldKernel } from './heldKernel';
import { dead, notRestarted, toKernelError } from './kernelReasons';
import { answered, type RestartedSession, restartOver } from './reconnect';
import type { Turns } from './turns';

/** The part of the page's session contexts that kernels need. */
export interface IPageSession extends RestartedSession {
  readonly session: Pick<Session.ISessionConnection, 'kernel'> | null;
  restartKernel(): Promise<void>;
}

export interface IRestartsOptions {
  readonly turns: Turns;
  readonly clock: IClock;
  /** Asks the server which kernels there are; those that are gone end here too. */
  askServer(): Promise<void>;
  /** The session contexts of the documents that are open in this page. */
  sessions(): Iterable<IPageSession>;
  /** The own connection to a kernel, if there is one. */
  held(kernelId: string): HeldKernel | undefined;
  /** The same, made where there is none, in use until it is released. */
  hold(kernelId: string): Promise<HeldKernel>;
}

/** Restarts of kernels: one at a time for each, and for all who ask meanwhile. */
export class Restarts {
  constructor(private readonly _options: IRestartsOptions) {}

  /** Resolves when the restarted kernel answers. @throws ToolError */
  restart(kernelId: string): Promise<void> {
    let restart = this._underWay.get(kernelId);
    if (!restart) {
      const { clock, turns } = this._options;
      restart = turns
        .take([kernelId, ...this._pages(kernelId)], clock, () =>
          this._restart(kernelId)
        )
        .finally(() => this._underWay.delete(kernelId));
      this._underWay.set(kernelId, restart);
    }
    return restart;
  }

  private async _restart(kernelId: string): Promise<void> {
    const { askServer, clock, hold } = this._options;
    try {
      const [page] = this._pages(kernelId);
      let kernel = page?.session?.kernel;
      if (kernel) {
        await this._throughPage(page, kernel);
      } else {
        const held = await hold(kernelId);
        held.release();
        kernel = held.kernel;
        await held.restart();
      }
      const started = kernel;
      const ask = (): Promise<unknown> => started.requestKernelInfo();
      await answered(started, ask, askServer, clock);
    } catch (reason) {
      const what = 'The kernel could not be restarted';
      throw toKernelError(reason, what, kernelId);
    }
  }

  private async _throughPage(
    page: IPageSession,
    kernel: Kernel.IKernelConnection
  ): Promise<void> {
    const { askServer, clock, held } = this._options;
    // What it still holds back would be sent after the restart.
    held(kernel.id)?.leaveToRestart();
    if (page.isRestarting) {
      await restartOver(page, clock);
      return;
    }
    // A failure of the page's own way goes to the console and nowhere else.
    let isAnew = false;
    const onConnection = (): void => {
      isAnew ||= kernel.connectionStatus === 'connected';
    };
    kernel.connectionStatusChanged.connect(onConnection);
    try {
      await page.restartKernel();
    } finally {
      kernel.connectionStatusChanged.disconnect(onConnection);
    }
    if (isAnew) {
      return;
    }
    if (!isOver(kernel)) {
      // It may have been gone before, without JupyterLab knowing it.
      await askServer().catch(() => undefined);
    }
    throw isOver(kernel) ? dead(kernel.id) : notRestarted();
  }

  private _pages(kernelId: string): IPageSession[] {
    return [...this._options.sessions()].filter(
      page => kernelOf(page) === kernelId
    );
  }

  private readonly _underWay = new Map<string, Promise<void>>();
}

export function kernelOf({ session }: IPageSession): string | undefined {
  return session?.kernel?.id;
}

/** Whether a kernel is gone, as far as is known. */
export function isOver(kernel: Kernel.IKernelConnection): boolean {
  return kernel.isDisposed || kernel.status === 'dead' || hasEnded(kernel);
}
