/** How many handles are remembered: ten minutes' worth of any client. */
const KEPT = 500;

/**
 * Remembers which tab gave out a handle (a pending call, a cut result, a
 * dialog), because a tab's state arrives later than the result that names it.
 */
export class Handles {
  /** Takes the handles of a result of `tools/call`. */
  note(result: Readonly<Record<string, unknown>>, tabId: string): void {
    const structured = object(result.structuredContent);
    const data = object(structured.data);
    const found = [
      data.pendingId,
      object(structured.truncation).resultId,
      ...(Array.isArray(data.dialogs)
        ? data.dialogs.map(dialog => object(dialog).id)
        : [])
    ];
    for (const handle of found) {
      if (typeof handle === 'string') {
        this._tabs.delete(handle);
        this._tabs.set(handle, tabId);
      }
    }
    for (const handle of this._tabs.keys()) {
      if (this._tabs.size <= KEPT) {
        break;
      }
      this._tabs.delete(handle);
    }
  }

  /** The tab that gave out the handle which the arguments name. */
  tabOf(args: Readonly<Record<string, unknown>>): string | undefined {
    for (const handle of [args.pendingId, args.resultId, args.dialogId]) {
      const tab =
        typeof handle === 'string' ? this._tabs.get(handle) : undefined;
      if (tab !== undefined) {
        return tab;
      }
    }
    return undefined;
  }

  private readonly _tabs = new Map<string, string>();
}

function object(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
