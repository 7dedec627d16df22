import type { ISessionContext } from '@jupyterlab/apputils';
import type { Kernel } from '@jupyterlab/services';
import type { IKernelInfo } from './types';

type Connection = Pick<Kernel.IKernelConnection, 'id' | 'status'>;

/**
 * What kernels do, as far as is known without asking anyone. A kernel that was
 * busy when this page connected to it says nothing until it is done, so until
 * then what the server said last is taken for it.
 */
export class KernelStatuses {
  /** @param _running - the server's kernels, as they were last heard of. */
  constructor(private readonly _running: () => Iterable<Kernel.IModel>) {}

  /** Of a connection. */
  of(kernel: Connection): string {
    return kernel.status === 'unknown'
      ? (this.byId(kernel.id) ?? kernel.status)
      : kernel.status;
  }

  /** As the server said it; undefined for a kernel it does not have. */
  byId(kernelId: string): string | undefined {
    for (const { id, execution_state } of this._running()) {
      if (id === kernelId) {
        return execution_state;
      }
    }
    return undefined;
  }

  /** Of a document's kernel, as JupyterLab shows it to the person. */
  shown(context: ISessionContext): string {
    const kernel = context.session?.kernel;
    const shown = context.kernelDisplayStatus;
    if (shown !== 'unknown') {
      return shown;
    }
    return kernel ? this.of(kernel) : 'none';
  }

  /** A document's kernel; null where it has none. */
  info(context: ISessionContext): IKernelInfo | null {
    const kernel = context.session?.kernel;
    return kernel
      ? { id: kernel.id, name: kernel.name, status: this.shown(context) }
      : null;
  }
}
