/* eslint-disable no-control-regex -- control characters are what this module is about */
import { withoutColours } from './colours';
import { Screen } from './screen';
import { isSimple } from './text';

/**
 * Text as a terminal would show it (contract: Results on the WebMCP surface):
 * carriage returns, backspaces, cursor and erase sequences are played out, so
 * that of a progress bar only the last frame is left; all other escape
 * sequences and control characters but tab and newline go.
 *
 * The screen has no width and a long memory: rows don't wrap, the cursor
 * reaches back over the last 10,000 rows, and moves to where nothing stands
 * end at column 1,000. A newline also returns to column 0. A grapheme is a
 * cell, a wide one two. Both forms of a sequence are known, ESC and a letter
 * as well as the single 8-bit character.
 *
 * Time and memory are linear in the length of the text, whatever it holds.
 */
export function cleanText(text: string): string {
  if (!CONTROL.test(text)) {
    return text;
  }
  const plain = withoutColours(text);
  if (plain !== null && (isSimple(plain) || !CONTROL.test(plain))) {
    return plain;
  }
  // Nothing was in the middle of a sequence if none of it is left.
  const isWhole = plain === null || INTRODUCES.test(plain);
  return new Player(isWhole ? text : plain).play();
}

/** Everything but text, tabs and newlines. */
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
const NEXT_CONTROL = new RegExp(CONTROL, 'g');
const INTRODUCES = /[\x1b\x80-\x9f]/;
/** So far looking at each unit is quicker than a search. */
const NEAR = 64;
/** Units of a sequence's parameters that are read. */
const LONGEST = 40;
/** What ends the text of a device's command, or breaks it off. */
const STRING_END = /[\x18\x1a\x1b\x9c]/g;
/** A bell ends an operating system command too. */
const OS_STRING_END = /[\x07\x18\x1a\x1b\x9c]/g;

const NEWLINE = /\n/g;

/** Letters behind ESC and what they are as a single character. */
const INTRODUCERS = 'DEMPX[\\]^_';

class Player {
  constructor(private readonly _text: string) {
    this._screen = new Screen(_text.length);
  }

  play(): string {
    const text = this._text;
    let at = 0;
    while (at < text.length) {
      const control = this._nextControl(at);
      if (control > at) {
        this._screen.print(text.slice(at, control));
      }
      at = control < text.length ? this._control(control) : control;
    }
    return this._screen.toString();
  }

  /** Plays the control character at `at`; gives where its sequence ends. */
  private _control(at: number): number {
    const code = this._text.charCodeAt(at);
    if (code === 0x0d) {
      this._screen.carriageReturn();
    } else if (code === 0x08) {
      this._screen.move(0, -1);
    } else if (code === 0x1b) {
      return this._escape(at + 1);
    } else if (code >= 0x80) {
      return this._introduced(String.fromCharCode(code - 0x40), at + 1);
    }
    return at + 1;
  }

  private _escape(at: number): number {
    if (this._text.charCodeAt(at) === 0x5b) {
      return this._csi(at + 1);
    }
    const end = this._skip(at, 0x20, 0x2f);
    const final = this._text[end] ?? '';
    if (end > at || !(final >= '0' && final <= '~')) {
      return final >= '0' && final <= '~' ? end + 1 : end;
    }
    if (INTRODUCERS.includes(final)) {
      return this._introduced(final, at + 1);
    }
    if (final === '7') {
      this._screen.save();
    } else if (final === '8') {
      this._screen.restore();
    } else if (final === 'c') {
      this._screen.reset();
    }
    return at + 1;
  }

  /** What begins with ESC and a letter, or the 8-bit form of both. */
  private _introduced(letter: string, at: number): number {
    switch (letter) {
      case '[':
        return this._csi(at);
      case ']':
        return this._skipString(at, 'os');
      case 'P':
      case 'X':
      case '^':
      case '_':
        return this._skipString(at, 'device');
      case 'D':
        this._screen.move(1, 0);
        return at;
      case 'E':
        this._screen.newline();
        return at;
      case 'M':
        this._screen.move(-1, 0);
        return at;
      default:
        return at;
    }
  }

  /**
   * Skips the text of a command that is not for the screen. One that nothing
   * ends reaches to the end of its line: what follows is not lost with it.
   * After a single character, which text in a wrong encoding is full of, only
   * one that ends in its line is a command.
   */
  private _skipString(at: number, kind: 'os' | 'device'): number {
    const text = this._text;
    if (this._ends[kind] < at) {
      const pattern = kind === 'os' ? OS_STRING_END : STRING_END;
      this._ends[kind] = this._find(pattern, at);
    }
    if (this._ends.line < at) {
      this._ends.line = this._find(NEWLINE, at);
    }
    const end = this._ends[kind];
    const { line } = this._ends;
    const code = text.charCodeAt(end);
    const length =
      code === 0x07 || code === 0x9c
        ? 1
        : code === 0x1b && text[end + 1] === '\\'
          ? 2
          : 0;
    if (text.charCodeAt(at - 1) >= 0x80 && (length === 0 || line < end)) {
      return at;
    }
    return length > 0 ? end + length : Math.min(line, end);
  }

  private _csi(at: number): number {
    const text = this._text;
    const end = this._skip(at, 0x30, 0x3f);
    const last = this._skip(end, 0x20, 0x2f);
    const final = text.charCodeAt(last);
    if (!(final >= 0x40 && final <= 0x7e)) {
      return last;
    }
    // One with letters between, or for one terminal's own use, is none of these.
    if (last === end && !(text.charCodeAt(at) >= 0x3c && end > at)) {
      this._sequence(final, at, end);
    }
    return last + 1;
  }

  /** Behind all units from `from` on that are in a range. */
  private _skip(from: number, least: number, most: number): number {
    let at = from;
    for (;;) {
      const code = this._text.charCodeAt(at);
      if (!(code >= least && code <= most)) {
        return at;
      }
      at++;
    }
  }

  private _nextControl(from: number): number {
    const text = this._text;
    const near = Math.min(from + NEAR, text.length);
    for (let at = from; at < near; at++) {
      const code = text.charCodeAt(at);
      if (code < 0x20 ? code < 9 || code > 10 : code >= 0x7f && code < 0xa0) {
        return at;
      }
    }
    return this._find(NEXT_CONTROL, near);
  }

  /** Where the pattern, for one unit, next matches, or the text's end. */
  private _find(pattern: RegExp, from: number): number {
    pattern.lastIndex = from;
    return pattern.test(this._text) ? pattern.lastIndex - 1 : this._text.length;
  }

  /** One of a sequence's numbers, 0 where it has none. */
  private _parameter(index: number, from: number, to: number): number {
    let value = 0;
    let left = index;
    const end = Math.min(to, from + LONGEST);
    for (let at = from; at < end; at++) {
      const code = this._text.charCodeAt(at);
      if (code === 0x3a || code === 0x3b) {
        if (left-- === 0) {
          break;
        }
      } else if (left === 0) {
        if (code > 0x39) {
          return 0;
        }
        value = Math.min(10 * value + code - 0x30, 1e6);
      }
    }
    return value;
  }

  private _sequence(final: number, from: number, to: number): void {
    const first = this._parameter(0, from, to);
    const count = Math.max(1, first);
    const screen = this._screen;
    switch (final) {
      case 0x41: // A
        return screen.move(-count, 0);
      case 0x42: // B
      case 0x65: // e
        return screen.move(count, 0);
      case 0x43: // C
      case 0x61: // a
        return screen.move(0, count);
      case 0x44: // D
        return screen.move(0, -count);
      case 0x45: // E
        screen.move(count, 0);
        return screen.carriageReturn();
      case 0x46: // F
        screen.move(-count, 0);
        return screen.carriageReturn();
      case 0x47: // G
      case 0x60: // `
        return screen.toColumn(count - 1);
      case 0x48: // H
      case 0x66: // f
        screen.toRow(count - 1);
        return screen.toColumn(Math.max(1, this._parameter(1, from, to)) - 1);
      case 0x64: // d
        return screen.toRow(count - 1);
      case 0x4a: // J
        return first <= 3 ? screen.eraseDisplay(first) : undefined;
      case 0x4b: // K
        return first <= 2 ? screen.eraseLine(first) : undefined;
      case 0x58: // X
        return screen.eraseCharacters(count);
      case 0x50: // P
        return screen.deleteCharacters(count);
      case 0x40: // @
        return screen.insertCharacters(count);
      case 0x4c: // L
        return screen.insertLines(count);
      case 0x4d: // M
        return screen.deleteLines(count);
      case 0x73: // s
        return from === to ? screen.save() : undefined;
      case 0x75: // u
        return from === to ? screen.restore() : undefined;
    }
  }

  private _screen: Screen;
  /** Where the last searches for the end of a string or line have led. */
  private _ends = { os: -1, device: -1, line: -1 };
}
