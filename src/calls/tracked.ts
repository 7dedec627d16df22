import type { IDialogInfo, IDialogs, IOpened } from '../dialogs/types';
import { Printed } from '../results/index';
import type {
  Data,
  ICallReport,
  IClient,
  IClock,
  IOrigin,
  IPrompt,
  Outcome
} from './types';
import type { Waiter } from './waiter';

/** What is known of a call when it starts. */
export interface ICallFacts extends IOrigin {
  readonly client: IClient;
  /** The id of the command that it runs. */
  readonly command: string;
  readonly args: Readonly<Data>;
}

/** One call from the start of its command until its result is let go. */
export class TrackedCall {
  constructor(
    readonly facts: ICallFacts,
    private readonly _clock: IClock
  ) {
    this._startedAt = _clock.now();
  }

  /** Given with the first pending result. */
  pendingId: string | null = null;
  /** Its client got the result at least once. */
  delivered = false;
  /** Who waits for it now. */
  readonly waiters = new Set<Waiter>();

  get origin(): IOrigin {
    const { tool, scope } = this.facts;
    return { tool, scope };
  }

  get outcome(): Outcome | null {
    return this._outcome;
  }

  /** By the clock; null while it runs. */
  get endedAt(): number | null {
    return this._endedAt;
  }

  /** Whole seconds since its command started, or that it took. */
  get seconds(): number {
    const end = this._endedAt ?? this._clock.now();
    return Math.floor((end - this._startedAt) / 1000);
  }

  get isWaitedFor(): boolean {
    return this._outcome === null && this.waiters.size > 0;
  }

  settle(outcome: Outcome): void {
    this._outcome = outcome;
    this._endedAt = this._clock.now();
    this._prompt = null;
    this._changed();
  }

  /** Frees the memory that its outcome takes; `instead` says what became of it. */
  forgetOutcome(instead: Outcome): void {
    this._outcome = instead;
  }

  /** What the tool's own logic tells of the call while it runs. */
  readonly report: ICallReport = {
    printed: text => {
      if (text === '' || this._outcome) {
        return;
      }
      this.printed.add(text);
      for (const { caller } of this.waiters) {
        caller.progress?.(text);
      }
    },
    prompt: prompt => {
      if (!this._outcome) {
        this._prompt = { prompt, isReported: false };
        this._changed();
      }
    },
    queued: behind => {
      this._queuedBehind = behind;
    }
  };

  /** What goes before its run in the kernel, as long as that has not begun. */
  get queuedBehind(): string | null {
    return this._queuedBehind;
  }

  /** What was printed since the last answer. */
  readonly printed = new Printed();

  /** The prompt that waits for an answer, if there is one. */
  get prompt(): IPrompt | null {
    return this._prompt?.prompt.isOpen() ? this._prompt.prompt : null;
  }

  /**
   * Whether the prompt ends the waiting: one that the agent can answer each
   * time, a password once, because only the person can type it.
   */
  get isPromptBlocking(): boolean {
    return (
      this.prompt !== null &&
      !(this.prompt.password && this._prompt?.isReported)
    );
  }

  promptReported(): void {
    if (this._prompt) {
      this._prompt.isReported = true;
    }
  }

  /**
   * Answers the open prompt, which is then no longer this call's. One that
   * refuses the answer stays, and so does one that follows at once.
   */
  answer(value: string): void {
    const asked = this._prompt;
    this.prompt?.answer(value);
    if (this._prompt === asked) {
      this._prompt = null;
    }
  }

  /** A dialog that opened while only this call was waited for. */
  own({ id, readable, shown }: IOpened): void {
    const dialog: IOwned = { isReadable: false, reported: null };
    this._dialogs.set(id, dialog);
    void readable.then(() => {
      dialog.isReadable = true;
      this._changed();
    });
    void shown.then(() => {
      if (dialog.reported === 'queued') {
        this._changed();
      }
    });
  }

  owns(dialogId: string): boolean {
    return this._dialogs.has(dialogId);
  }

  dialogReported({ id, shown }: IDialogInfo): void {
    const dialog = this._dialogs.get(id);
    if (dialog) {
      dialog.reported = shown ? 'shown' : 'queued';
    }
  }

  /** Its dialogs that are open, the shown one first. */
  openDialogs(dialogs: IDialogs): IDialogInfo[] {
    return dialogs.list().filter(({ id }) => this._dialogs.has(id));
  }

  /**
   * Those that end the waiting: an error dialog does so once, and one that was
   * reported in the queue, where it can only be waited for, once it is shown.
   */
  blockingDialogs(dialogs: IDialogs): IDialogInfo[] {
    return [...this._dialogs].some(([id]) => dialogs.isOpen(id))
      ? this.openDialogs(dialogs).filter(({ id, shown }) => {
          const { isReadable, reported } = this._dialogs.get(id) ?? {};
          const isKnown = reported === 'shown' || (reported && !shown);
          return isReadable && !(isKnown && dialogs.isError(id));
        })
      : [];
  }

  private _changed(): void {
    for (const waiter of this.waiters) {
      waiter.poke();
    }
  }

  private readonly _startedAt: number;
  private _endedAt: number | null = null;
  private _outcome: Outcome | null = null;
  private _queuedBehind: string | null = null;
  private _prompt: { prompt: IPrompt; isReported: boolean } | null = null;
  private readonly _dialogs = new Map<string, IOwned>();
}

interface IOwned {
  isReadable: boolean;
  /** How it stood when its client was told of it. */
  reported: 'queued' | 'shown' | null;
}
