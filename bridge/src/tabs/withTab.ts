import type { Result } from '@modelcontextprotocol/sdk/types.js';

/**
 * Says in a result which of several tabs it comes from, as `data.tab`, in the
 * structured content and in the last text block, which repeats it; a result
 * with a picture has the text block only. A result that has it already, or
 * has no data, is left alone.
 */
export function withTab(
  result: Result,
  tab: Readonly<Record<string, unknown>>
): Result {
  const { structuredContent, content } = result;
  if (!Array.isArray(content)) {
    return result;
  }
  const last: unknown = content.at(-1);
  const before = structuredContent ?? parsed(last);
  if (!isObject(before) || !isObject(before.data) || 'tab' in before.data) {
    return result;
  }
  const after = { ...before, data: { ...before.data, tab } };
  return {
    ...result,
    ...(structuredContent === undefined ? {} : { structuredContent: after }),
    content:
      isText(last) && last.text === JSON.stringify(before)
        ? [...content.slice(0, -1), { ...last, text: JSON.stringify(after) }]
        : content
  };
}

function parsed(block: unknown): unknown {
  try {
    return isText(block) ? JSON.parse(block.text) : undefined;
  } catch {
    return undefined;
  }
}

function isText(block: unknown): block is { type: 'text'; text: string } {
  return (
    isObject(block) && block.type === 'text' && typeof block.text === 'string'
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
