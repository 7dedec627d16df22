import type { IClient } from '../calls/types';
import { CellEnds } from './cellEnds';
import type { IActiveRun } from './runTypes';
import { beingChanged, Turns } from './turns';

interface IBookEntry {
  moved(model: object): void;
  dispose(): void;
}

/** Requests that are remembered. */
const REQUESTS = 1000;

/**
 * Who runs what: the runs of this tab's clients that have not ended, in the
 * order they were sent, and who interrupted a kernel last.
 */
export class RunBook {
  /** How those ended of which the cell itself does not tell. */
  readonly ends = new CellEnds();

  /** The restarts and changes of kernels that are under way. */
  readonly turns = new Turns(beingChanged);

  /** Enters a run; the result moves it to another cell's model, and takes it out again. */
  begin(run: IActiveRun): IBookEntry {
    let { cell } = run;
    const leave = (): void => {
      if (cell && this._cells.get(cell) === run) {
        this._cells.delete(cell);
      }
    };
    const enter = (): void => {
      if (cell) {
        this._cells.set(cell, run);
      }
    };
    this._runs.add(run);
    enter();
    return {
      moved: model => {
        leave();
        cell = model;
        enter();
      },
      dispose: () => {
        this._runs.delete(run);
        leave();
      }
    };
  }

  /** The unfinished runs in a kernel, oldest first. */
  inKernel(kernelId: string): IActiveRun[] {
    return [...this._runs].filter(run => run.kernelId === kernelId);
  }

  /** The unfinished runs of code that is in no cell, oldest first. */
  ofCode(): IActiveRun[] {
    return [...this._runs].filter(run => run.cell === undefined);
  }

  /** Notes that the kernel works on a run now. */
  begun(run: IActiveRun): void {
    this._begun.add(run);
  }

  /** Whether the kernel is known to work on a run. */
  hasBegun(run: IActiveRun): boolean {
    return this._begun.has(run);
  }

  /** The unfinished run of a cell's model, if a client started it. */
  ofCell(model: object): IActiveRun | undefined {
    return this._cells.get(model);
  }

  /** Notes the id of a request for code that was sent for a client. */
  sent(requestId: string): void {
    this._requests.add(requestId);
    if (this._requests.size > REQUESTS) {
      const [oldest] = this._requests;
      this._requests.delete(oldest);
    }
  }

  /** Whether a request was sent for a client of this tab, not long ago. */
  isOwn(requestId: string): boolean {
    return this._requests.has(requestId);
  }

  /** Notes an interrupt that a client asked for. */
  interrupted(kernelId: string, by: IClient): void {
    for (const run of this.inKernel(kernelId)) {
      this._interrupts.set(run, by);
    }
  }

  /** Who interrupted the kernel while this run was under way, as far as it is known here. */
  interruptedBy(run: IActiveRun): IClient | undefined {
    return this._interrupts.get(run);
  }

  private readonly _requests = new Set<string>();
  private readonly _runs = new Set<IActiveRun>();
  private readonly _begun = new WeakSet<IActiveRun>();
  private readonly _cells = new WeakMap<object, IActiveRun>();
  private readonly _interrupts = new WeakMap<IActiveRun, IClient>();
}
