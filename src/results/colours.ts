/* eslint-disable no-control-regex -- escape sequences are what this module is about */

/** Colours, and the CR of CRLF: what most outputs have and no cell depends on. */
const HARMLESS = /\x1b\[[\d;:]{0,60}m|\r(?=[\r\n])/g;
const ANY = new RegExp(HARMLESS.source);
/** Units of a colour's numbers, at most. */
const NUMBERS = 60;

/** Up to this length looking for escapes is quicker than replacing. */
const SHORT = 500;
/** From this length on bytes are quicker than replacing. */
const LONG = 20_000;
/** Units that are made bytes at once, to be counted up to the end of a line. */
const WINDOW = 262_144;

/**
 * The text without colours, and without the CR of CRLF (of several all). What
 * they stand between may then look like a sequence: nothing is removed twice.
 */
export function withoutColours(text: string): string {
  if (text.length <= SHORT) {
    return ofShort(text) ?? text.replace(HARMLESS, '');
  }
  if (!ANY.test(text)) {
    return text;
  }
  return (
    (text.length >= LONG ? ofAscii(text) : null) ?? text.replace(HARMLESS, '')
  );
}

/** Null where there is more than whole colours. */
function ofShort(text: string): string | null {
  let plain = '';
  let from = 0;
  let at = text.indexOf('\x1b');
  for (; at >= 0; at = text.indexOf('\x1b', from)) {
    let end = at + 2;
    let code = text.charCodeAt(end);
    while (code >= 0x30 && code <= 0x3b) {
      code = text.charCodeAt(++end);
    }
    if (text[at + 1] !== '[' || end - at - 2 > NUMBERS || code !== 0x6d) {
      return null;
    }
    plain += text.slice(from, at);
    from = end + 1;
  }
  plain += text.slice(from);
  return plain.includes('\r') ? null : plain;
}

/** As bytes, some lines at once; null where there is more than ASCII. */
function ofAscii(text: string): string | null {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  const parts: string[] = [];
  for (let from = 0; from < text.length;) {
    const newline = text.indexOf('\n', from + WINDOW);
    const to = newline < 0 ? text.length : newline + 1;
    const bytes = encoder.encode(text.slice(from, to));
    const length = compact(bytes);
    if (length === null) {
      return null;
    }
    parts.push(decoder.decode(bytes.subarray(0, length)));
    from = to;
  }
  return parts.join('');
}

/** Moves what stays to the front, and says how much it is; null beyond ASCII. */
function compact(bytes: Uint8Array): number | null {
  let length = 0;
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte > 0x7f) {
      return null;
    }
    const end = byte > 0x1b ? at : goesUpTo(bytes, at);
    if (end === at) {
      bytes[length++] = byte;
      at++;
    } else {
      at = end;
    }
  }
  return length;
}

/** Where what goes from `at` on ends; `at` where nothing goes. */
function goesUpTo(bytes: Uint8Array, at: number): number {
  const next = bytes[at + 1];
  if (bytes[at] === 0x0d) {
    return next === 0x0a || next === 0x0d ? at + 1 : at;
  }
  if (bytes[at] !== 0x1b || next !== 0x5b) {
    return at;
  }
  const most = at + 2 + NUMBERS;
  let end = at + 2;
  while (bytes[end] >= 0x30 && bytes[end] <= 0x3b && end <= most) {
    end++;
  }
  return bytes[end] === 0x6d && end <= most ? end + 1 : at;
}
