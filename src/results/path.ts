import { fieldOf, isObject, mapArray, mapObject, type Json } from './json';

/** Keys and indices from a result's root down to a value in it. */
export type Path = readonly (string | number)[];

const NAME = /^[\p{L}_$][\p{L}\p{N}_$]{0,99}$/u;
/** Longer ones than this are not read. */
const LONGEST = 10_000;

/** A path as text: `cells[3].outputs[0].data["text/plain"]`. */
export function formatPath(path: Path): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') {
      text += `[${part}]`;
    } else if (NAME.test(part)) {
      text += text === '' ? part : `.${part}`;
    } else {
      text += `[${JSON.stringify(part)}]`;
    }
  }
  return text;
}

const PART =
  /\[(\d{1,15})\]|\[("(?:[^"\\]|\\.)*")\]|(^|\.)([\p{L}_$][\p{L}\p{N}_$]*)/uy;

/** The path that a text names; null when it is none. The empty text is the root. */
export function parsePath(text: string): Path | null {
  const path: (string | number)[] = [];
  let at = 0;
  while (at < text.length) {
    if (text.length > LONGEST) {
      return null;
    }
    PART.lastIndex = at;
    const match = PART.exec(text);
    if (!match) {
      return null;
    }
    const [all, index, quoted, , name] = match;
    if (index !== undefined) {
      path.push(Number(index));
    } else if (quoted !== undefined) {
      const key = unquote(quoted);
      if (key === null) {
        return null;
      }
      path.push(key);
    } else {
      path.push(name);
    }
    at += all.length;
  }
  return path;
}

function unquote(quoted: string): string | null {
  try {
    const key: unknown = JSON.parse(quoted);
    return typeof key === 'string' ? key : null;
  } catch {
    return null;
  }
}

/** The value at a path, if there is one. */
export function valueAt(root: Json, path: Path): Json | undefined {
  let value: Json | undefined = root;
  for (const part of path) {
    if (typeof part === 'number') {
      value = Array.isArray(value) ? value[part] : undefined;
    } else {
      value = isObject(value) ? fieldOf(value, part) : undefined;
    }
  }
  return value;
}

/** The root with the value at a path replaced; what is on the way is copied. */
export function withValueAt(root: Json, path: Path, value: Json): Json {
  if (path.length === 0) {
    return value;
  }
  const [part, ...rest] = path;
  if (Array.isArray(root)) {
    return mapArray(root, (item, i) =>
      i === part ? withValueAt(item, rest, value) : item
    );
  }
  return isObject(root)
    ? mapObject(root, (field, key) =>
        key === part ? withValueAt(field, rest, value) : field
      )
    : root;
}
