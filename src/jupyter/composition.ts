import type { Widget } from '@lumino/widgets';

/**
 * Where the person composes text with an input method. A change from outside
 * would end the composition and lose what they typed.
 */
export class Composition {
  /** Listens in a widget for as long as it lives. */
  follow(widget: Widget): void {
    widget.node.addEventListener('compositionstart', this._onStart, true);
    widget.node.addEventListener('compositionend', this._onEnd, true);
  }

  /** Whether text is being composed in this widget. */
  isOpenIn(widget: Widget | undefined): boolean {
    const node = this._node;
    return (
      node !== null && node.isConnected && widget?.node.contains(node) === true
    );
  }

  private readonly _onStart = (event: Event): void => {
    this._node = event.target instanceof Node ? event.target : null;
  };

  private readonly _onEnd = (): void => {
    this._node = null;
  };

  private _node: Node | null = null;
}
