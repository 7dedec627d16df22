import type { Dialog } from '@jupyterlab/apputils';
import {
  type IMessageHandler,
  type Message,
  MessageLoop
} from '@lumino/messaging';
import { Widget } from '@lumino/widgets';
import type { DialogBook, IDialogEvents } from './book';
import type { PasswordFields } from './passwords';
import {
  isInvalid,
  isTextBody,
  readBody,
  readButtons,
  readInput,
  readTitle
} from './read';
import type { IDialogButton, IDialogView } from './types';

/** Any dialog of JupyterLab's; what it resolves with is not looked at. */
type AnyDialog = Dialog<unknown>;

export interface IFollowOptions {
  /** JupyterLab's `Dialog.tracker`, which every dialog adds itself to. */
  readonly tracker: typeof Dialog.tracker;
  readonly book: DialogBook;
  /**
   * Titles, in the language of the page, of dialogs that JupyterLab opens by
   * itself and that no call can have opened.
   */
  readonly notices: ReadonlySet<string>;
  /** Knows which fields hold passwords. */
  readonly passwords: Pick<PasswordFields, 'has'>;
}

/**
 * Reports to the book each dialog that is built, launched, shown and closed.
 * @returns what ends the reporting and leaves the dialogs as they were.
 */
export function followDialogs(options: IFollowOptions): { dispose(): void } {
  const { tracker, book, notices, passwords } = options;
  const followed = new Map<AnyDialog, FollowedDialog>();

  const follow = (dialog: AnyDialog): FollowedDialog => {
    const view = new DialogView(dialog, notices, passwords);
    const each = new FollowedDialog(dialog, book.add(view));
    followed.set(dialog, each);
    dialog.disposed.connect(forget);
    return each;
  };
  const forget = (dialog: Widget): void => {
    for (const [key, each] of followed) {
      if (key === dialog) {
        each.dispose();
        followed.delete(key);
      }
    }
  };
  const onAdded = (_: unknown, dialog: AnyDialog): void => {
    follow(dialog);
  };

  const present: FollowedDialog[] = [];
  tracker.forEach(dialog => present.push(follow(dialog)));
  // Of those that were there before only the page tells whether they were launched.
  const isAnyShown = present.some(each => each.isAttached);
  present.sort((a, b) => Number(b.isAttached) - Number(a.isAttached));
  present.forEach(each => each.takeUp(isAnyShown));
  tracker.widgetAdded.connect(onAdded);
  return {
    dispose: () => {
      tracker.widgetAdded.disconnect(onAdded);
      for (const [dialog, each] of followed) {
        dialog.disposed.disconnect(forget);
        each.dispose();
      }
      followed.clear();
    }
  };
}

/**
 * One dialog. Whether it was launched is kept private by JupyterLab, and a
 * dialog that waits in the queue looks like one that was only built: so its
 * `launch` is watched.
 */
class FollowedDialog {
  constructor(
    private readonly _dialog: AnyDialog,
    private readonly _events: IDialogEvents
  ) {
    const launch = _dialog.launch;
    this._launch = () => {
      const result = launch.call(_dialog);
      _events.launched();
      return result;
    };
    _dialog.launch = this._launch;
    MessageLoop.installMessageHook(_dialog, this._hook);
  }

  dispose(): void {
    if (this._dialog.launch === this._launch) {
      Reflect.deleteProperty(this._dialog, 'launch');
    }
    MessageLoop.removeMessageHook(this._dialog, this._hook);
    this._events.closed();
  }

  get isAttached(): boolean {
    return this._dialog.isAttached;
  }

  /** For a dialog that was there before it was followed. */
  takeUp(isAnyShown: boolean): void {
    if (this._dialog.isAttached) {
      this._events.shown();
    } else if (isAnyShown) {
      this._events.launched();
    }
  }

  private readonly _hook = (_: IMessageHandler, message: Message): boolean => {
    if (message.type === 'after-attach') {
      this._events.shown();
    } else if (message.type === 'after-detach') {
      this._events.closed();
    }
    return true;
  };

  private readonly _launch: AnyDialog['launch'];
}

/** Reads a dialog's node. */
class DialogView implements IDialogView {
  constructor(
    private readonly _dialog: AnyDialog,
    private readonly _notices: ReadonlySet<string>,
    private readonly _passwords: Pick<PasswordFields, 'has'>
  ) {}

  get title(): string {
    return readTitle(this._dialog.node);
  }

  get body(): string {
    return readBody(this._dialog.node);
  }

  get isText(): boolean {
    return isTextBody(this._dialog.node);
  }

  get buttons(): IDialogButton[] {
    return readButtons(this._dialog.node);
  }

  get input(): string | boolean | undefined {
    return readInput(this._dialog.node, this._passwords);
  }

  get isInvalid(): boolean {
    return isInvalid(this._dialog.node);
  }

  get ownable(): boolean {
    // The title is not drawn yet; the label of the node begins with it.
    const label = this._dialog.node.ariaLabel ?? '';
    return ![...this._notices].some(title => label.startsWith(`${title} `));
  }

  async draw(shown: boolean): Promise<void> {
    const header = this._part('jp-Dialog-header');
    if (header && !shown) {
      // React draws a title only when its widget comes to the page.
      MessageLoop.sendMessage(header, Widget.Msg.UpdateRequest);
    }
    // The parts hear of their coming to the page after the dialog does.
    await Promise.resolve();
    await this._drawn();
  }

  /** No timers: they sleep in hidden tabs. */
  private _drawn(): Promise<void> {
    return new Promise(resolve => {
      // A button that is clicked before can end in an error of the body's own.
      let empty = ['jp-Dialog-header', 'jp-Dialog-body']
        .map(name => this._part(name))
        .flatMap(part => (part ? [...undrawn(part)] : []));
      const look = (): void => {
        empty = empty.filter(part => !part.node.hasChildNodes());
        if (empty.length === 0) {
          observer.disconnect();
          resolve();
        }
      };
      const observer = new MutationObserver(look);
      const { node } = this._dialog;
      observer.observe(node, { childList: true, subtree: true });
      look();
    });
  }

  private _part(name: string): Widget | undefined {
    for (const content of this._dialog.children()) {
      for (const part of content.children()) {
        if (part.hasClass(name)) {
          return part;
        }
      }
    }
    return undefined;
  }
}

/** What React has yet to draw of a widget; others may be empty for good. */
function* undrawn(widget: Widget): Iterable<Widget> {
  if ('renderPromise' in widget && !widget.node.hasChildNodes()) {
    yield widget;
  }
  for (const child of widget.children()) {
    yield* undrawn(child);
  }
}
