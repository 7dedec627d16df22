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

/** A dialog that has just opened. */
export interface IOpened {
  readonly id: string;
  /** Resolves when it can be read, or is gone. */
  readonly readable: Promise<void>;
  /** Resolves when it is on the page and can be answered, or is gone. */
  readonly shown: Promise<void>;
  /** JupyterLab's own notice that a kernel restarts belongs to no call. */
  readonly ownable: boolean;
}

/** The dialogs of the page, as calls and tools see them. */
export interface IDialogs {
  /**
   * The open ones: the shown one first, then the queue in its order; of
   * notices that say the same the first three. Read now.
   */
  list(): IDialogInfo[];
  /** Resolves when the open dialogs are drawn so far that they can be read; soon in any case. */
  readable(): Promise<void>;
  /** What `list` gives once it can be read, for a result: they count as told. */
  tell(): Promise<IDialogInfo[]>;
  isOpen(id: string): boolean;
  /** A text body and a single button that closes it, as of a load error. */
  isError(id: string): boolean;
  /** Whether JupyterLab marks the button as one that warns (contract: Confirmations). */
  isWarning(id: string, button: string | number): boolean;
  /**
   * The dialogs that an answer which comes now can be meant for: not those
   * that opened after another answer and that no result has told yet.
   */
  meant(): ReadonlySet<string>;
  /**
   * The open dialog that is meant: `id`, or the only one.
   *
   * @param meant - what the answer could be meant for when it came.
   * @throws ToolError not_found, validation_failed
   */
  choose(id: string | undefined, meant: ReadonlySet<string>): IDialogInfo;
  /**
   * Clicks a button of the dialog that is shown.
   * @throws ToolError not_found, operation_refused, validation_failed
   */
  click(id: string, button: string | number): IAnswered;
  /** Told of each dialog at the moment it opens, shown or queued. */
  onOpened(listener: (opened: IOpened) => void): { dispose(): void };
}

/** A button as the page draws it. */
export interface IDialogButton {
  readonly label: string;
  readonly disabled: boolean;
  /** Marked as one that warns. */
  readonly warns: boolean;
  click(): void;
}

/** One dialog of the page, read when asked. */
export interface IDialogView {
  readonly title: string;
  readonly body: string;
  /** Whether the body is text and nothing else. */
  readonly isText: boolean;
  readonly buttons: readonly IDialogButton[];
  /** undefined: no input field, or a password. */
  readonly input: string | boolean | undefined;
  /** Whether an input field holds what the dialog does not accept. */
  readonly isInvalid: boolean;
  /** Whether it may belong to a call; notices of JupyterLab's own may not. */
  readonly ownable: boolean;
  /** Draws it as far as reading it needs. Resolves when that is done, which may be never. */
  draw(shown: boolean): Promise<void>;
}
