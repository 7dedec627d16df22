import { ToolError } from '../calls/errors';
import type { IClock } from '../calls/types';
import { quote } from '../calls/words';
import { findButton } from './buttons';
import { Moment } from './moment';
import type {
  IAnswered,
  IDialogButton,
  IDialogInfo,
  IDialogs,
  IDialogView,
  IOpened
} from './types';

/** Milliseconds that drawing is waited for: one that never comes must not hold a result back. */
const DRAW_MS = 250;
/** The same for dialogs that open one after the other meanwhile. */
const READ_MS = 2 * DRAW_MS;

/**
 * How many notices that say the same are listed. Collaboration that lost a
 * document opens one at each try to come back, ten a second.
 */
const EQUAL = 3;

/** What the page tells of one dialog. */
export interface IDialogEvents {
  /** It was launched: open, though perhaps behind others. */
  launched(): void;
  /** It is on the page. */
  shown(): void;
  /** It left the page, or will never come to it. */
  closed(): void;
}

export interface IDialogBookOptions {
  readonly clock: IClock;
  /** The N of the first `dialog-N`: random, so that old ids find nothing. */
  readonly firstId: number;
  /** Called after each change of what is open. */
  readonly changed?: () => void;
}

interface IEntry {
  readonly view: IDialogView;
  /** '' while it is built and not launched: then it is not open. */
  id: string;
  /** The N of its id. */
  number: number;
  isShown: boolean;
  /** Over when it can be read. */
  drawn: Moment;
  /** Over when it is on the page. */
  shown: Moment;
}

/**
 * Which dialogs are open, in which order, and what each one is called. It
 * only reports and clicks: nothing here closes a dialog by itself.
 */
export class DialogBook implements IDialogs {
  constructor(private readonly _options: IDialogBookOptions) {
    this._nextId = _options.firstId;
  }

  /** Takes up a dialog that has been built. */
  add(view: IDialogView): IDialogEvents {
    const { clock, changed } = this._options;
    const entry: IEntry = {
      view,
      id: '',
      number: NaN,
      isShown: false,
      drawn: new Moment(clock, 0),
      shown: new Moment(clock, 0)
    };
    return {
      launched: () => this._opened(entry),
      shown: () => {
        entry.isShown = true;
        this._opened(entry);
        if (entry.drawn.isOver) {
          // In the queue no more of it was drawn than its title.
          entry.drawn = new Moment(clock, DRAW_MS);
        }
        this._draw(entry);
        this._arrival?.over();
        entry.shown.over();
        changed?.();
      },
      closed: () => {
        const index = this._open.indexOf(entry);
        if (index < 0) {
          return;
        }
        this._open.splice(index, 1);
        entry.drawn.over();
        entry.shown.over();
        if (entry.isShown || this._open.length === 0) {
          this._arrival?.over();
          // The next one in the queue takes a moment to come to the page.
          this._arrival =
            this._open.length > 0 ? new Moment(clock, DRAW_MS) : null;
        }
        entry.id = '';
        entry.isShown = false;
        changed?.();
      }
    };
  }

  list(): IDialogInfo[] {
    const said = new Map<string, number>();
    const isNews = ({ view }: IEntry): boolean => {
      if (view.ownable) {
        return true;
      }
      const what = JSON.stringify([view.title, view.body]);
      const times = (said.get(what) ?? 0) + 1;
      said.set(what, times);
      return times <= EQUAL;
    };
    return this._sorted().filter(isNews).map(describe);
  }

  async readable(): Promise<void> {
    let awaited = this._awaited();
    if (awaited.length === 0) {
      return;
    }
    const limit = new Moment(this._options.clock, READ_MS);
    // What opens meanwhile is waited for too.
    while (awaited.length > 0 && !limit.isOver) {
      await Promise.race([limit.promise, Promise.all(awaited)]);
      awaited = this._awaited();
    }
    limit.over();
  }

  async tell(): Promise<IDialogInfo[]> {
    await this.readable();
    this._untold = null;
    return this.list();
  }

  isOpen(id: string): boolean {
    return this._find(id) !== undefined;
  }

  isError(id: string): boolean {
    const view = this._find(id)?.view;
    return view !== undefined && view.isText && view.buttons.length === 1;
  }

  isWarning(id: string, button: string | number): boolean {
    const buttons = this._get(id).view.buttons;
    return buttons[findButton(labelsOf(buttons), button)].warns;
  }

  meant(): ReadonlySet<string> {
    const first = this._untold ?? this._nextId;
    const meant = this._open.filter(({ number }) => number < first);
    return new Set(meant.map(({ id }) => id));
  }

  choose(id: string | undefined, meant: ReadonlySet<string>): IDialogInfo {
    if (id !== undefined) {
      return describe(this._get(id));
    }
    const open = this._sorted();
    if (open.length === 0) {
      throw new ToolError('not_found', 'No dialog is open.');
    }
    if (open.length > 1) {
      throw new ToolError(
        'validation_failed',
        `${open.length} dialogs are open, say which with "dialogId": ${open.map(nameOf).join(', ')}.`
      );
    }
    if (!meant.has(open[0].id)) {
      throw new ToolError(
        'validation_failed',
        `The dialog that was open when the answer was sent is closed, and another opened in its place: ${nameOf(open[0])}. Nothing was clicked. Read it, then answer it with its "dialogId".`
      );
    }
    return describe(open[0]);
  }

  click(id: string, button: string | number): IAnswered {
    const entry = this._get(id);
    if (!entry.isShown) {
      const shown = this._open.find(each => each.isShown);
      throw new ToolError(
        'operation_refused',
        `The dialog ${id} waits in the queue${shown ? ` behind ${nameOf(shown)}` : ''} and cannot be answered yet. Close the dialog that is shown first: answer it with its dialogId if it comes from one of your calls, else ask the user.`
      );
    }
    const { buttons, isInvalid } = entry.view;
    const chosen = buttons[findButton(labelsOf(buttons), button)];
    if (chosen.disabled) {
      throw new ToolError(
        'operation_refused',
        isInvalid
          ? `The button ${quote(chosen.label)} is off because the dialog's input is not valid. The person can correct it in the tab; another button may close the dialog.`
          : `The button ${quote(chosen.label)} is off now.`
      );
    }
    const answered = { dialogId: id, button: chosen.label };
    this._untold ??= this._nextId;
    chosen.click();
    return answered;
  }

  onOpened(listener: (opened: IOpened) => void): { dispose(): void } {
    const entry = { listener };
    this._listeners.add(entry);
    return { dispose: () => void this._listeners.delete(entry) };
  }

  private _opened(entry: IEntry): void {
    if (entry.id !== '') {
      return;
    }
    entry.number = this._nextId++;
    entry.id = `dialog-${entry.number}`;
    entry.drawn = new Moment(this._options.clock, DRAW_MS);
    entry.shown = new Moment(this._options.clock, 0);
    this._open.push(entry);
    if (this._open.length > 1 && !entry.isShown) {
      this._draw(entry);
    }
    const opened: IOpened = {
      id: entry.id,
      readable: entry.drawn.promise,
      shown: entry.shown.promise,
      ownable: entry.view.ownable
    };
    for (const { listener } of [...this._listeners]) {
      listener(opened);
    }
    this._options.changed?.();
  }

  private _draw(entry: IEntry): void {
    const { drawn } = entry;
    void entry.view.draw(entry.isShown).then(
      () => drawn.over(),
      () => drawn.over()
    );
  }

  /** What keeps the open dialogs from being read. */
  private _awaited(): Promise<void>[] {
    const moments = this._open.map(({ drawn }) => drawn);
    return [...(this._arrival ? [this._arrival] : []), ...moments]
      .filter(({ isOver }) => !isOver)
      .map(({ promise }) => promise);
  }

  /** The shown one first; the others stay in the order they were launched. */
  private _sorted(): IEntry[] {
    return [
      ...this._open.filter(entry => entry.isShown),
      ...this._open.filter(entry => !entry.isShown)
    ];
  }

  private _find(id: string): IEntry | undefined {
    return this._open.find(entry => entry.id === id);
  }

  private _get(id: string): IEntry {
    const entry = this._find(id);
    if (!entry) {
      const open = this._sorted().map(nameOf).join(', ');
      throw new ToolError(
        'not_found',
        `The dialog ${quote(id)} is not open${open === '' ? ', and no other one is.' : `. Open: ${open}.`}`
      );
    }
    return entry;
  }

  private readonly _open: IEntry[] = [];
  private readonly _listeners = new Set<{
    listener: (opened: IOpened) => void;
  }>();
  private _arrival: Moment | null = null;
  private _nextId: number;
  /** The N of the first dialog that opened after an answer and is not told yet. */
  private _untold: number | null = null;
}

function describe({ id, view, isShown }: IEntry): IDialogInfo {
  const { title, body, buttons, input } = view;
  return {
    id,
    title,
    body,
    buttons: labelsOf(buttons),
    shown: isShown,
    ...(input === undefined ? {} : { input })
  };
}

function labelsOf(buttons: readonly IDialogButton[]): string[] {
  return buttons.map(({ label }) => label);
}

function nameOf({ id, view, isShown }: IEntry): string {
  return `${id} ${quote(view.title)}${isShown ? '' : ' (queued)'}`;
}
