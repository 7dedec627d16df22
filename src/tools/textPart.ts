import type { Data } from '../calls/types';
import { sliceRange } from '../results/text';
import type { IRange } from './shared';

/**
 * A part of a text that a tool reads in parts: the text, where it stands in
 * the whole, and the range to ask for next (characters; contract: Results on
 * the MCP surface). `whole` is without its secrets: a range that begins inside
 * one would show the rest of it.
 */
export function textPart(
  field: string,
  whole: string,
  asked: IRange,
  revision: string
): Data {
  const { text, offset } = sliceRange(whole, asked.offset, asked.length);
  const end = offset + text.length;
  return {
    [field]: text,
    range: { offset, total: whole.length },
    ...(end < whole.length
      ? {
          nextRange: {
            offset: end,
            length: Math.min(asked.length ?? Infinity, whole.length - end),
            revision
          }
        }
      : {})
  };
}
