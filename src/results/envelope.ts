import type { IJsonObject } from './json';
import { measure } from './measure';
import type { Redact } from './redact';
import type { Cut } from './shorten';
import { fitMiddle, wellFormed } from './text';

/** Bytes that every result may have, whatever the setting says. */
const SMALLEST_CAP = 4000;

/** The part of a text to ask for next, in characters (UTF-16 units). */
export interface INextRange {
  readonly offset: number;
  readonly length: number;
  readonly revision?: string;
}

/** What was cut, and how to read on (contract: Results on the MCP surface). */
export interface ITruncation {
  /** The path in `data` of the text that was cut; the largest of several. */
  readonly field: string;
  /** Characters of it that were returned; of an array, items. */
  readonly returned: number;
  readonly total: number;
  /** Null where nothing can be called with it. */
  readonly nextRange: INextRange | null;
  /** For `read_result`; null where the whole is not kept. */
  readonly resultId: string | null;
  /** The first 20 cuts, when there were several. */
  readonly cuts: readonly Cut[];
  readonly count: number;
}

/** The structured content of a result. */
export interface IEnvelope {
  readonly [key: string]: unknown;
  readonly data: IJsonObject;
  readonly truncation: ITruncation | null;
  readonly auditId: number | null;
}

/** The bytes that a cap's setting stands for. */
export function capBytes(cap: number): number {
  return Math.max(SMALLEST_CAP, Math.floor(cap));
}

/** Q's note at a cut text's end, with what to call, if anything. */
export function note(
  returned: number,
  total: number,
  call: 'nextRange' | 'read_result' | null
): string {
  const how =
    call === 'nextRange'
      ? ' Call again with the nextRange from this result to read more.'
      : call === 'read_result'
        ? ' Call read_result with the resultId, field and nextRange from this result to read more.'
        : '';
  return `[truncated: ${returned} of ${total} characters.${how}]`;
}

/** The bytes of the envelope's JSON; once above `enough`, only that it is more. */
export function sizeOf(envelope: IEnvelope, enough: number): number {
  const { data, truncation, auditId } = envelope;
  const others = JSON.stringify({ data: 0, truncation, auditId });
  return (
    new TextEncoder().encode(others).length - 1 + measure(data, 'bytes', enough)
  );
}

/** The structured content of an error. */
export interface IErrorContent {
  readonly code: string;
  readonly message: string;
  readonly auditId: number | null;
  readonly retryable: boolean;
}

/** An error object within the cap: where its message is too long, its middle goes. */
export function capError<E extends IErrorContent>(
  error: E,
  options: { readonly cap: number; readonly redact?: Redact }
): E {
  const limit = capBytes(options.cap);
  const message = wellFormed(error.message);
  const others = JSON.stringify({ ...error, message: '' });
  const room = limit - new TextEncoder().encode(others).length;
  return {
    ...error,
    message: fitMiddle(options.redact?.(message) ?? message, room, 'bytes')
  };
}
