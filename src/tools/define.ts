import type * as z from 'zod';
import type { ToolKind } from '../../protocol/listing';
import type { Scope } from '../../protocol/scopes';
import { parseArguments } from '../calls/arguments';
import type { Data, ICallReport, ICaller, Outcome } from '../calls/types';
import type { IToolContext } from './context';

export { hints, type ToolKind } from '../../protocol/listing';

/** What a handler is given beside its arguments. */
export interface IInvocation {
  readonly caller: ICaller;
  readonly report: ICallReport;
  readonly context: IToolContext;
}

/** A set that is listed only where the person's settings choose it. */
export type Toolset = 'files' | 'kernels' | 'reports' | 'admin';

/** What can be told of a tool without running it. */
export interface IToolFacts {
  /** snake_case, at most 40 characters. */
  readonly name: string;
  readonly title: string;
  readonly kind: ToolKind;
  /** The first two sentences say whether the result holds untrusted content. */
  readonly description: string;
  /** `call`: that of the call it is about. */
  readonly scope: Scope | 'call';
  /** Whether a result can hold text of people, files or kernels. */
  readonly untrusted: boolean;
  /** Without one: the default set. */
  readonly toolset?: Toolset;
  /** The path of the field that `range` reads in parts. */
  readonly range?: string;
  /**
   * Names that an edit must not carry because Jupyter or another tool manages
   * them; looked for before the schema (`field_read_only`).
   */
  readonly managed?: readonly string[];
  /**
   * Arguments that may hold half of a surrogate pair, because the text that
   * they change may: the handler checks them. No other may.
   */
  readonly halves?: readonly string[];
}

/** A command with its arguments. */
export interface ICommandCall {
  readonly id: string;
  readonly args: Data;
}

/**
 * One tool. It has `command`, or `handler`, or `waits`; the last two run as
 * the extension's own command (`commandId`).
 */
export interface ITool<A extends Data = Data> extends IToolFacts {
  /** A `z.strictObject`; its JSON is generated at build. */
  readonly input: z.ZodType<A>;
  /** The command of JupyterLab's that it runs. */
  readonly command?: (args: A) => ICommandCall;
  /**
   * With `command`: what becomes of the command's result. Without it:
   * `{success: true, result}`.
   */
  readonly result?: (value: unknown, args: A) => Data;
  /** Its own logic: returns data, or throws a ToolError. */
  readonly handler?: (args: A, invocation: IInvocation) => Promise<Data>;
  /** For the tools that wait for another call: that call's outcome. */
  readonly waits?: (args: A, invocation: IInvocation) => Promise<Outcome>;
}

/** A tool with arguments that have been checked: what is left is to run it. */
export interface IBoundTool {
  readonly args: Data;
  readonly command?: ICommandCall;
  readonly result?: (value: unknown) => Data;
  readonly handler?: (invocation: IInvocation) => Promise<Data>;
  readonly waits?: (invocation: IInvocation) => Promise<Outcome>;
}

/** A tool whose argument type has been forgotten, as the table holds it. */
export interface IAnyTool extends IToolFacts {
  readonly input: z.ZodType;
  /** Checks arguments. @throws ToolError validation_failed, field_read_only */
  bind(args: unknown): IBoundTool;
}

export type AnyTool = IAnyTool;

/** Makes a tool of its literal; the literal's own functions stay typed. */
export function defineTool<A extends Data>(
  tool: ITool<A>
): ITool<A> & IAnyTool {
  const { command, result, handler, waits } = tool;
  return {
    ...tool,
    bind: unchecked => {
      const args = parseArguments(tool, unchecked);
      return {
        args,
        command: command?.(args),
        result: result && (value => result(value, args)),
        handler: handler && (invocation => handler(args, invocation)),
        waits: waits && (invocation => waits(args, invocation))
      };
    }
  };
}

/** What the ids of the extension's own commands begin with. */
export const OWN_COMMANDS = 'mcp-bridge:';

/** The id of the command that a tool runs when it names no other. */
export function commandId(toolName: string): string {
  return `${OWN_COMMANDS}${toolName.replaceAll('_', '-')}`;
}

/** The tool that an own command belongs to. */
export function toolOfCommand(id: string): string {
  return id.slice(OWN_COMMANDS.length).replaceAll('-', '_');
}
