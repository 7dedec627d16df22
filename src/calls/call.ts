import type { IToolContext } from '../tools/context';
import { commandId, type AnyTool, type IBoundTool } from '../tools/define';
import { checkCommand } from './commandCall';
import { ToolError, toToolError } from './errors';
import { annotate } from './outcome';
import type { PendingCalls } from './pending';
import { plainArguments } from './plainJson';
import { assertAllowed, isChosen } from './policy';
import type { CallSlots } from './slots';
import type { Data, ICaller, ICallReport, Outcome } from './types';
import { quote } from './words';

export interface ICallsOptions {
  /** Every tool by name, also those that the settings do not choose. */
  readonly tools: () => ReadonlyMap<string, AnyTool>;
  readonly context: IToolContext;
  readonly pending: PendingCalls;
  /** Shared with the extension's own commands. */
  readonly slots: CallSlots;
  /** Makes plain JSON of whatever a command returned. */
  readonly toJson: (value: unknown) => unknown;
  /** Takes what is hidden from the agent. */
  readonly log?: (reason: unknown) => void;
}

/**
 * The one way through: arguments, scope and policy, command, annotate. A
 * surface makes the caller before it, and bounds and presents what comes out.
 */
export class Calls {
  constructor(private readonly _options: ICallsOptions) {}

  /** Calls a tool. Never throws, and answers within the time-out. */
  async call(name: string, args: unknown, caller: ICaller): Promise<Outcome> {
    const { dialogs } = this._options.context;
    let outcome: Outcome;
    try {
      outcome = await this._call(name, args, caller);
    } catch (reason) {
      outcome = this._refuse(reason);
    }
    return annotate(outcome, await dialogs.tell());
  }

  private async _call(
    name: string,
    args: unknown,
    caller: ICaller
  ): Promise<Outcome> {
    const { context, pending, tools } = this._options;
    const tool = tools().get(name);
    if (!tool || !isChosen(tool, context.settings)) {
      throw new ToolError('not_found', `There is no tool ${quote(name)}.`);
    }
    const bound = tool.bind(plainArguments(args));
    assertAllowed(tool, context.settings, caller);
    if (caller.signal?.aborted) {
      throw new ToolError(
        'operation_refused',
        'The call was cancelled before it began: nothing was done.'
      );
    }
    if (bound.waits) {
      // Not tracked: the call it waits for is.
      return this._runWaiting(tool, bound, caller);
    }
    const facts = {
      client: caller.client,
      tool: name,
      command: bound.command?.id ?? commandId(name),
      args: bound.args,
      scope: tool.scope === 'call' ? 'read' : tool.scope
    } as const;
    return pending.run(facts, caller, async report => {
      try {
        const data = bound.command
          ? await this._runCommand(bound)
          : await this._runOwn(tool, bound, caller, report);
        return { kind: 'done', data };
      } catch (reason) {
        return this._refuse(reason);
      }
    });
  }

  private async _runCommand(bound: IBoundTool): Promise<Data> {
    const { commands, settings } = this._options.context;
    const { command, result } = bound;
    if (!command) {
      throw new Error('A tool without a command cannot run one');
    }
    const warning = checkCommand(command, commands, settings);
    let value: unknown;
    try {
      value = await commands.execute(command.id, command.args);
    } catch (reason) {
      throw this._failed(command.id, reason);
    }
    const data = result?.(value) ?? this._plainResult(value);
    return warning !== undefined && data.success !== false
      ? { ...data, warning }
      : data;
  }

  /** A command's own exception is as hidden as any, but what to do is known. */
  private _failed(id: string, reason: unknown): ToolError {
    return reason instanceof ToolError
      ? reason
      : new ToolError(
          toToolError(reason, this._options.log).code,
          `The command ${quote(id)} failed with an error of its own, which the browser console holds. It may need arguments (list_all_commands with its id as query shows which) or another current widget; see what it did before you call it again.`
        );
  }

  /** A command that returned nothing has no `result`. */
  private _plainResult(value: unknown): Data {
    return value === undefined
      ? { success: true }
      : { success: true, result: this._options.toJson(value) };
  }

  private async _runOwn(
    tool: AnyTool,
    bound: IBoundTool,
    caller: ICaller,
    report: ICallReport
  ): Promise<Data> {
    const { context } = this._options;
    return this._throughCommand(tool, bound.args, async () =>
      bound.handler?.({ caller, report, context })
    );
  }

  private async _runWaiting(
    tool: AnyTool,
    bound: IBoundTool,
    caller: ICaller
  ): Promise<Outcome> {
    const { context } = this._options;
    const report: ICallReport = {
      printed: () => {},
      prompt: () => {},
      queued: () => {}
    };
    return this._throughCommand(tool, bound.args, async () =>
      bound.waits?.({ caller, report, context })
    );
  }

  /** Runs the tool's own logic as the extension's command of that tool. */
  private async _throughCommand<T>(
    tool: AnyTool,
    args: Data,
    run: () => Promise<T | undefined>
  ): Promise<T> {
    const id = commandId(tool.name);
    let value: T | undefined;
    // A copy: its identity is this call's and nobody else's.
    const own = { ...args };
    this._options.slots.open(own, async () => (value = await run()));
    await this._options.context.commands.execute(id, own);
    if (value === undefined) {
      throw new Error(`The command ${id} did not run the tool`);
    }
    return value;
  }

  private _refuse(reason: unknown): Outcome {
    return { kind: 'refused', error: toToolError(reason, this._options.log) };
  }
}
