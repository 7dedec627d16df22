import type { Scope } from './scopes';

/**
 * What a tool does to the person's things; its hints follow from it. `add`
 * leaves all there was as it is, `edit` replaces, `destroy` takes away or
 * overwrites whole things.
 */
export type ToolKind = 'read' | 'add' | 'edit' | 'run' | 'destroy';

/** A tool as far as it can be told without running it. */
export interface IDescribedTool {
  name: string;
  title: string;
  description: string;
  kind: ToolKind;
  /** `call`: that of the call it is about. */
  scope: Scope | 'call';
  /** Whether a result can hold text of people, files or kernels. */
  untrusted: boolean;
  /** JSON Schema, `type: 'object'`. */
  inputSchema: Record<string, unknown>;
}

/** One entry of MCP's `tools/list`. */
export interface IListedTool {
  name: string;
  title: string;
  description: string;
  inputSchema: { [key: string]: unknown; type: 'object' };
  annotations: { readOnlyHint: boolean; destructiveHint: boolean };
}

/** The hints of WebMCP, and MCP's among them, derived from a tool's kind. */
export function hints(tool: { kind: ToolKind; untrusted: boolean }): {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  untrustedContentHint: boolean;
  consequentialHint: boolean;
} {
  return {
    readOnlyHint: tool.kind === 'read',
    // False means to clients: only adds.
    destructiveHint: tool.kind !== 'read' && tool.kind !== 'add',
    untrustedContentHint: tool.untrusted,
    consequentialHint: tool.kind === 'run' || tool.kind === 'destroy'
  };
}

/**
 * A tool as MCP lists it. Tab and bridge both list through this, so that an
 * agent sees the same tool whether or not a tab is connected.
 */
export function listTool(tool: IDescribedTool): IListedTool {
  const { readOnlyHint, destructiveHint } = hints(tool);
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: { ...tool.inputSchema, type: 'object' },
    annotations: { readOnlyHint, destructiveHint }
  };
}
