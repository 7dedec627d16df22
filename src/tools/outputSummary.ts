import { beginning } from '../calls/textEdits';
import type { Data } from '../calls/types';
import { cutAfter, cutBefore } from '../results/graphemes';
import { cleanText } from '../results/terminal';
import { isRecord } from '../../protocol/values';

/** Characters of an output's text that a summary keeps. */
const KEPT = 300;

/** Characters of a text that are looked at, before it is played out as a terminal would. */
const LOOKED_AT = 20000;

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
  const whole = text(value);
  if (whole === '') {
    return typeof value === 'string' ? { text: '' } : {};
  }
  const shown = cleanText(whole.slice(0, LOOKED_AT));
  return part(whole, shown, shown.slice(0, cutBefore(shown, KEPT)));
}

/**
 * What was printed last says most of what a stream is about: as it stands
 * there at the end, not as it was drawn over and over.
 */
function end(value: unknown): Data {
  const whole = text(value);
  const shown = cleanText(whole.slice(-LOOKED_AT));
  const from = cutAfter(shown, Math.max(0, shown.length - KEPT));
  return part(whole, shown, shown.slice(from));
}

function part(whole: string, shown: string, kept: string): Data {
  const isWhole = whole.length <= LOOKED_AT && kept.length === shown.length;
  return { text: kept, ...(isWhole ? {} : { characters: whole.length }) };
}

/** A text, or the lines of one as files have them. */
function text(value: unknown): string {
  return typeof value === 'string'
    ? value
    : Array.isArray(value) && value.every(line => typeof line === 'string')
      ? value.join('')
      : '';
}
