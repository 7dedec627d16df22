import { cleanText } from '../../../src/results/terminal';

const ESC = '\u001b';

describe('cleanText: control characters', () => {
  it.each([
    ['plain text is the same string', 'a\tb\nc é 日本 👩‍🌾', 'a\tb\nc é 日本 👩‍🌾'],
    [
      'other control characters go',
      'a\0b\u0007c\u000bd\u007fe\u0086f',
      'abcdef'
    ],
    ['tab and newline stay', '\ta\t\n\tb', '\ta\t\n\tb'],
    ['CRLF is a newline', 'a\r\nb\r\n', 'a\nb\n'],
    ['CR CRLF too', 'a\r\r\nb', 'a\nb'],
    ['a carriage return writes over', 'abcdef\rXY', 'XYcdef'],
    ['only the last frame is left', '  1%\r 50%\r100%\n', '100%\n'],
    ['a backspace goes back', 'abc\b\bX', 'aXc'],
    ['backspaces stop at the line’s start', 'a\n\b\b\bX', 'a\nX'],
    ['a spinner', '|\b/\b-\b\\\b done', ' done'],
    ['spaces at a line’s end stay', 'a  \nb ', 'a  \nb ']
  ])('%s', (_, text, shown) => {
    expect(cleanText(text)).toBe(shown);
  });
});

describe('cleanText: sequences without a trace', () => {
  it.each([
    [
      'colours',
      `${ESC}[1;31mred${ESC}[0m ${ESC}[38:2::1:2:3mx${ESC}[m`,
      'red x'
    ],
    ['8-bit colours', '\u009b31mred\u009b0m', 'red'],
    ['modes', `${ESC}[?25lx${ESC}[?25h${ESC}=${ESC}>`, 'x'],
    ['titles ended by BEL', `${ESC}]0;title\u0007x`, 'x'],
    ['titles ended by ST', `${ESC}]0;title${ESC}\\x\u009d2;t\u009cy`, 'xy'],
    ['links', `${ESC}]8;;http://a${ESC}\\text${ESC}]8;;${ESC}\\`, 'text'],
    ['device strings with bells', `${ESC}Pq\u0007data\n${ESC}\\x`, 'x'],
    [
      'APC, PM, SOS',
      `${ESC}_a${ESC}\\1${ESC}^b${ESC}\\2${ESC}Xc${ESC}\\3`,
      '123'
    ],
    ['character sets', `${ESC}(Bx${ESC}#8y${ESC} Gz`, 'xyz'],
    ['with intermediates', `${ESC}[1 qx${ESC}[!p`, 'x'],
    ['at the text’s end', `x${ESC}`, 'x'],
    ['unfinished at the text’s end', `x${ESC}[12;3`, 'x'],
    ['broken off by another', `${ESC}[3${ESC}[1mx`, 'x'],
    ['broken off by a newline', `a${ESC}[3\nb`, 'a\nb'],
    ['doubled ESC', `${ESC}${ESC}[31mx`, 'x'],
    [
      'a string that nothing ends takes its line only',
      `a${ESC}]0;t\nb`,
      'a\nb'
    ],
    ['a single character that nothing ends', 'a\u009dt\u0090u\nb', 'atu\nb'],
    [
      'a single character ended on a later line',
      'a\u009dt\nb\u009cc',
      'at\nbc'
    ],
    ['a string broken off by ESC', `a${ESC}]0;t${ESC}[1mb`, 'ab'],
    ['a string broken off on a later line', `a${ESC}Pt\nb${ESC}[1mc`, 'a\nbc'],
    ['an unknown final letter', `a${ESC}[5yb${ESC}[zc`, 'abc']
  ])('%s', (_, text, shown) => {
    expect(cleanText(text)).toBe(shown);
  });
});

describe('cleanText: long texts', () => {
  it.each([
    ['colours', `${ESC}[1;32mrow${ESC}[0m of it\n`, 'row of it\n'],
    ['CRLF', 'row of it\r\r\n', 'row of it\n'],
    ['colours in other scripts', `日本 ${ESC}[mé\r\n`, '日本 é\n'],
    ['colours in one line', `${ESC}[31mrow ${ESC}[0m`, 'row '],
    ['another sequence', `${ESC}[31mrow${ESC}[0K\r\n`, 'row\n']
  ])('%s', (_, line, shown) => {
    for (const lines of [1, 700, 5000]) {
      expect(cleanText(line.repeat(lines))).toBe(shown.repeat(lines));
    }
    expect(cleanText(`${line.repeat(5000)}end\r`)).toBe(
      `${shown.repeat(5000)}end`
    );
  });
});

describe('cleanText: cursor', () => {
  it.each([
    ['up', `a\nb${ESC}[AX`, 'aX\nb'],
    ['up beyond the top', `a\nb\r${ESC}[99AX`, 'X\nb'],
    ['down', `a${ESC}[BX`, 'a\n X'],
    ['right', `a${ESC}[3CX`, 'a   X'],
    ['right over text', `abcd\r${ESC}[2CX`, 'abXd'],
    ['left', `abc${ESC}[2DX`, 'aXc'],
    ['next line', `abc${ESC}[EX`, 'abc\nX'],
    ['line before', `abc\ndef${ESC}[FX`, 'Xbc\ndef'],
    ['column', `abc${ESC}[2GX${ESC}[1\`Y`, 'YXc'],
    ['position', `abc\ndef${ESC}[1;2HX${ESC}[2;3fY`, 'aXc\ndeY'],
    ['home', `abc\ndef${ESC}[HX`, 'Xbc\ndef'],
    ['row', `abc\ndef${ESC}[1dX`, 'abcX\ndef'],
    [
      'saved and restored',
      `abc${ESC}7\ndef${ESC}8X${ESC}[s${ESC}[Y${ESC}[uZ`,
      'abcXZ\ndef'
    ],
    ['index and reverse index', `ab${ESC}DX${ESC}MY\u008dZ`, 'ab YZ\n  X'],
    ['next line in 8 bits', 'a\u0085b', 'a\nb'],
    ['a tab over text only moves', 'abcdefghijk\r\tX', 'abcdefghXjk'],
    ['text over a tab', 'a\tb\rXYZ', 'XYZ     b'],
    [
      'a newline in the middle of the screen',
      `a\nb\nc${ESC}[2A\rX\nY`,
      'X\nY\nc'
    ],
    ['a move without text leaves nothing', `a${ESC}[5C${ESC}[5B`, 'a']
  ])('%s', (_, text, shown) => {
    expect(cleanText(text)).toBe(shown);
  });

  it('does not open up a screen that nothing fills', () => {
    const line = cleanText(`a${ESC}[999999999CX`);
    expect(line).toHaveLength(1001);
    expect(cleanText(`a${ESC}[999999999BX`).split('\n')).toHaveLength(1001);
    expect(cleanText(`${ESC}[999999999;999999999HX`).length).toBeLessThan(3000);
  });

  it('goes beyond column 1,000 where there is text', () => {
    const text = 'é日'.repeat(2000);
    expect(cleanText(`${text}${ESC}[D\b${ESC}[CX`).startsWith('é日é日')).toBe(
      true
    );
    expect(cleanText(`${'x'.repeat(5000)}${ESC}[DY`)).toBe(
      `${'x'.repeat(4999)}Y`
    );
    expect(cleanText(`${'x'.repeat(5000)}\r${ESC}[4999CY`)).toBe(
      `${'x'.repeat(4999)}Y`
    );
  });
});

describe('cleanText: erasing and shifting', () => {
  it.each([
    ['to the line’s end', `abcdef${ESC}[3D${ESC}[K`, 'abc'],
    ['to the line’s start', `abcdef${ESC}[3D${ESC}[1K`, '    ef'],
    ['the line', `abc${ESC}[2KX`, '   X'],
    ['the line and back', `abc\r${ESC}[2KX`, 'X'],
    ['below', `abc\ndef\nghi${ESC}[2A\b${ESC}[J`, 'ab'],
    ['above', `abc\ndef${ESC}[D${ESC}[1J`, '\n'],
    ['above, with rest', `abc\ndef${ESC}[2D${ESC}[1J`, '\n  f'],
    ['all and home', `abc\ndef${ESC}[2J${ESC}[HX`, 'X\n'],
    ['home and all', `abc\ndef${ESC}[H${ESC}[2JX`, 'X'],
    ['reset', `abc\ndef${ESC}cX`, 'X'],
    ['characters', `abcdef\r${ESC}[2XX`, 'X cdef'],
    ['characters to the end', `abcdef${ESC}[2D${ESC}[9X`, 'abcd'],
    ['deleted characters', `abcdef\r${ESC}[2P`, 'cdef'],
    ['inserted characters', `abc\r${ESC}[2@X`, 'X abc'],
    ['inserted lines', `abc\ndef${ESC}[A${ESC}[LX`, 'X\nabc\ndef'],
    ['deleted lines', `abc\ndef\nghi${ESC}[2A${ESC}[2MX`, 'Xhi'],
    ['nothing right of the text', `abc${ESC}[K${ESC}[P${ESC}[@${ESC}[X`, 'abc']
  ])('%s', (_, text, shown) => {
    expect(cleanText(text)).toBe(shown);
  });
});

describe('cleanText: cells', () => {
  it.each([
    ['a wide letter half written over', '日本\rab', 'ab本'],
    ['its first half', '日本\ra', 'a 本'],
    ['its second half', `日本${ESC}[3DX`, ' X本'],
    ['a grapheme is one', 'e\u0301x\rA', 'Ax'],
    ['a mark after a sequence', `e${ESC}[1m\u0301\bX`, 'X'],
    ['emoji are two', '👩‍🌾x\rab', 'abx'],
    ['a flag too', '🇩🇪x\rab', 'abx'],
    ['astral letters are one', '𝒳y\ra', 'ay'],
    ['erasing half a wide one', `日本${ESC}[D${ESC}[K`, '日 ']
  ])('%s', (_, text, shown) => {
    expect(cleanText(text)).toBe(shown);
  });

  it('never splits a surrogate pair', () => {
    for (let column = 0; column < 8; column++) {
      const text = cleanText(`😀𝒳😀𝒳\r${ESC}[${column}CX${ESC}[P`);
      expect(/\p{Surrogate}/u.test(text)).toBe(false);
    }
  });
});
