import type { IDescribedTool, ToolKind } from './listing';
import { isScope } from './scopes';
import { isRecord } from './values';

/**
 * The generated list of the default tools: what the bridge serves while no
 * tab is connected.
 */
export interface ICatalogue {
  /** How to work here, for MCP's `initialize`; at most 1,500 characters. */
  instructions: string;
  tools: IDescribedTool[];
}

const KINDS: readonly ToolKind[] = ['read', 'add', 'edit', 'run', 'destroy'];

/** Narrows what was read from `catalogue.json`. @throws when it is none. */
export function readCatalogue(value: unknown): ICatalogue {
  if (
    isRecord(value) &&
    typeof value.instructions === 'string' &&
    Array.isArray(value.tools)
  ) {
    return {
      instructions: value.instructions,
      tools: value.tools.map(readTool)
    };
  }
  throw new Error('catalogue.json is not a catalogue: generate it again');
}

function readTool(value: unknown): IDescribedTool {
  if (isRecord(value)) {
    const { name, title, description, kind, scope, untrusted, inputSchema } =
      value;
    const known = KINDS.find(each => each === kind);
    if (
      typeof name === 'string' &&
      typeof title === 'string' &&
      typeof description === 'string' &&
      known !== undefined &&
      (scope === 'call' || isScope(scope)) &&
      typeof untrusted === 'boolean' &&
      isRecord(inputSchema)
    ) {
      return {
        name,
        title,
        description,
        kind: known,
        scope,
        untrusted,
        inputSchema
      };
    }
  }
  throw new Error('catalogue.json holds a broken tool: generate it again');
}
