import { beginning } from '../calls/textEdits';
import type { Data } from '../calls/types';

/** Characters of an output's text that a summary keeps. */
const KEPT = 300;

/**
 * An output in short: its kind, its MIME types, and the beginning of its
 * text, or the end of it where that tells more.
 */
export function summarize(output: unknown): Data {
  if (!isRecord(output)) {
    return { output_type: 'unknown' };
  }
  const kind = text(output.output_type);
  switch (kind) {
    case 'stream':
      return {
        output_type: kind,
        name: text(output.name),
        ...end(output.text)
      };
    case 'error':
      return {
        output_type: kind,
        errorName: text(output.ename),
        errorValue: beginning(text(output.evalue), KEPT)
      };
    default: {
      const data = isRecord(output.data) ? output.data : {};
      return {
        output_type: kind,
        mimeTypes: Object.keys(data),
        ...start(data['text/plain'])
      };
    }
  }
}

function start(value: unknown): Data {
  if (typeof value !== 'string') {
    return {};
  }
  const kept = beginning(value, KEPT);
  return { text: kept, ...lengthOf(value, kept) };
}

/** What was printed last says most of what a stream is about. */
function end(value: unknown): Data {
  const whole = text(value);
  const from = Math.max(0, whole.length - KEPT);
  const kept = whole.slice(from).replace(/^[\udc00-\udfff]/, '');
  return { text: kept, ...lengthOf(whole, kept) };
}

function lengthOf(whole: string, kept: string): Data {
  return whole.length > kept.length ? { characters: whole.length } : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
