/** How many handles are remembered: ten minutes' worth of any client. */
const KEPT = 500;

/** A call that answered as pending, as it was made. */
export interface IPendingCall {
  readonly pendingId: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A result and where it comes from. */
export interface IAnswer {
  /** Of `tools/call`. */
  readonly result: Readonly<Record<string, unknown>>;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Stays the same when the page is reloaded. */
  readonly tabId: string;
  /** The page as it is until it is reloaded; compared, nothing else. */
  readonly page: object;
}

interface IHandle {
  readonly tabId: string;
  readonly page: object;
  readonly call: IPendingCall | null;
}

/**
 * Remembers which tab gave out a handle (a pending call, a cut result, a
 * dialog), because a tab's state arrives later than the result that names it;
 * and which calls are pending, because a page that is reloaded knows nothing
 * of those it had.
 */
export class Handles {
  note({ result, tool, args, tabId, page }: IAnswer): void {
    const structured = object(result.structuredContent);
    const data = object(structured.data);
    const { pendingId } = data;
    const asked = args.pendingId;
    if (
      structured.data !== undefined &&
      pendingId === undefined &&
      isText(asked)
    ) {
      // The result is handed over; an error object would have no data.
      this._handles.delete(asked);
    }
    if (isText(pendingId)) {
      const call = this._handles.get(pendingId)?.call ?? {
        pendingId,
        tool: isText(data.tool) ? data.tool : tool,
        args
      };
      this._set(pendingId, { tabId, page, call });
    }
    const others = [
      object(structured.truncation).resultId,
      object(data.dialog).id,
      ...(Array.isArray(data.dialogs)
        ? data.dialogs.map(dialog => object(dialog).id)
        : [])
    ];
    others
      .filter(isText)
      .forEach(id => this._set(id, { tabId, page, call: null }));
  }

  /** The tab that gave out the handle which the arguments name. */
  tabOf(args: Readonly<Record<string, unknown>>): string | undefined {
    for (const handle of [args.pendingId, args.resultId, args.dialogId]) {
      const tab = isText(handle) ? this._handles.get(handle)?.tabId : undefined;
      if (tab !== undefined) {
        return tab;
      }
    }
    return undefined;
  }

  /** The pending call that the arguments name. */
  pending({
    pendingId
  }: Readonly<Record<string, unknown>>): IPendingCall | null {
    const handle = isText(pendingId) ? this._handles.get(pendingId) : undefined;
    return handle?.call ?? null;
  }

  /**
   * The pending call that the arguments name, when another page than `page`
   * had it and its result was never handed over.
   */
  lost(
    { pendingId }: Readonly<Record<string, unknown>>,
    page: object
  ): IPendingCall | null {
    const handle = isText(pendingId) ? this._handles.get(pendingId) : undefined;
    return handle && handle.page !== page ? handle.call : null;
  }

  private _set(id: string, handle: IHandle): void {
    this._handles.delete(id);
    this._handles.set(id, handle);
    for (const oldest of this._handles.keys()) {
      if (this._handles.size <= KEPT) {
        break;
      }
      this._handles.delete(oldest);
    }
  }

  private readonly _handles = new Map<string, IHandle>();
}

function object(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
