/** An open dialog as results list it (contract: Results, Dialogs). */
export interface IDialogInfo {
  /** `dialog-N`. */
  readonly id: string;
  readonly title: string;
  readonly body: string;
  /** Labels, in the order of their indices. */
  readonly buttons: readonly string[];
  /** false while it waits in the queue behind the dialog that is shown. */
  readonly shown: boolean;
  /** What the first input field holds; a boolean for a checkbox; never a password. */
  readonly input?: string | boolean;
}

/** The button that was clicked. */
export interface IAnswered {
  readonly dialogId: string;
  /** Its label. */
  readonly button: string;
}

/** The dialogs of the page, as calls and tools see them. */
export interface IDialogs {
  /** The open ones: the shown one first, then the queue in its order. Read now. */
  list(): IDialogInfo[];
  /** Resolves when the open dialogs have been drawn so far that they can be read; soon in any case. */
  readable(): Promise<void>;
  isOpen(id: string): boolean;
  /** A text body and a single button that closes it, as of a load error. */
  isError(id: string): boolean;
  /** Whether JupyterLab marks the button as one that warns (contract: Confirmations). */
  isWarning(id: string, button: string | number): boolean;
  /** The open dialog to answer: `id`, or the only one. @throws ToolError not_found, operation_refused, validation_failed */
  choose(id: string | undefined): IDialogInfo;
  /** Clicks a button of a shown dialog. @throws ToolError not_found, operation_refused, validation_failed */
  click(id: string, button: string | number): IAnswered;
  /** Told of each dialog at the moment it opens, shown or queued. */
  onOpened(listener: (opened: IOpened) => void): { dispose(): void };
}

/** A dialog that has just opened. */
export interface IOpened {
  readonly id: string;
  /** Resolves when it can be read, or is gone. */
  readonly readable: Promise<void>;
  /** JupyterLab's own notice that a kernel restarts belongs to no call. */
  readonly ownable: boolean;
}
