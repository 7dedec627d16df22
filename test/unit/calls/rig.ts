import { ToolError } from '../../../src/calls/errors';
import { PendingCalls } from '../../../src/calls/pending';
import type {
  Data,
  ICaller,
  ICallReport,
  IPrompt,
  Outcome
} from '../../../src/calls/types';
import { DialogBook, type IDialogEvents } from '../../../src/dialogs/book';
import type { IDialogView } from '../../../src/dialogs/types';
import { FakeClock, settle } from '../transports/fakeClock';

export { settle } from '../transports/fakeClock';

export const FIRST_CALL = 4;
export const FIRST_DIALOG = 1;
export const TIMEOUT = 20_000;
/** Characters that results which wait to be fetched may hold together. */
export const KEPT_CHARACTERS = 10_000;

/** A call that ends when the test says so. */
export class Running {
  constructor(
    readonly report: ICallReport,
    private readonly _resolve: (outcome: Outcome) => void
  ) {}

  done(data: Data = { success: true }): Promise<void> {
    this._resolve({ kind: 'done', data });
    return settle();
  }

  refused(message: string): Promise<void> {
    const error = new ToolError('operation_refused', message);
    this._resolve({ kind: 'refused', error });
    return settle();
  }
}

/** A dialog as the page would have it. */
export class PageDialog {
  constructor(
    readonly title: string,
    private readonly _page: Page,
    view: Partial<IDialogView>,
    labels: readonly string[]
  ) {
    this.view = {
      title,
      body: `body of ${title}`,
      isText: true,
      isInvalid: false,
      ownable: true,
      input: undefined,
      draw: async () => {},
      buttons: labels.map((label, index) => ({
        label,
        disabled: false,
        warns: false,
        click: () => {
          this.clicked.push(index);
          this.close();
        }
      })),
      ...view
    };
    this.events = _page.book.add(this.view);
  }

  /** As the page draws it: a test may change it. */
  readonly view: { -readonly [Name in keyof IDialogView]: IDialogView[Name] };

  readonly events: IDialogEvents;
  readonly clicked: number[] = [];
  /** Run when it closes, as the command that waits for it would go on. */
  closed: () => void = () => {};

  close(): void {
    this._page.remove(this);
    this.events.closed();
    this.closed();
  }
}

/** Shows one dialog at a time, as JupyterLab does. */
export class Page {
  constructor(readonly book: DialogBook) {}

  async open(
    title: string,
    labels: readonly string[] = ['Cancel', 'Ok'],
    view: Partial<IDialogView> = {}
  ): Promise<PageDialog> {
    const dialog = this.openNow(title, labels, view);
    await settle();
    return dialog;
  }

  openNow(
    title: string,
    labels: readonly string[] = ['Cancel', 'Ok'],
    view: Partial<IDialogView> = {}
  ): PageDialog {
    const dialog = new PageDialog(title, this, view, labels);
    this._queue.push(dialog);
    dialog.events.launched();
    this._showNext();
    return dialog;
  }

  remove(dialog: PageDialog): void {
    this._queue.splice(this._queue.indexOf(dialog), 1);
    if (this._shown === dialog) {
      this._shown = null;
    }
    this._showNext();
  }

  get queue(): readonly PageDialog[] {
    return this._queue;
  }

  private _showNext(): void {
    void Promise.resolve().then(() => {
      if (!this._shown && this._queue.length > 0) {
        this._shown = this._queue[0];
        this._shown.events.shown();
      }
    });
  }

  private readonly _queue: PageDialog[] = [];
  private _shown: PageDialog | null = null;
}

/** A registry over a clock and a page that the test drives. */
export class Rig {
  readonly clock = new FakeClock();
  readonly book = new DialogBook({ clock: this.clock, firstId: FIRST_DIALOG });
  readonly page = new Page(this.book);
  timeout = TIMEOUT;
  readonly pending = new PendingCalls({
    redact: text => text,
    clock: this.clock,
    dialogs: this.book,
    firstId: FIRST_CALL,
    timeout: () => this.timeout,
    keptCharacters: KEPT_CHARACTERS
  });
  readonly agent = this.caller('a');

  caller(client: string, more: Partial<ICaller> = {}): ICaller {
    return {
      client: { id: client, name: client, number: 1 },
      surface: 'webmcp',
      scope: 'run',
      demandsRevisions: false,
      auditId: null,
      ...more
    };
  }

  /** Starts a call that goes on until the test ends it. */
  async start(
    caller = this.agent,
    tool = 'run_code'
  ): Promise<{ call: Running; answer: Answer }> {
    const calls: Running[] = [];
    const answer = new Answer(
      this.pending.run(
        {
          client: caller.client,
          tool,
          command: `mcp-bridge:${tool}`,
          args: {},
          scope: 'run'
        },
        caller,
        report =>
          new Promise(resolve => void calls.push(new Running(report, resolve)))
      )
    );
    await settle();
    return { call: calls[0], answer };
  }

  wait(pendingId: string, seconds?: number, caller = this.agent): Answer {
    return new Answer(this.pending.wait(caller, pendingId, seconds));
  }

  answerDialog(
    dialogId: string,
    button: string | number,
    caller = this.agent
  ): Answer {
    return new Answer(
      this.pending.answerDialog(caller, dialogId, () =>
        this.book.click(dialogId, button)
      )
    );
  }
}

/** What became of a promised outcome, so far. */
export class Answer {
  constructor(readonly promise: Promise<Outcome>) {
    promise.then(
      outcome => (this._outcome = outcome),
      reason => (this._error = reason)
    );
  }

  get isThere(): boolean {
    return this._outcome !== null;
  }

  get outcome(): Outcome {
    if (!this._outcome) {
      throw new Error(`No answer yet (${String(this._error)})`);
    }
    return this._outcome;
  }

  /** The data of an answer; of a refusal its error. */
  get data(): Data {
    const { outcome } = this;
    return outcome.kind === 'refused'
      ? { error: outcome.error.message, ...outcome.error.extra }
      : outcome.data;
  }

  get error(): unknown {
    return this._error;
  }

  private _outcome: Outcome | null = null;
  private _error: unknown = undefined;
}

/** An `input()` that records its answers. */
export class FakePrompt implements IPrompt {
  constructor(
    readonly prompt = 'Name: ',
    readonly password = false
  ) {}

  readonly answers: string[] = [];
  open = true;
  /** What an answer is refused with; null: it is taken. */
  refusal: ToolError | null = null;

  isOpen(): boolean {
    return this.open;
  }

  answer(value: string): void {
    if (this.refusal) {
      throw this.refusal;
    }
    this.open = false;
    this.answers.push(value);
  }
}
