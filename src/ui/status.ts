import type { TranslationBundle } from '@jupyterlab/translation';
import { Widget } from '@lumino/widgets';
import type { IBridgePage } from '../tokens';
import { type IStatus, statusText } from './statusText';

/** The status bar item: who is connected, or why nobody can be. */
export class StatusItem extends Widget {
  constructor(private readonly _trans: TranslationBundle) {
    super({ node: document.createElement('span') });
    this.addClass('jp-McpBridge-status');
    // Read aloud when it changes, without taking the focus.
    this.node.setAttribute('role', 'status');
  }

  /** Shows how things stand, from now on. */
  follow(page: IBridgePage): void {
    page.statusChanged.connect(this._onChanged, this);
    this._onChanged(page);
  }

  private _onChanged(page: IBridgePage): void {
    this.setStatus(page.status);
  }

  /** Shows a status; one that reads the same changes nothing in the page. */
  setStatus(status: IStatus): void {
    const { text, detail, alert } = statusText(status, this._trans);
    if (this.node.textContent !== text) {
      this.node.textContent = text;
    }
    if (this.node.title !== detail) {
      this.node.title = detail;
    }
    this.node.classList.toggle('jp-mod-alert', alert);
  }
}
