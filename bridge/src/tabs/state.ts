import type { ITabNotebook, ITabState } from '../../../protocol/frames';

/** A tab's state from a frame; null when it is none. What is missing is empty. */
export function readTabState(value: unknown): ITabState | null {
  if (!isObject(value) || typeof value.id !== 'string' || value.id === '') {
    return null;
  }
  return {
    id: value.id,
    title: text(value.title),
    user: text(value.user),
    root: text(value.root),
    url: text(value.url),
    notebooks: list(value.notebooks).flatMap(readNotebook),
    kernels: list(value.kernels).filter(isText),
    dialogs: list(value.dialogs).filter(isText),
    pending: list(value.pending).filter(isText)
  };
}

function readNotebook(value: unknown): ITabNotebook[] {
  return isObject(value) && typeof value.path === 'string'
    ? [
        {
          path: value.path,
          dirty: value.dirty === true,
          shared: value.shared === true
        }
      ]
    : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function text(value: unknown): string {
  return isText(value) ? value : '';
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
