/* eslint-disable no-control-regex -- control characters are what this module is about */
import { Screen } from './screen';

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
  return new Player(text).play();
}

/** Everything but text, tabs and newlines. */
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
const NEXT_CONTROL = new RegExp(CONTROL, 'g');
/** Parameters, intermediates and the final letter, behind the introducer. */
const CSI = /([0-?]*)([ -/]*)([@-~]?)/y;
/** Intermediates and the final letter of any other escape sequence. */
const ESCAPE = /([ -/]*)([0-~]?)/y;
/** What ends the text of a device's command, or breaks it off. */
const STRING_END = /[\x18\x1a\x1b\x9c]/g;
/** A bell ends an operating system command too. */
const OS_STRING_END = /[\x07\x18\x1a\x1b\x9c]/g;

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
      NEXT_CONTROL.lastIndex = at;
      const control = NEXT_CONTROL.exec(text)?.index ?? text.length;
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
    ESCAPE.lastIndex = at;
    const [all, intermediates, final] = ESCAPE.exec(this._text) ?? ['', '', ''];
    if (intermediates !== '' || final === '') {
      return at + all.length;
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
   */
  private _skipString(at: number, kind: 'os' | 'device'): number {
    const text = this._text;
    if (this._ends[kind] < at) {
      const search = kind === 'os' ? OS_STRING_END : STRING_END;
      search.lastIndex = at;
      this._ends[kind] = search.exec(text)?.index ?? text.length;
    }
    const end = this._ends[kind];
    const code = text.charCodeAt(end);
    if (code === 0x07 || code === 0x9c) {
      return end + 1;
    }
    if (code === 0x1b && text[end + 1] === '\\') {
      return end + 2;
    }
    const line = text.slice(at, end).indexOf('\n');
    return line >= 0 ? at + line : end;
  }

  private _csi(at: number): number {
    CSI.lastIndex = at;
    const match = CSI.exec(this._text);
    if (!match) {
      return at;
    }
    const [all, parameters, intermediates, final] = match;
    if (intermediates === '' && !/[<-?]/.test(parameters[0] ?? '')) {
      this._sequence(final, parameters);
    }
    return at + all.length;
  }

  private _sequence(final: string, parameters: string): void {
    const [first = 0, second = 0] = parameters
      .slice(0, 40)
      .split(/[;:]/, 2)
      .map(digits => Math.min(Number(digits) || 0, 1e6));
    const count = Math.max(1, first);
    const screen = this._screen;
    switch (final) {
      case 'A':
        return screen.move(-count, 0);
      case 'B':
      case 'e':
        return screen.move(count, 0);
      case 'C':
      case 'a':
        return screen.move(0, count);
      case 'D':
        return screen.move(0, -count);
      case 'E':
        screen.move(count, 0);
        return screen.carriageReturn();
      case 'F':
        screen.move(-count, 0);
        return screen.carriageReturn();
      case 'G':
      case '`':
        return screen.toColumn(count - 1);
      case 'H':
      case 'f':
        screen.toRow(count - 1);
        return screen.toColumn(Math.max(1, second) - 1);
      case 'd':
        return screen.toRow(count - 1);
      case 'J':
        return first <= 3 ? screen.eraseDisplay(first) : undefined;
      case 'K':
        return first <= 2 ? screen.eraseLine(first) : undefined;
      case 'X':
        return screen.eraseCharacters(count);
      case 'P':
        return screen.deleteCharacters(count);
      case '@':
        return screen.insertCharacters(count);
      case 'L':
        return screen.insertLines(count);
      case 'M':
        return screen.deleteLines(count);
      case 's':
        return parameters === '' ? screen.save() : undefined;
      case 'u':
        return parameters === '' ? screen.restore() : undefined;
    }
  }

  private _screen: Screen;
  /** Where the last search for a string's end has found one, by its kind. */
  private _ends = { os: -1, device: -1 };
}
