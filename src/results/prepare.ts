import {
  finish,
  FreeKeys,
  type IJsonObject,
  isObject,
  type Json,
  objectFor,
  setField
} from './json';
import { measure } from './measure';
import { joinLines, mimeType, PLAIN, placeholder } from './mime';
import {
  DEPTH,
  EACH,
  type IFields,
  LONGEST,
  MANY_DIGITS,
  readField,
  Teller
} from './plain';
import type { Redact } from './redact';
import { cleanText } from './terminal';
import { isSimple, wellFormed } from './text';

/** Where a result's value is: what is to be done with it. One of those below. */
interface IPlace {
  /** In outputs, a traceback or a dialog: strings are played out. */
  readonly terminal: boolean;
  /** In metadata: nothing is a MIME bundle. */
  readonly metadata: boolean;
}

/**
 * A result as it is before anything is cut (R, Bounding, step 1; contract:
 * Results on the WebMCP surface): plain JSON, MIME data replaced by
 * placeholders, strings in outputs, tracebacks and dialogs played out as a
 * terminal would, every string well-formed, secrets replaced. A second time
 * changes nothing. What is no object comes as the field `value` of one.
 */
export function prepare(data: unknown, redact: Redact = same): IJsonObject {
  return prepareCounted(data, redact).whole;
}

/** As `prepare`, with about how many characters of JSON that is. */
export function prepareCounted(
  data: unknown,
  redact: Redact = same
): { readonly whole: IJsonObject; readonly characters: number } {
  const preparer = new Preparer(redact);
  const told = preparer.tell(data, ROOT, 0);
  const whole = isObject(told) ? told : { value: told };
  return { whole, characters: preparer.characters };
}

const NOWHERE: IPlace = { terminal: false, metadata: false };
/** In the result itself. */
const ROOT: IPlace = { ...NOWHERE };
const PRINTED: IPlace = { terminal: true, metadata: false };
const METADATA: IPlace = { terminal: false, metadata: true };
const BOTH: IPlace = { terminal: true, metadata: true };

/** Stands for all empty objects: most outputs have one as their metadata. */
const EMPTY: IJsonObject = Object.freeze({});

/** Keys whose prepared form is remembered: results have few. */
const REMEMBERED = 1000;

/** Tells a result and prepares it on the way; where there is no place, only tells. */
class Preparer extends Teller<IPlace | null> {
  constructor(private readonly _redact: Redact) {
    super();
  }

  protected override text(text: string, place: IPlace | null): string {
    if (place === null) {
      return text;
    }
    const formed = isSimple(text)
      ? text
      : wellFormed(place.terminal ? cleanText(text) : text);
    return super.text(this._redact(formed), place);
  }

  /** A secret of digits can be a number. */
  protected override number(value: number, place: IPlace | null): Json {
    if (place === null || Math.abs(value) < MANY_DIGITS) {
      return value;
    }
    const text = String(value);
    const shown = this._redact(text);
    return shown === text ? value : super.text(shown, place);
  }

  protected override inside(place: IPlace | null): IPlace | null {
    return place === ROOT ? NOWHERE : place;
  }

  protected override fields(
    value: object,
    place: IPlace | null,
    depth: number
  ): Json {
    if (place === null) {
      return super.fields(value, place, depth);
    }
    const keys = Object.keys(value);
    if (keys.length === 0 && place !== ROOT) {
      return EMPTY;
    }
    const fields: IFields = Object(value);
    const bundle = !place.metadata && isBundle(keys, fields);
    const hasPlain = bundle && readField(fields, PLAIN) !== undefined;
    const stream =
      place.terminal && readField(fields, 'output_type') === 'stream';
    const told = objectFor(keys.length);
    let free: FreeKeys | null = null;
    let unchanged = true;
    for (const key of keys) {
      const field = readField(fields, key);
      if (field === undefined) {
        unchanged = false;
        continue;
      }
      const json = bundle
        ? this._bundled(key, field, hasPlain, place, depth + 1)
        : this.tell(
            stream && key === 'text' ? this._joined(field, depth + 1) : field,
            inside(place, key),
            depth + 1
          );
      const name = this._key(key);
      this.characters += name.length + EACH;
      if (name !== key) {
        unchanged = false;
        free ??= new FreeKeys(told);
      }
      setField(told, free?.of(name) ?? name, json);
    }
    if (unchanged) {
      finish(told, keys);
    }
    return told;
  }

  /** A bundle's field, which files may have as a list of lines. */
  private _bundled(
    key: string,
    field: unknown,
    hasPlain: boolean,
    place: IPlace,
    depth: number
  ): Json {
    const { isBinary = false, isJson = false } = mimeType(key) ?? {};
    const value =
      isJson || typeof field === 'string' ? field : this._joined(field, depth);
    if (key === PLAIN || (!isBinary && !hasPlain)) {
      return this.tell(value, place, depth);
    }
    const before = this.characters;
    const told = this.tell(value, null, depth);
    this.characters = before;
    // By the name it is shown under: parameters of a type can be any text.
    const name = this._key(key);
    const note = placeholder(name, told, { isBinary, hasPlain }, inCharacters);
    return note ?? this.uncounted(() => this.tell(told, place, depth));
  }

  /** The text of a list of lines; else the value. */
  private _joined(value: unknown, depth: number): unknown {
    if (!Array.isArray(value) || value.length > LONGEST || depth >= DEPTH) {
      return value;
    }
    const text = joinLines(value);
    return text === undefined ? value : (this.count() ?? text);
  }

  private _key(key: string): string {
    const known = this._keys.get(key);
    if (known !== undefined) {
      return known;
    }
    const name = this._redact(isSimple(key) ? key : wellFormed(key));
    if (this._keys.size < REMEMBERED) {
      this._keys.set(key, name);
    }
    return name;
  }

  private readonly _keys = new Map<string, string>();
}

/** Whether all of an object's fields are named by MIME types. */
function isBundle(keys: readonly string[], fields: IFields): boolean {
  return keys.every(
    key => mimeType(key) !== null || readField(fields, key) === undefined
  );
}

function inside(place: IPlace, key: string): IPlace {
  const dialog = place === ROOT && (key === 'dialog' || key === 'dialogs');
  const terminal = place.terminal || dialog || isTerminal(key);
  const metadata = place.metadata || key === 'metadata';
  return terminal ? (metadata ? BOTH : PRINTED) : metadata ? METADATA : NOWHERE;
}

/** Whether strings under this key are what a kernel printed. */
export function isTerminal(key: string | number): boolean {
  return key === 'outputs' || key === 'traceback';
}

function inCharacters(value: Json): number {
  return measure(value, 'characters');
}

function same(text: string): string {
  return text;
}
