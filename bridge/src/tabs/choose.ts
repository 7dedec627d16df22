import type { ITabState } from '../../../protocol/frames';

/** A tab as far as choosing needs it. */
export interface IChoice {
  readonly state: ITabState;
  /** The server's root folder on this machine, where that is known. */
  readonly root: string | null;
}

/** What a call names that only some tabs have. */
export interface ITarget {
  readonly notebook?: string;
  readonly kernel?: string;
  readonly dialog?: string;
  readonly pending?: string;
  /** The tab that gave out the handle which the call names. */
  readonly tab?: string;
}

/** What a call's arguments name. Arguments are not checked here: the tab does. */
export function targetOf(args: Record<string, unknown>): ITarget {
  const text = (value: unknown) =>
    typeof value === 'string' && value !== '' ? value : undefined;
  const path = text(args.notebookPath) ?? text(args.filePath);
  return {
    notebook: path === undefined ? undefined : normalPath(path),
    kernel: text(args.kernelId),
    dialog: text(args.dialogId),
    pending: text(args.pendingId)
  };
}

/**
 * Chooses the tab of a call (contract: The bridge, Which tab). Null when none
 * can be told: there is none, or several have an equal claim.
 *
 * @param folders - the client's working folders, the most telling first.
 */
export function chooseTab<T extends IChoice>(
  tabs: readonly T[],
  target: ITarget,
  folders: readonly string[]
): T | null {
  const having = tabs.filter(tab => has(tab.state, target));
  if (having.length === 1) {
    return having[0];
  }
  const left = having.length > 0 ? having : tabs;
  for (const folder of folders) {
    const near = nearest(left, folder);
    if (near.length > 0) {
      return near.length === 1 ? near[0] : null;
    }
  }
  return left.length === 1 ? left[0] : null;
}

/** Whether a tab has what a call names; one thing is enough. */
function has(state: ITabState, target: ITarget): boolean {
  const { notebook, kernel, dialog, pending, tab } = target;
  return (
    (tab !== undefined && state.id === tab) ||
    (pending !== undefined && state.pending.includes(pending)) ||
    (dialog !== undefined && state.dialogs.includes(dialog)) ||
    (kernel !== undefined && state.kernels.includes(kernel)) ||
    (notebook !== undefined &&
      state.notebooks.some(each => normalPath(each.path) === notebook))
  );
}

/**
 * The tabs of the server whose root is the nearest folder above `folder`, or
 * is it; of all such servers, where several share a root.
 */
function nearest<T extends IChoice>(tabs: readonly T[], folder: string): T[] {
  let best: T[] = [];
  let depth = -1;
  const at = parts(folder);
  for (const tab of tabs) {
    const root = tab.root ?? absolute(tab.state.root);
    if (root === null) {
      continue;
    }
    const above = parts(root);
    if (!above.every((part, index) => part === at[index])) {
      continue;
    }
    if (above.length > depth) {
      depth = above.length;
      best = [tab];
    } else if (above.length === depth) {
      best.push(tab);
    }
  }
  return best;
}

/** A path of the contents API as JupyterLab writes it. */
function normalPath(path: string): string {
  return path
    .split('/')
    .filter(part => part !== '' && part !== '.')
    .join('/');
}

function parts(path: string): string[] {
  return path.split(/[\\/]+/).filter(part => part !== '' && part !== '.');
}

function absolute(path: string): string | null {
  return /^([\\/]|[A-Za-z]:)/.test(path) ? path : null;
}
