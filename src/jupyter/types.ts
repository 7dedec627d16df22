import type { Data, ICallReport, IClient } from '../calls/types';

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
  /** `aborted`: it was queued, and code before it failed. */
  status: 'ok' | 'error' | 'aborted';
  executionCount: number | null;
  /** nbformat outputs: as the kernel sent them, or as the cell holds them. */
  outputs: unknown[];
  errorName?: string;
  errorValue?: string;
  traceback?: string[];
  /** What there is to say beside the fields. */
  message?: string;
  /** What the kernel was busy with when the run was sent. */
  queuedBehind?: string;
  /** The connection was lost meanwhile. */
  outputsMayBeMissing?: true;
  /**
   * How a run ended of which the page heard no end: as the kernel answered,
   * `error` where its kernel went while it ran, `unknown` where it was lost
   * sight of.
   */
  end?: 'done' | 'error' | 'unknown';
  /** The run will never be answered, and neither will others in this kernel. */
  kernelEnded?: true;
  /** Its kernel went, or was let go of, before it reported that this began. */
  begun?: false;
  /** A kernel that died: whether the server starts it again. */
  kernelRestarts?: boolean;
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
  /** As menus and the palette show it; empty where it has none. */
  words(id: string): { label: string; caption: string };
  /** The JSON schema of its arguments, or null. */
  schema(id: string): Promise<unknown>;
  execute(id: string, args: Data): Promise<unknown>;
}

/** Code that a client runs in a kernel, in no document. */
export interface ICodeRun {
  readonly kernelId: string;
  readonly state: 'running' | 'queued';
  readonly startedBy: IClient;
}

/** Failures are ToolErrors: not_found (with the ids there are), operation_refused. */
export interface IKernels {
  /** Running kernels that this page knows; asks no server. */
  running(): IKernelInfo[];
  /** Code without a document that clients run or have queued, oldest first. */
  runs(): ICodeRun[];
  /** Names of the kernels that can be started, the default one first. */
  specs(): Promise<string[]>;
  /** Runs code in a kernel, through a connection that is kept a while. */
  run(
    kernelId: string,
    code: string,
    options: { stopOnError: boolean; client: IClient },
    report: ICallReport
  ): Promise<IRunResult>;
  /**
   * Resolves when the server has passed the interrupt on, with whether a run
   * of this tab may still begin: an interrupt stops what a kernel does, not
   * what it has not come to.
   */
  interrupt(kernelId: string, by: IClient): Promise<boolean>;
  /** Resolves when the new kernel answers. Opens no dialog. */
  restart(kernelId: string): Promise<void>;
  /**
   * Makes every connection to a kernel anew: the way to the server was found
   * to be dead, though its sockets look open.
   */
  renewConnections(): void;
}

/** One entry of a folder. */
export interface IEntry {
  readonly name: string;
  readonly type: 'directory' | 'notebook' | 'file';
  /** Bytes; null for folders. */
  readonly size: number | null;
  /** ISO 8601. */
  readonly lastModified: string;
}

/**
 * How the file of an open document stands to what the document was loaded
 * from or saved to; `gone`: there is none at its path any more.
 */
export type DiskState = 'same' | 'changed' | 'gone';

/**
 * What revisions call a document. What is moved to the path of another one
 * has another name than that had, so that no revision fits both.
 */
export interface IIdentity {
  readonly name: string;
  /** The names it had at earlier paths. */
  readonly former: readonly string[];
  /** The names of others that were at its path before it. */
  readonly others: readonly string[];
}

/** A text file: as its open document holds it, else as it is on disk. */
export interface ITextFile {
  readonly path: string;
  readonly text: string;
  /** Whether a document of this tab holds it. */
  readonly open: boolean;
  readonly dirty: boolean;
  /** Why the text may be out of date (collaboration lost the document). */
  readonly outOfDate?: string;
  /** Of an open text document; undefined when the server does not say in time. */
  readonly disk?: DiskState;
  /** The text is the file's, and a notebook of it is open with unsaved edits. */
  readonly behindNotebook?: boolean;
}

/** What a write left. */
export interface IWritten {
  readonly path: string;
  /** The text as it was written, before anybody changed it again. */
  readonly text: string;
  /** Whether it is on disk now. */
  readonly saved: boolean;
  /** Set where an open document has no file any more. */
  readonly disk?: 'gone';
  /** What there is to say, such as why an open document was not saved. */
  readonly notes?: readonly string[];
}

/** How a document is shown when it is opened. */
export interface IOpenOptions {
  readonly activate?: boolean;
  readonly mode?: string;
  readonly ref?: string;
}

/**
 * Files through the contents API, or through the document that is open.
 * Paths are checked before any request. Failures are ToolErrors: not_found,
 * validation_failed, unsupported_type, too_large, permission_denied,
 * operation_refused.
 */
export interface IContents {
  list(
    path: string
  ): Promise<{ path: string; entries: IEntry[]; writable: boolean }>;
  read(path: string): Promise<ITextFile>;
  /** The document at a path, as far as this tab saw what was renamed and deleted. */
  identify(path: string): IIdentity;
  /** Whether there is something at the path, or an open text document has it. */
  exists(path: string): Promise<boolean>;
  /**
   * Reads, checks and writes a file while no other call of this tab does so
   * with the same file. @throws ToolError validation_failed, not_found
   */
  alone<T>(path: string, work: () => Promise<T>): Promise<T>;
  /** Throws not_found with the new path where what was at a path was renamed. */
  assertNotRenamed(path: string): void;
  /**
   * Writes over a file, or makes it. A document that holds the file is
   * changed instead, and saved unless the person has unsaved edits in it:
   * nothing is changed where it is known that it cannot be saved, and what
   * was changed is told also where it could not be.
   *
   * `before` is the text that the new one was made from, null where there was
   * no file: stale_revision where an open document holds another by now.
   */
  write(path: string, text: string, before: string | null): Promise<IWritten>;
  /**
   * Makes a file or folder, never over what is there (operation_refused).
   * Without a `type`: that of the name. Returns its path.
   */
  create(
    folder: string,
    name: string,
    type: string | undefined,
    text: string | undefined
  ): Promise<string>;
  /**
   * Makes a notebook with one empty code cell, for the kernel of a language
   * (or of that name), else for the default one; null: there is none.
   */
  createNotebook(
    folder: string,
    name: string,
    language: string | undefined
  ): Promise<{ path: string; kernelName: string | null }>;
  /** Opens a document, in the background unless told otherwise. */
  open(
    path: string,
    factory: string | undefined,
    options: IOpenOptions
  ): Promise<{ path: string; widgetId: string; factory: string }>;
}
