import type { KernelMessage } from '@jupyterlab/services';
import type { CodeCell } from '@jupyterlab/cells';
import type { IStdin, OutputArea } from '@jupyterlab/outputarea';
import type { IDisposable } from '@lumino/disposable';
import type { Widget } from '@lumino/widgets';
import { ToolError } from '../calls/errors';
import type { ICallReport, IClock, IPrompt } from '../calls/types';

/**
 * Checks an answer before it goes to a prompt: a password is the person's
 * alone, and a prompt takes one line.
 */
export function checkAnswer(password: boolean, value: string): void {
  if (password) {
    throw new ToolError(
      'operation_refused',
      'This prompt asks for a password. Only the person may type it, into the box in the JupyterLab tab: ask them to, then call wait_for_result.'
    );
  }
  if (/[\r\n]/.test(value)) {
    throw new ToolError(
      'validation_failed',
      'A prompt takes one line: the value must not hold a line break. Answer the next prompt with the next line.'
    );
  }
}

/** An error for an answer that comes when nobody asks any more. */
export function alreadyAnswered(): ToolError {
  return new ToolError(
    'operation_refused',
    'This prompt is closed: it was answered in the tab meanwhile, or the run ended. Call wait_for_result to see where it stands.'
  );
}

/** Milliseconds that what was printed before a prompt may come after it. */
const BEHIND_MS = 50;

/**
 * Reports a prompt a moment after it came. What the code printed before it,
 * often the question itself, comes on another channel and may be late.
 */
export function reportPrompt(
  prompt: IPrompt,
  report: ICallReport,
  clock: IClock
): void {
  clock.after(BEHIND_MS, () => {
    if (prompt.isOpen()) {
      report.prompt(prompt);
    }
  });
}

/** The part of a cell that is used here; its output area may not be in its node yet. */
type IAsking = Pick<CodeCell, 'node' | 'outputArea'>;

/** The watch over the prompts of a run. */
export interface IPromptWatch extends IDisposable {
  /** Whether one waits for an answer. */
  readonly isOpen: boolean;
  /**
   * Watches another cell in place of the one before. A box that waited there
   * is gone with it: it is shown anew.
   */
  move(next: IAsking, future: IStdinFuture): void;
}

/**
 * Reports the prompts that a cell's run opens in its output area. The
 * person's own input box stays usable, but does not take the focus: another
 * than the person started this run. Dispose it when the run has ended.
 */
export function watchPrompts(
  cell: IAsking,
  report: ICallReport,
  clock: IClock
): IPromptWatch {
  let current: CellPrompt | null = null;
  // A cell that is gone has neither any more.
  let { node, outputArea: area } = cell;
  const watcher = {
    isDisposed: false,
    get isOpen(): boolean {
      return current?.isOpen() ?? false;
    },
    move(next: IAsking, future: IStdinFuture): void {
      area.inputRequested.disconnect(watcher.onInput, watcher);
      ({ node, outputArea: area } = next);
      area.inputRequested.connect(watcher.onInput, watcher);
      const boxes = [...boxesIn(area)];
      for (const box of boxes) {
        watcher.onInput(area, box);
      }
      const lost = boxes.length === 0 ? current?.lost : undefined;
      if (lost) {
        void future.onStdin(lost);
      }
    },
    onInput(_: OutputArea, stdin: IStdin): void {
      const input = stdin.node.querySelector('input');
      if (input) {
        keepFocus(input);
      }
      leaveFocus(stdin, node);
      current = new CellPrompt(stdin, input);
      reportPrompt(current, report, clock);
    },
    dispose(): void {
      watcher.isDisposed = true;
      area.inputRequested.disconnect(watcher.onInput, watcher);
      current?.close();
    }
  };
  area.inputRequested.connect(watcher.onInput, watcher);
  return watcher;
}

/** The boxes that wait for an answer in an output area. */
function* boxesIn(area: OutputArea): Iterable<IStdin> {
  for (const item of area.widgets) {
    for (const widget of item.children()) {
      if (isStdin(widget) && widget.node.querySelector('input')) {
        yield widget;
      }
    }
  }
}

function isStdin(widget: Widget): widget is Widget & IStdin {
  return widget.hasClass('jp-Stdin') && 'value' in widget;
}

/** The part of a request that shows its prompts. */
interface IStdinFuture {
  readonly onStdin: (
    msg: KernelMessage.IStdinMessage
  ) => void | PromiseLike<void>;
}

class CellPrompt implements IPrompt {
  constructor(
    private readonly _stdin: IStdin,
    private readonly _input: HTMLInputElement | null
  ) {
    this.prompt =
      _stdin.node.querySelector('.jp-Stdin-prompt')?.textContent ?? '';
    this.password = _input?.type === 'password';
    void _stdin.value.then(() => this.close());
  }

  readonly prompt: string;
  readonly password: boolean;

  isOpen(): boolean {
    return this._isOpen && !this._stdin.isDisposed;
  }

  /** What the kernel asked, where the box went before anybody answered. */
  get lost(): KernelMessage.IStdinMessage | undefined {
    const header: unknown = Reflect.get(this._stdin, '_parentHeader');
    if (!this._isOpen || !this._stdin.isDisposed || !header) {
      return undefined;
    }
    const { prompt, password } = this;
    const request = {
      header,
      parent_header: {},
      metadata: {},
      channel: 'stdin',
      content: { prompt, password }
    };
    return request as KernelMessage.IInputRequestMsg;
  }

  close(): void {
    this._isOpen = false;
  }

  answer(value: string): void {
    checkAnswer(this.password, value);
    const input = this._input;
    if (!this.isOpen() || !input) {
      throw alreadyAnswered();
    }
    if (input.value !== '' && input === document.activeElement) {
      throw new ToolError(
        'operation_in_progress',
        'The person is typing an answer to this prompt in the tab. Call wait_for_result instead.'
      );
    }
    // The box's own way, so that it closes and a later Enter sends nothing.
    keepFocus(input);
    input.value = value;
    const enter = new KeyboardEvent('keydown', { key: 'Enter' });
    if (isListener(this._stdin)) {
      this._stdin.handleEvent(enter);
    } else {
      input.dispatchEvent(enter);
    }
    this.close();
  }

  private _isOpen = true;
}

function isListener(value: object): value is EventListenerObject {
  return 'handleEvent' in value && typeof value.handleEvent === 'function';
}

/**
 * Lets nothing but the person move the focus into the box. Its widget asks
 * for it when it is attached and when it was answered, and the notebook then
 * changes mode and active cell under the person's hands.
 */
function keepFocus(input: HTMLInputElement): void {
  input.focus = () => undefined;
  input.addEventListener(
    'focus',
    () => Reflect.deleteProperty(input, 'focus'),
    {
      once: true
    }
  );
}

/**
 * When a box goes, the notebook moves the focus to its cell, which makes that
 * the active one: right for the person who was in the box, and for nobody else.
 */
function leaveFocus(stdin: IStdin, cell: HTMLElement): void {
  const boxes = boxesOf.get(cell) ?? new Set();
  boxesOf.set(cell, boxes.add(stdin));
  cell.focus = options => {
    const going = [...boxes].find(({ isDisposed }) => isDisposed);
    if (!going || going.node.contains(document.activeElement)) {
      HTMLElement.prototype.focus.call(cell, options);
    }
  };
  // The notebook was told first of the box, so it is told first of its end.
  stdin.disposed.connect(() => {
    boxes.delete(stdin);
    if (boxes.size === 0) {
      Reflect.deleteProperty(cell, 'focus');
    }
  });
}

/** The boxes that cells still show, answered ones for a little while too. */
const boxesOf = new WeakMap<HTMLElement, Set<IStdin>>();
