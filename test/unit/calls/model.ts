import { FIRST_CALL, FIRST_DIALOG, TIMEOUT } from './rig';

/** What the rules of calls and dialogs say, written a second time and plainly. */

const KEPT_MS = 600_000;
const KEPT_CALLS = 50;

export interface IModelCall {
  readonly client: string;
  id: string | null;
  /** The result, once there is one. */
  result: number | null;
  endedAt: number;
  delivered: boolean;
  isKept: boolean;
  prompt: { password: boolean; reported: boolean } | null;
  printed: string;
}

export interface IModelDialog {
  readonly id: string;
  readonly isError: boolean;
  /** The call it belongs to. */
  readonly owner: IModelCall | null;
  /** How it stood when it was told. */
  reported: 'queued' | 'shown' | null;
}

export interface IModelWait {
  readonly call: IModelCall;
  readonly deadline: number;
  readonly answered?: string;
  cancelled: boolean;
  /** What it must have answered; undefined while it waits. */
  answer?: Readonly<Record<string, unknown>>;
}

export class Model {
  now = 0;
  readonly calls: IModelCall[] = [];
  /** The first one is shown. */
  dialogs: IModelDialog[] = [];
  readonly waits: IModelWait[] = [];

  start(client: string): IModelWait {
    const call: IModelCall = {
      client,
      id: null,
      result: null,
      endedAt: 0,
      delivered: false,
      isKept: true,
      prompt: null,
      printed: ''
    };
    this.calls.push(call);
    return this.wait(call, TIMEOUT);
  }

  wait(call: IModelCall, ms: number, answered?: string): IModelWait {
    const wait: IModelWait = {
      call,
      deadline: this.now + Math.min(ms, TIMEOUT),
      answered,
      cancelled: false
    };
    this.waits.push(wait);
    this.check();
    return wait;
  }

  settle(call: IModelCall, result: number): void {
    call.result = result;
    call.endedAt = this.now;
    call.prompt = null;
    this._keepSome(call.client);
    this.check();
  }

  open(isError: boolean): void {
    const waited = new Set(
      this._waiting.map(({ call }) => call).filter(call => call.result === null)
    );
    const owner = waited.size === 1 ? [...waited][0] : null;
    const id = `dialog-${FIRST_DIALOG + this._opened++}`;
    this.dialogs.push({ id, isError, owner, reported: null });
    this.check();
  }

  close(id: string): void {
    this.dialogs = this.dialogs.filter(each => each.id !== id);
    // The next one may be shown now.
    this.check();
  }

  /** The call whose result an answer to this dialog brings. */
  heldBack(dialog: IModelDialog, client: string): IModelCall | null {
    const { owner } = dialog;
    return owner?.isKept && owner.client === client && !owner.delivered
      ? owner
      : null;
  }

  advance(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      const next = this._waiting
        .map(({ deadline }) => deadline)
        .filter(deadline => deadline <= end)
        .sort((a, b) => a - b)
        .at(0);
      if (next === undefined) {
        break;
      }
      this.now = next;
      this.check();
    }
    this.now = end;
    this._expire();
  }

  /** Ends the waits that are over, in the order they began. */
  check(): void {
    this._expire();
    const due = this._waiting.sort((a, b) =>
      a.deadline <= this.now && b.deadline <= this.now
        ? a.deadline - b.deadline
        : 0
    );
    for (const wait of due) {
      wait.answer = this._answer(wait);
    }
  }

  listed(client: string): IModelCall[] {
    return this.calls.filter(
      call =>
        call.client === client &&
        call.isKept &&
        call.id !== null &&
        !call.delivered
    );
  }

  find(client: string, id: string): IModelCall | undefined {
    return this.calls.find(
      call => call.client === client && call.isKept && call.id === id
    );
  }

  private get _waiting(): IModelWait[] {
    return this.waits.filter(wait => wait.answer === undefined);
  }

  private _answer(wait: IModelWait): IModelWait['answer'] {
    const { call, answered } = wait;
    const more = answered === undefined ? {} : { answered };
    if (!wait.cancelled && call.result !== null) {
      call.delivered = true;
      call.isKept = call.id !== null && call.isKept;
      return { result: call.result, ...more };
    }
    const open = this.dialogs.filter(({ owner }) => owner === call);
    const isKnown = (each: IModelDialog): boolean =>
      each.reported === 'shown' ||
      (each.reported === 'queued' && each !== this.dialogs[0]);
    const blocking = open.filter(each => !(each.isError && isKnown(each)));
    const asks = call.prompt && !(call.prompt.password && call.prompt.reported);
    if (
      !wait.cancelled &&
      blocking.length === 0 &&
      !asks &&
      wait.deadline > this.now
    ) {
      return undefined;
    }
    if (call.id === null) {
      call.id = `call-${FIRST_CALL + this._named++}`;
      this._keepSome(call.client);
    }
    const dialog = blocking.at(0) ?? open.at(0);
    const { prompt, printed } = call;
    const shown: Record<string, unknown> = { pendingId: call.id, ...more };
    if (dialog) {
      shown.dialog = [dialog.id, dialog === this.dialogs[0]];
    }
    if (prompt) {
      shown.password = prompt.password;
    }
    if (!wait.cancelled) {
      if (dialog) {
        dialog.reported = dialog === this.dialogs[0] ? 'shown' : 'queued';
      }
      if (prompt) {
        prompt.reported = true;
      }
      if (printed !== '') {
        shown.printed = printed.slice(-500);
      }
      call.printed = '';
    }
    return shown;
  }

  private _expire(): void {
    for (const call of this.calls) {
      if (this._isKeptSettled(call) && call.endedAt + KEPT_MS <= this.now) {
        call.isKept = false;
      }
    }
  }

  private _keepSome(client: string): void {
    const settled = this.calls
      .filter(call => call.client === client && this._isKeptSettled(call))
      .sort((a, b) => a.endedAt - b.endedAt);
    settled.slice(0, -KEPT_CALLS).forEach(call => (call.isKept = false));
  }

  private _isKeptSettled(call: IModelCall): boolean {
    return call.isKept && call.result !== null && call.id !== null;
  }

  private _opened = 0;
  private _named = 0;
}
