const ESC = '\u001b';
const CR = '\r';
/** Units of a colour's numbers, at most. */
const NUMBERS = 60;

/**
 * Units that are gone through at once, up to the end of a line. What a text is
 * put together from is then forgotten soon, which takes half the time in long ones.
 */
const WINDOW = 16_384;

/**
 * The text without what most outputs have and no cell depends on: colours, and
 * the CR of CRLF (of several all). What they stand between may then look like
 * a sequence: nothing is removed twice. Null where there is an escape sequence
 * that is none of these.
 */
export function withoutColours(text: string): string | null {
  if (text.length <= WINDOW) {
    return ofWindow(text);
  }
  const parts: string[] = [];
  for (let from = 0; from < text.length;) {
    const newline = text.indexOf('\n', from + WINDOW);
    const to = newline < 0 ? text.length : newline + 1;
    const part = ofWindow(text.slice(from, to));
    if (part === null) {
      return null;
    }
    parts.push(part);
    from = to;
  }
  return parts.join('');
}

function ofWindow(text: string): string | null {
  let plain = '';
  let from = 0;
  let escape = text.indexOf(ESC);
  let cr = text.indexOf(CR);
  while (escape >= 0 || cr >= 0) {
    const isCr = escape < 0 || (cr >= 0 && cr < escape);
    const at = isCr ? cr : escape;
    const end = isCr ? behindCr(text, at) : behindColour(text, at);
    if (isCr) {
      cr = text.indexOf(CR, at + 1);
    } else if (end > at) {
      escape = text.indexOf(ESC, end);
    } else {
      return null;
    }
    if (end > at) {
      plain += text.slice(from, at);
      from = end;
    }
  }
  if (from === 0) {
    return text;
  }
  plain += text.slice(from);
  // Reading in it makes it one string, so that its pieces can be forgotten.
  return plain.charCodeAt(0) >= 0 ? plain : '';
}

/** Behind a CR that stands before a newline or another CR; else before it. */
function behindCr(text: string, at: number): number {
  const next = text.charCodeAt(at + 1);
  return next === 0x0a || next === 0x0d ? at + 1 : at;
}

/** Behind the colour that begins at `at`; `at` where none does. */
function behindColour(text: string, at: number): number {
  let end = at + 2;
  let code = text.charCodeAt(end);
  while (code >= 0x30 && code <= 0x3b) {
    code = text.charCodeAt(++end);
  }
  const isColour =
    text[at + 1] === '[' && code === 0x6d && end - at - 2 <= NUMBERS;
  return isColour ? end + 1 : at;
}
