import type { Widget } from '@lumino/widgets';

/** Resolves when a widget is closed. */
export function closed(widget: Pick<Widget, 'disposed'>): Promise<void> {
  return new Promise(resolve => widget.disposed.connect(() => resolve()));
}
