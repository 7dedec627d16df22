import type { Data, ICallReport } from '../calls/types';

/**
 * JupyterLab behind narrow interfaces: what the tools may ask of it. The
 * implementations beside this file are the only ones that know JupyterLab.
 */

export interface IKernelInfo {
  id: string;
  name: string;
  /** JupyterLab's own word: idle, busy, starting, dead, unknown … */
  status: string;
}

/** How a run of code ended, in the field names that R's users know. */
export interface IRunResult {
  status: 'ok' | 'error' | 'aborted';
  executionCount: number | null;
  /** nbformat outputs, as the kernel sent them. */
  outputs: unknown[];
  errorName?: string;
  errorValue?: string;
  traceback?: string[];
}

/** The page as `get_context` tells it. */
export interface IApp {
  /** {app, fileBrowserPath, currentWidgetId, currentEditor, widgets}; waits for no kernel. */
  describe(): Data;
}

export interface ICommands {
  has(id: string): boolean;
  isEnabled(id: string, args: Data): boolean;
  /** Ids of all commands, sorted. */
  ids(): string[];
  /** Label, caption and the JSON schema of the arguments, as far as there are any. */
  describe(id: string): Promise<{
    id: string;
    label: string;
    caption: string;
    args: unknown;
  }>;
  execute(id: string, args: Data): Promise<unknown>;
}

export interface IKernels {
  /** Running kernels that this page knows; asks no server. */
  running(): IKernelInfo[];
  /** Names of the kernels that can be started. */
  specs(): string[];
  /** Runs code in a kernel, through a connection that is kept a while. */
  run(
    kernelId: string,
    code: string,
    options: { stopOnError: boolean },
    report: ICallReport
  ): Promise<IRunResult>;
  interrupt(kernelId: string): Promise<void>;
  restart(kernelId: string): Promise<void>;
}

/** Files through the contents API. Paths are checked before any request. */
export interface IContents {
  /** Text as it is on disk, with what tells one state of the file from another. */
  readText(
    path: string
  ): Promise<{ path: string; text: string; lastModified: string }>;
}
