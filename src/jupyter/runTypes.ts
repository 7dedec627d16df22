import type { ICallReport, IClient } from '../calls/types';
import type { INotebook } from './notebookTypes';
import type { IRunResult } from './types';

/** Runs of cells, and what is remembered of them while they last. */
export interface IRuns {
  /**
   * Makes sure that code cells of an open notebook can be run now: waits for
   * a kernel that is starting, starts the one the notebook names.
   *
   * @throws ToolError operation_refused (no kernel: which there are),
   * operation_in_progress (the kernel waits for input)
   */
  prepare(notebook: INotebook): Promise<void>;
  /**
   * Runs a cell of an open notebook as the person would, without moving focus,
   * selection, mode or scroll, and without a dialog. Resolves when the run
   * has ended, however it did.
   *
   * @throws ToolError operation_in_progress (the cell runs already, or the
   * kernel waits for input), operation_refused (no kernel, kernel ending).
   */
  runCell(
    notebook: INotebook,
    cellId: string,
    client: IClient,
    report: ICallReport
  ): Promise<IRunResult>;
  /**
   * Gives a notebook a fresh kernel; the earlier one is shut down. Resolves
   * when the new one answers. @throws ToolError operation_refused
   */
  changeKernel(notebook: INotebook, kernelName: string): Promise<void>;
}

/** A run that was started by a client and has not ended. */
export interface IActiveRun {
  readonly client: IClient;
  readonly kernelId: string;
  /** For people: "cell 1a2b of demo.ipynb" or "code". */
  readonly what: string;
  /** The model of the cell that it was sent from, compared and never read. */
  readonly cell?: object;
}
