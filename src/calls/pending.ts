import { covers } from '../../protocol/scopes';
import type { IAnswered, IDialogs } from '../dialogs/types';
import type { Redact } from '../results/index';
import type { ICallsView, IPendingInfo, IRunningCall } from './callsView';
import { EndedCalls } from './ended';
import { ToolError } from './errors';
import { withField } from './outcome';
import { pendingData, type WaitEnd } from './pendingData';
import { needsScope } from './policy';
import { TrackedCall, type ICallFacts } from './tracked';
import type { ICaller, ICallReport, IClient, IClock, Outcome } from './types';
import { Waiter } from './waiter';
import { quote } from './words';

/** Milliseconds for a call whose error dialog was closed: it often never ends. */
const AFTER_ERROR_MS = 1000;

export interface IPendingOptions {
  readonly clock: IClock;
  readonly dialogs: IDialogs;
  /** The N of the first `call-N`: random, so that old ids find nothing. */
  readonly firstId: number;
  /** Milliseconds that a call is waited for at most, as set now. */
  readonly timeout: () => number;
  /** Replaces secrets in what was printed. */
  readonly redact: Redact;
  /** Called after each change of what `list` answers. */
  readonly changed?: () => void;
  /** Characters that the results of settled calls may hold together. */
  readonly keptCharacters?: number;
}

/**
 * The pending calls (contract: Results on the WebMCP surface). A call is
 * waited for until it settles, one of its dialogs or prompts opens, the time
 * is up or the waiting is cancelled; the call itself always goes on. Whose
 * result was not handed over at once is kept, for its own client.
 */
export class PendingCalls implements ICallsView {
  constructor(private readonly _options: IPendingOptions) {
    const { clock, keptCharacters } = _options;
    this._nextId = _options.firstId;
    this._ended = new EndedCalls({
      clock,
      calls: this._calls,
      keptCharacters,
      drop: call => this._drop(call)
    });
    this._subscription = _options.dialogs.onOpened(opened => {
      const waited = [...this._calls].filter(call => call.isWaitedFor);
      if (opened.ownable && waited.length === 1) {
        waited[0].own(opened);
      }
    });
  }

  dispose(): void {
    this._subscription.dispose();
    for (const call of this._calls) {
      this._ended.remove(call);
      this._drop(call);
    }
  }

  /**
   * Starts a call and waits for it. `start` is called at once, when the call
   * already counts as waited for; it never throws and its promise never
   * rejects.
   */
  run(
    facts: ICallFacts,
    caller: ICaller,
    start: (report: ICallReport) => Promise<Outcome>
  ): Promise<Outcome> {
    const call = new TrackedCall(facts, this._options.clock);
    this._calls.add(call);
    return this._wait(call, caller, this._options.timeout(), () => {
      void start(call.report).then(outcome => {
        call.settle(outcome);
        this._ended.keep(call);
        this._options.changed?.();
      });
    });
  }

  list(client: IClient): IPendingInfo[] {
    this._ended.prune();
    return this._own(client)
      .filter(call => !call.delivered)
      .flatMap(call =>
        call.pendingId === null
          ? []
          : {
              pendingId: call.pendingId,
              tool: call.facts.tool,
              command: call.facts.command,
              seconds: call.seconds,
              ...(call.outcome ? { settled: true as const } : {})
            }
      );
  }

  running(client: IClient): IRunningCall[] {
    return [...this._calls]
      .filter(call => !call.outcome)
      .map(({ facts, seconds, pendingId }) => ({
        client: facts.client,
        tool: facts.tool,
        args: facts.args,
        seconds,
        ...(pendingId !== null && facts.client.id === client.id
          ? { pendingId }
          : {})
      }));
  }

  async wait(
    caller: ICaller,
    pendingId: string,
    seconds?: number
  ): Promise<Outcome> {
    const call = this._find(caller, pendingId);
    const limit = this._options.timeout();
    const ms = seconds === undefined ? limit : Math.min(limit, seconds * 1000);
    return this._wait(call, caller, ms);
  }

  async answerInput(
    caller: ICaller,
    pendingId: string,
    value: string
  ): Promise<Outcome> {
    const call = this._find(caller, pendingId);
    const prompt = call.prompt;
    if (call.outcome) {
      throw new ToolError(
        'operation_refused',
        `The call ${call.pendingId} has ended and asks for no input. Get its result with wait_for_result.`
      );
    }
    if (!prompt) {
      throw new ToolError(
        'operation_refused',
        `The call ${call.pendingId} asks for no input now. Wait for it with wait_for_result.`
      );
    }
    if (prompt.password) {
      throw new ToolError(
        'operation_refused',
        `The call ${call.pendingId} asks for a password. Only the person types that, in the tab; then call wait_for_result.`
      );
    }
    return this._wait(call, caller, this._options.timeout(), () =>
      call.answer(value)
    );
  }

  async answerDialog(
    caller: ICaller,
    dialogId: string,
    click: () => IAnswered
  ): Promise<Outcome> {
    const call = this._own(caller.client).find(
      each => each.owns(dialogId) && !each.delivered
    );
    if (!call) {
      return { kind: 'done', data: { success: true, answered: click() } };
    }
    const limit = this._options.timeout();
    const closesError = this._options.dialogs.isError(dialogId);
    const answered: IAnswered[] = [];
    const outcome = await this._wait(
      call,
      caller,
      closesError ? Math.min(limit, AFTER_ERROR_MS) : limit,
      () => void answered.push(click()),
      closesError
    );
    return withField(outcome, 'answered', answered[0]);
  }

  /**
   * Waits for a call. `first` is run when the wait has begun, so that a
   * dialog it opens belongs to the call.
   */
  private async _wait(
    call: TrackedCall,
    caller: ICaller,
    ms: number,
    first?: () => void,
    closedError = false
  ): Promise<Outcome> {
    const { clock, dialogs } = this._options;
    const waiter = new Waiter(clock, ms, caller);
    call.waiters.add(waiter);
    try {
      first?.();
      for (;;) {
        if (this._end(call, waiter)) {
          await dialogs.readable();
          const end = this._end(call, waiter);
          if (end) {
            return this._answer(call, end, closedError);
          }
        } else {
          await waiter.changed();
        }
      }
    } finally {
      call.waiters.delete(waiter);
      waiter.dispose();
    }
  }

  /** Why a wait is over now, or null while it is not. */
  private _end(call: TrackedCall, waiter: Waiter): WaitEnd | null {
    if (waiter.isCancelled) {
      return 'cancelled';
    }
    if (call.outcome) {
      return 'settled';
    }
    if (call.blockingDialogs(this._options.dialogs).length > 0) {
      return 'dialog';
    }
    if (call.isPromptBlocking) {
      return 'prompt';
    }
    return waiter.isOver ? 'time' : null;
  }

  private _answer(
    call: TrackedCall,
    end: WaitEnd,
    closedError: boolean
  ): Outcome {
    if (end === 'settled' && call.outcome) {
      call.delivered = true;
      if (call.pendingId === null) {
        this._calls.delete(call);
      }
      this._options.changed?.();
      return { ...call.outcome, origin: call.origin };
    }
    const { dialogs, redact, changed } = this._options;
    if (call.pendingId === null) {
      call.pendingId = `call-${this._nextId++}`;
      this._ended.keep(call);
      changed?.();
    }
    const data = pendingData(call, end, { dialogs, redact, closedError });
    return { kind: 'pending', data, origin: call.origin };
  }

  private _drop(call: TrackedCall): void {
    this._calls.delete(call);
    this._options.changed?.();
  }

  private _own(client: IClient): TrackedCall[] {
    return [...this._calls].filter(call => call.facts.client.id === client.id);
  }

  private _find(caller: ICaller, pendingId: string): TrackedCall {
    this._ended.prune();
    const call = this._own(caller.client).find(
      each => each.pendingId === pendingId
    );
    if (!call) {
      throw new ToolError(
        'not_found',
        `There is no pending call ${quote(pendingId)}. A result is kept for 10 minutes after its call ended; get_context lists the calls that are pending.`
      );
    }
    if (!covers(caller.scope, call.facts.scope)) {
      throw needsScope(call.facts.tool, call.facts.scope, caller);
    }
    return call;
  }

  private readonly _calls = new Set<TrackedCall>();
  private readonly _ended: EndedCalls;
  private readonly _subscription: { dispose(): void };
  private _nextId: number;
}
