import type { Data } from '../calls/types';
import {
  firstPrinted,
  type IShown,
  lastPrinted,
  type Redact
} from '../results/index';
import { isRecord } from '../../protocol/values';

/** Characters of an output's text that a summary keeps. */
const KEPT = 300;

/**
 * An output in short: its kind, its MIME types, and the beginning of its
 * text, or the end of it where that tells more.
 */
export function summarize(output: unknown, redact: Redact): Data {
  if (!isRecord(output)) {
    return { output_type: 'unknown' };
  }
  const kind = text(output.output_type);
  switch (kind) {
    case 'stream':
      return {
        output_type: kind,
        name: text(output.name),
        ...end(output.text, redact)
      };
    case 'error':
      return {
        output_type: kind,
        errorName: text(output.ename),
        errorValue: firstPrinted(text(output.evalue), KEPT, redact).text
      };
    default: {
      const data = isRecord(output.data) ? output.data : {};
      return {
        output_type: kind,
        mimeTypes: Object.keys(data),
        ...start(data['text/plain'], redact)
      };
    }
  }
}

function start(value: unknown, redact: Redact): Data {
  const whole = text(value);
  if (whole === '') {
    return typeof value === 'string' ? { text: '' } : {};
  }
  return part(whole, firstPrinted(whole, KEPT, redact));
}

/**
 * What was printed last says most of what a stream is about: as it stands
 * there at the end, not as it was drawn over and over.
 */
function end(value: unknown, redact: Redact): Data {
  const whole = text(value);
  return part(whole, lastPrinted(whole, KEPT, redact));
}

function part(whole: string, { text: kept, total }: IShown): Data {
  return {
    text: kept,
    ...(kept.length < total ? { characters: whole.length } : {})
  };
}

/** A text, or the lines of one as files have them. */
function text(value: unknown): string {
  return typeof value === 'string'
    ? value
    : Array.isArray(value) && value.every(line => typeof line === 'string')
      ? value.join('')
      : '';
}
