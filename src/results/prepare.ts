import {
  fieldOf,
  type IJsonObject,
  isObject,
  type Json,
  mapArray,
  mapObject
} from './json';
import { measure } from './measure';
import { isBundle, isJsonType, joinLines, placeholder } from './mime';
import { toJson } from './plain';
import type { Redact } from './redact';
import { cleanText } from './terminal';
import { wellFormed } from './text';

/** Where a walk is: what is to be done with what it meets. */
interface IPlace {
  readonly root?: boolean;
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
  const json = toJson(data);
  const root = isObject(json) ? json : { value: json };
  const text = (value: string) => redact(wellFormed(value));

  const walk = (value: Json, place: IPlace): Json => {
    if (typeof value === 'string') {
      return text(place.terminal ? cleanText(value) : value);
    }
    if (Array.isArray(value)) {
      return mapArray(value, item => walk(item, place));
    }
    return isObject(value) ? walkObject(value, place) : value;
  };

  const walkObject = (object: IJsonObject, place: IPlace): IJsonObject => {
    const bundle = !place.metadata && isBundle(object);
    const stream =
      place.terminal && fieldOf(object, 'output_type') === 'stream';
    return mapObject(
      object,
      (value, key) => {
        if (bundle) {
          const note = placeholder(object, key, inCharacters);
          return note ?? walk(textOf(value, key), place);
        }
        return walk(
          stream && key === 'text' ? joinLines(value) : value,
          inside(place, key)
        );
      },
      text
    );
  };

  return walkObject(root, { root: true, terminal: false, metadata: false });
}

function inside(place: IPlace, key: string): IPlace {
  const dialog = place.root === true && (key === 'dialog' || key === 'dialogs');
  const terminal = place.terminal || dialog || isTerminal(key);
  const metadata = place.metadata || key === 'metadata';
  return terminal === place.terminal &&
    metadata === place.metadata &&
    !place.root
    ? place
    : { terminal, metadata };
}

/** A bundle's text, which files may have as a list of lines. */
function textOf(value: Json, key: string): Json {
  return Array.isArray(value) && !isJsonType(key) ? joinLines(value) : value;
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
