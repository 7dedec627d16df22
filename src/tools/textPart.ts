import type { Data } from '../calls/types';
import { type Redact, sliceRange } from '../results/index';
import type { IRange } from './shared';

/**
 * A part of a text that a tool reads in parts: the text, where it stands in
 * the whole, and the range to ask for next (characters; contract: Results on
 * the MCP surface). Its secrets are replaced first: a range that begins inside
 * one would show the rest of it.
 */
export function textPart(
  field: string,
  original: string,
  asked: IRange,
  revision: string,
  redact: Redact
): Data {
  const whole = redact(original);
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
