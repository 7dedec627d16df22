import type { Kernel, KernelSpec, ServiceManager } from '@jupyterlab/services';
import { ToolError } from '../calls/errors';
import type { ICallReport, IClient, IClock } from '../calls/types';
import { list, quote } from '../calls/words';
import { bookedRun } from './bookedRun';
import type { KernelLoad } from './busy';
import { HeldKernel } from './heldKernel';
import { type IPromptBox, runCode } from './kernelRuns';
import { dead, noInterrupt, toKernelError } from './kernelReasons';
import type { KernelStatuses } from './kernelStatus';
import { assertConnected, renew, restartOver } from './reconnect';
import { type IPageSession, isOver, kernelOf, Restarts } from './restarts';
import type { RunBook } from './runBook';
import { neverBegan } from './runResult';
import { beingChanged } from './turns';
import type { ICodeRun, IKernelInfo, IKernels, IRunResult } from './types';

export interface IKernelsOptions {
  readonly manager: Pick<ServiceManager.IManager, 'kernels'>['kernels'];
  readonly specs: Pick<KernelSpec.IManager, 'specs' | 'ready'>;
  /** The session contexts of the documents that are open in this page. */
  sessions(): Iterable<IPageSession>;
  readonly load: Pick<KernelLoad, 'before' | 'follow'>;
  readonly statuses: Pick<KernelStatuses, 'of'>;
  readonly book: RunBook;
  readonly box: IPromptBox;
  readonly clock: IClock;
}

/** Kernels of the server, beside the documents. */
export class Kernels implements IKernels {
  constructor(private readonly _options: IKernelsOptions) {
    const { book, clock, manager, sessions } = _options;
    this._restarts = new Restarts({
      turns: book.turns,
      clock,
      askServer: () => manager.refreshRunning(),
      sessions,
      held: kernelId => this._held.get(kernelId),
      hold: kernelId => this._hold(kernelId)
    });
  }

  running(): IKernelInfo[] {
    const live = new Map<string, Kernel.IKernelConnection>();
    for (const { session } of this._options.sessions()) {
      if (session?.kernel) {
        live.set(session.kernel.id, session.kernel);
      }
    }
    const known = new Map<string, IKernelInfo>();
    const { manager, statuses } = this._options;
    for (const { id, name, execution_state } of manager.running()) {
      known.set(id, { id, name, status: execution_state ?? 'unknown' });
    }
    for (const kernel of live.values()) {
      const { id, name } = kernel;
      known.set(id, { id, name, status: statuses.of(kernel) });
    }
    return [...known.values()];
  }

  runs(): ICodeRun[] {
    const { book } = this._options;
    return book.ofCode().map(run => ({
      kernelId: run.kernelId,
      state: book.hasBegun(run) ? 'running' : 'queued',
      startedBy: run.client
    }));
  }

  async specs(): Promise<string[]> {
    await this._options.specs.ready;
    const specs = this._options.specs.specs;
    const first = specs?.default;
    return Object.keys(specs?.kernelspecs ?? {}).sort((a, b) =>
      a === first ? -1 : b === first ? 1 : a < b ? -1 : 1
    );
  }

  async run(
    kernelId: string,
    code: string,
    { stopOnError, client }: { stopOnError: boolean; client: IClient },
    report: ICallReport
  ): Promise<IRunResult> {
    for (;;) {
      await this._changesOver(kernelId);
      const held = await this._hold(kernelId);
      const { kernel } = held;
      try {
        await assertConnected(kernel);
        if (!kernel.isDisposed) {
          // Nothing is awaited until the code is sent.
          return await this._run(kernel, code, { stopOnError, client }, report);
        }
      } catch (reason) {
        // The connection itself knows of a dead kernel and will not send.
        throw kernel.status === 'dead' && !(reason instanceof ToolError)
          ? dead(kernelId)
          : reason;
      } finally {
        held.release();
      }
    }
  }

  async interrupt(kernelId: string, by: IClient): Promise<boolean> {
    const kernel = await this._any(kernelId);
    if (isOver(kernel)) {
      throw dead(kernelId);
    }
    const { book } = this._options;
    if (
      book.turns.isTaken([kernelId]) ||
      this._inPage(kernelId)?.isRestarting === true
    ) {
      throw beingChanged();
    }
    book.interrupted(kernelId, by);
    const runs = book.inKernel(kernelId);
    try {
      await kernel.interrupt();
    } catch (reason) {
      const what = 'The kernel could not be interrupted';
      const told = toKernelError(reason, what, kernelId);
      throw told instanceof ToolError ? told : noInterrupt();
    }
    return (
      runs.length > 0 &&
      book.inKernel(kernelId).length > 0 &&
      !runs.some(run => book.hasBegun(run))
    );
  }

  restart(kernelId: string): Promise<void> {
    return this._restarts.restart(kernelId);
  }

  renewConnections(): void {
    for (const { session } of this._options.sessions()) {
      if (session?.kernel) {
        renew(session.kernel);
      }
    }
    for (const { kernel } of this._held.values()) {
      renew(kernel);
    }
  }

  /** Lets go of every connection. */
  dispose(): void {
    for (const held of this._held.values()) {
      held.dispose();
    }
    this._held.clear();
  }

  /** Waits until nobody restarts the kernel or exchanges it. */
  private async _changesOver(kernelId: string): Promise<void> {
    const { book, clock } = this._options;
    await book.turns.over([kernelId], clock);
    const page = this._inPage(kernelId);
    if (page?.isRestarting === true) {
      await restartOver(page, clock);
    }
  }

  private async _run(
    kernel: Kernel.IKernelConnection,
    code: string,
    { stopOnError, client }: { stopOnError: boolean; client: IClient },
    report: ICallReport
  ): Promise<IRunResult> {
    const { book, box, clock, load } = this._options;
    const kernelId = kernel.id;
    const queuedBehind = load.before(
      this._inPage(kernelId)?.session?.kernel ?? kernel,
      client
    );
    const run = { client, kernelId, what: 'code' };
    const isNext =
      queuedBehind === undefined && book.inKernel(kernelId).length === 0;
    const askServer = (): Promise<void> =>
      this._options.manager.refreshRunning();
    const result = await bookedRun(book, run, queuedBehind, report, follow =>
      runCode(kernel, code, stopOnError, box, {
        report,
        clock,
        askServer,
        ...follow
      })
    );
    if (isNext && neverBegan(result)) {
      // It may have been gone before, without JupyterLab knowing it.
      await askServer().catch(() => undefined);
      if (!this._model(kernelId)) {
        throw this._notFound(kernelId);
      }
    }
    return result;
  }

  /** The page's own connection, whose prompts an interrupt closes too. */
  private async _any(kernelId: string): Promise<Kernel.IKernelConnection> {
    const found = this._inPage(kernelId)?.session?.kernel;
    if (found) {
      return found;
    }
    const held = await this._hold(kernelId);
    held.release();
    return held.kernel;
  }

  /** A connection of our own, in use until it is released. */
  private async _hold(kernelId: string): Promise<HeldKernel> {
    const held = this._held.get(kernelId) ?? (await this._connect(kernelId));
    held.use();
    return held;
  }

  private _inPage(kernelId: string): IPageSession | undefined {
    for (const page of this._options.sessions()) {
      if (kernelOf(page) === kernelId) {
        return page;
      }
    }
    return undefined;
  }

  private async _connect(kernelId: string): Promise<HeldKernel> {
    const model =
      this._model(kernelId) ??
      (await this._options.manager.findById(kernelId).catch(() => undefined));
    if (!model) {
      throw this._notFound(kernelId);
    }
    // Another call may have connected while the server was asked.
    let held = this._held.get(kernelId);
    if (!held) {
      const kernel = this._options.manager.connectTo({
        model: { id: model.id, name: model.name },
        handleComms: false
      });
      this._options.load.follow(kernel);
      held = new HeldKernel(kernel, this._options.clock, () =>
        this._held.delete(kernelId)
      );
      this._held.set(kernelId, held);
    }
    return held;
  }

  private _model(kernelId: string): Kernel.IModel | undefined {
    for (const model of this._options.manager.running()) {
      if (model.id === kernelId) {
        return model;
      }
    }
    return undefined;
  }

  private _notFound(kernelId: string): ToolError {
    const ids = this.running()
      .filter(({ id }) => id !== kernelId)
      .map(({ id, name }) => `${id} (${name})`);
    return new ToolError(
      'not_found',
      `There is no running kernel ${quote(kernelId)}. ` +
        (ids.length > 0
          ? `Running kernels: ${list(ids, 20)}.`
          : 'No kernel is running: run a cell of a notebook to start one.')
    );
  }

  private readonly _held = new Map<string, HeldKernel>();
  private readonly _restarts: Restarts;
}
