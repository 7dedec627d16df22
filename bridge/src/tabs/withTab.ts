import type { Result } from '@modelcontextprotocol/sdk/types.js';

/**
 * Says in a result which of several tabs it comes from, as `data.tab`, in the
 * structured content and in the text block that repeats it. A result that has
 * it already, or has no data, is left alone.
 */
export function withTab(
  result: Result,
  tab: Readonly<Record<string, unknown>>
): Result {
  const { structuredContent, content } = result;
  if (
    !isObject(structuredContent) ||
    !isObject(structuredContent.data) ||
    'tab' in structuredContent.data ||
    !Array.isArray(content)
  ) {
    return result;
  }
  const before = JSON.stringify(structuredContent);
  const after = {
    ...structuredContent,
    data: { ...structuredContent.data, tab }
  };
  return {
    ...result,
    structuredContent: after,
    content: content.map((block: unknown) =>
      isObject(block) && block.type === 'text' && block.text === before
        ? { ...block, text: JSON.stringify(after) }
        : block
    )
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
