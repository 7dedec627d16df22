import { META_PREFIX, META_SCOPE } from '../../../protocol/frames';
import { listTool, type IDescribedTool } from '../../../protocol/listing';
import { isScope, type Scope } from '../../../protocol/scopes';

/** A tool as the bridge serves it: its entry in `tools/list`, and its scope. */
export interface IServedTool {
  readonly name: string;
  readonly listing: Readonly<Record<string, unknown>>;
  /** Null: the tab did not say, and the catalogue may know. */
  readonly scope: Scope | 'call' | null;
}

/** A tool of the catalogue. */
export function servedFromCatalogue(tool: IDescribedTool): IServedTool {
  return { name: tool.name, listing: { ...listTool(tool) }, scope: tool.scope };
}

/** A tool that a tab listed. */
export function servedFromTab(
  tool: { name: string } & Record<string, unknown>
): IServedTool {
  const meta = tool._meta;
  const scope =
    typeof meta === 'object' && meta !== null && META_SCOPE in meta
      ? meta[META_SCOPE]
      : null;
  return {
    name: tool.name,
    listing: withoutOwnMeta(tool),
    scope: scope === 'call' || isScope(scope) ? scope : null
  };
}

/**
 * The tools to list: what any tab lists, in the catalogue's order and then
 * their own; null when no tab has listed any yet.
 */
export function joinTools(
  catalogue: readonly IServedTool[],
  lists: readonly (readonly IServedTool[])[]
): IServedTool[] | null {
  if (lists.length === 0) {
    return null;
  }
  const joined = new Map<string, IServedTool>();
  for (const tool of lists.flat()) {
    if (!joined.has(tool.name)) {
      joined.set(tool.name, tool);
    }
  }
  const order = new Map(catalogue.map((tool, index) => [tool.name, index]));
  const place = (tool: IServedTool) => order.get(tool.name) ?? order.size;
  return [...joined.values()].sort((a, b) => place(a) - place(b));
}

/** A copy without the metadata that only bridge and tab have for each other. */
export function withoutOwnMeta(
  object: Readonly<Record<string, unknown>>
): Record<string, unknown> {
  const { _meta: meta, ...rest } = object;
  if (typeof meta !== 'object' || meta === null) {
    return rest;
  }
  const kept = Object.entries(meta).filter(
    ([key]) => !key.startsWith(META_PREFIX)
  );
  return kept.length > 0 ? { ...rest, _meta: Object.fromEntries(kept) } : rest;
}
