import type * as z from 'zod';
import type { ToolKind } from '../../protocol/listing';
import type { Scope } from '../../protocol/scopes';
import type { Data, ICallReport, ICaller, Outcome } from '../calls/types';
import type { IToolContext } from './context';

export { hints, type ToolKind } from '../../protocol/listing';

/** What a handler is given beside its arguments. */
export interface IInvocation {
  readonly caller: ICaller;
  readonly report: ICallReport;
  readonly context: IToolContext;
}

export interface ITool<A = unknown> {
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
  /** Strict object; its JSON is generated at build. */
  readonly input: z.ZodType<A>;
  /**
   * The command it runs where that is not its own (`mcp-bridge:…`): the id
   * and what becomes of the arguments.
   */
  readonly command?: (args: A) => { id: string; args: Data };
  /** The path of the field that `range` reads in parts. */
  readonly range?: string;
  /**
   * The tool's own logic. It returns data, or throws a ToolError. A tool that
   * waits for another call returns that call's outcome.
   */
  readonly handler?: (args: A, invocation: IInvocation) => Promise<Data>;
  /** In place of a handler, for the tools that wait for another call. */
  readonly waits?: (args: A, invocation: IInvocation) => Promise<Outcome>;
}

/** A tool whose argument type has been forgotten, as the table holds it. */
export type AnyTool = ITool<never>;

/** Checks a tool's literal and keeps its argument type. */
export function defineTool<A>(tool: ITool<A>): ITool<A> {
  return tool;
}

/** The id of the command that a tool runs when it names no other. */
export function commandId(toolName: string): string {
  return `mcp-bridge:${toolName.replaceAll('_', '-')}`;
}
