import type { TranslationBundle } from '@jupyterlab/translation';
import type { IPromptBox } from '../jupyter/kernelRuns';

/**
 * Shows prompts of code that has no output area: small boxes above the status
 * bar, one for each prompt, where the person can answer. They take no focus,
 * and keys typed in them reach no shortcut of JupyterLab.
 */
export class PromptBox implements IPromptBox {
  constructor(
    private readonly _trans: TranslationBundle,
    private readonly _parent: HTMLElement = document.body
  ) {}

  show(options: Parameters<IPromptBox['show']>[0]): { dispose(): void } {
    const box = this._box(options);
    this._list().append(box);
    return {
      dispose: () => {
        box.remove();
        if (this._shown?.childElementCount === 0) {
          this._shown.remove();
          this._shown = null;
        }
      }
    };
  }

  /** Takes all boxes away. */
  dispose(): void {
    this._shown?.remove();
    this._shown = null;
  }

  /** Announced to screen readers when a box is added. */
  private _list(): HTMLElement {
    if (!this._shown) {
      this._shown = document.createElement('div');
      this._shown.className = 'jp-McpBridge-prompts';
      this._shown.setAttribute('role', 'region');
      this._shown.setAttribute('aria-live', 'polite');
      this._shown.setAttribute(
        'aria-label',
        this._trans.__('Input that running code asks for')
      );
      this._shown.dataset.lmSuppressShortcuts = 'true';
      this._parent.append(this._shown);
    }
    return this._shown;
  }

  private _box({
    kernel,
    prompt,
    password,
    submit
  }: Parameters<IPromptBox['show']>[0]): HTMLElement {
    const id = `jp-McpBridge-prompt-${this._next++}`;
    const form = document.createElement('form');
    form.className = 'jp-McpBridge-prompt';

    const title = document.createElement('div');
    title.className = 'jp-McpBridge-promptTitle';
    title.textContent = this._trans.__(
      'An agent’s code in the kernel %1 asks for input',
      kernel
    );

    const label = document.createElement('label');
    label.className = 'jp-McpBridge-promptLabel';
    label.htmlFor = id;
    label.textContent = prompt.trim() || this._trans.__('Input');

    const input = document.createElement('input');
    input.id = id;
    input.className = 'jp-McpBridge-promptInput jp-mod-styled';
    input.type = password ? 'password' : 'text';
    input.autocomplete = 'off';
    input.spellcheck = false;

    const send = document.createElement('button');
    send.type = 'submit';
    send.className = 'jp-mod-styled jp-mod-accept';
    send.textContent = this._trans.__('Send');

    form.addEventListener('submit', event => {
      event.preventDefault();
      submit(input.value);
    });
    form.append(title, label, input, send);
    return form;
  }

  private _shown: HTMLElement | null = null;
  private _next = 1;
}
