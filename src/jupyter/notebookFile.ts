import { ToolError } from '../calls/errors';
import { quote } from '../calls/words';
import { joinLines } from '../results/index';
import { isRecord } from '../../protocol/values';
import { asLoaded, attachmentsOf, countOf, joinBundle } from './loaded';
import { findOddities, type IOddity } from './oddities';

/** A cell as JupyterLab would have it. Lists of lines are joined; nothing else is mended. */
export interface IFileCell {
  /** Whatever stands there: a string, null, a number, or nothing. */
  readonly id: unknown;
  readonly cellType: string;
  /** What is no text is shown as its JSON. */
  readonly source: string;
  readonly executionCount: number | null;
  readonly outputs: readonly unknown[];
  readonly attachments: Readonly<Record<string, unknown>> | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Fields that no known type of cell has. */
  readonly unknown: Readonly<Record<string, unknown>>;
}

const KNOWN_FIELDS = [
  'id',
  'cell_type',
  'metadata',
  'source',
  'attachments',
  'outputs',
  'execution_count'
];

/** A notebook file, format 4.x. */
export interface INotebookFile {
  /** Whether it says its minor format; without one JupyterLab gives all cells new ids. */
  readonly hasMinor: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly cells: readonly IFileCell[];
  /** What no notebook has where it stands; it reads as empty, but for sources. */
  readonly odd: readonly IOddity[];
}

/**
 * Reads the text of a notebook file. Throws validation_failed for what is no
 * notebook, saying what stands there and where, and unsupported_type for a
 * format that this version of JupyterLab would have to convert.
 */
export function parseNotebook(text: string, path: string): INotebookFile {
  const file = asLoaded(parseJSON(text, path), text);
  if (!isRecord(file)) {
    throw noNotebook(path, 'its JSON is not an object');
  }
  const { nbformat, nbformat_minor: minor, cells, metadata } = file;
  if (typeof nbformat === 'number' && nbformat !== 4) {
    throw new ToolError(
      'unsupported_type',
      nbformat < 4
        ? `${quote(path)} is a notebook of the old format ${nbformat}, which is not read here. Ask the person to open it in JupyterLab and save it, which converts it to format 4, or to run "jupyter nbconvert --to notebook --inplace" on it.`
        : `${quote(path)} is a notebook of format ${nbformat}, which is newer than what is read here (4).`
    );
  }
  if (typeof nbformat !== 'number') {
    throw noNotebook(path, 'it has no "nbformat" number');
  }
  if (!Array.isArray(cells)) {
    throw noNotebook(path, 'it has no list of "cells"');
  }
  return {
    hasMinor: minor !== undefined,
    metadata: isRecord(metadata) ? metadata : {},
    cells: cells.map((cell: unknown, i) => parseCell(cell, i, path)),
    odd: findOddities(file)
  };
}

function parseCell(cell: unknown, index: number, path: string): IFileCell {
  if (!isRecord(cell) || typeof cell.cell_type !== 'string') {
    throw noNotebook(path, `cells[${index}] has no "cell_type"`);
  }
  const { cell_type: cellType, execution_count: count, outputs } = cell;
  return {
    id: cell.id,
    cellType,
    source: sourceOf(cell.source),
    executionCount: cellType === 'code' ? countOf(count) : null,
    outputs:
      cellType === 'code' && Array.isArray(outputs)
        ? outputs.map(joinOutput)
        : [],
    // JupyterLab takes none into a code cell.
    attachments:
      cellType !== 'code' && isRecord(cell.attachments)
        ? attachmentsOf(cell.attachments)
        : undefined,
    metadata: isRecord(cell.metadata) ? cell.metadata : {},
    unknown: Object.fromEntries(
      Object.entries(cell).filter(([name]) => !KNOWN_FIELDS.includes(name))
    )
  };
}

/** An output with its lists of lines joined, as JupyterLab itself holds it. */
function joinOutput(output: unknown): unknown {
  if (!isRecord(output)) {
    return output;
  }
  const joined: Record<string, unknown> = { ...output };
  if (output.output_type === 'stream') {
    // JupyterLab loads what is no text, and shows nothing of it.
    joined.text = joinLines(output.text) ?? '';
  }
  if (isRecord(output.data)) {
    joined.data = joinBundle(output.data);
  }
  return joined;
}

function sourceOf(source: unknown): string {
  const lines: unknown[] = Array.isArray(source) ? source : [source ?? ''];
  return lines
    .map(line => (typeof line === 'string' ? line : JSON.stringify(line)))
    .join('');
}

function parseJSON(text: string, path: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (reason) {
    throw noNotebook(path, whatStands(text, reason));
  }
}

/** What is wrong with a text that is no JSON, and where. */
function whatStands(text: string, reason: unknown): string {
  if (text.trim() === '') {
    return 'the file is empty';
  }
  const marker = /^(?:<{7}|={7}|>{7})(?: .*)?$/m.exec(text);
  if (marker && /^<{7}/m.test(text)) {
    return `it holds the conflict markers of a version control system, the first at ${place(text, marker.index)}`;
  }
  const start = text.search(/\S/);
  if (/^<(?:!doctype|html|\?xml|head|body)/i.test(text.slice(start))) {
    return `it is an HTML or XML page, from ${place(text, start)} on`;
  }
  const offset = errorOffset(text, reason);
  return offset >= text.trimEnd().length
    ? `its JSON is cut short: it ends unfinished at ${place(text, text.length)}`
    : `its JSON is broken at ${place(text, offset)}`;
}

/** Line, column and character, all but the last counted from 1. */
function place(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - (before.lastIndexOf('\n') + 1) + 1;
  return `line ${line}, column ${column} (character ${offset})`;
}

/**
 * Where the parser stopped. Engines say so in the message (a position, or
 * line and column), except at an unexpected end.
 */
function errorOffset(text: string, reason: unknown): number {
  const message = reason instanceof Error ? reason.message : '';
  const position = /position (\d+)/.exec(message);
  if (position) {
    return Number(position[1]);
  }
  const lineColumn = /line (\d+),? column (\d+)/.exec(message);
  if (lineColumn) {
    const lines = text.split('\n').slice(0, Number(lineColumn[1]) - 1);
    return (
      lines.reduce((sum, line) => sum + line.length + 1, 0) +
      Number(lineColumn[2]) -
      1
    );
  }
  return brokenAt(text);
}

/**
 * The end of the longest beginning that could still become JSON: where a
 * message says nothing.
 */
function brokenAt(text: string): number {
  const token =
    /\s+|([{}[\]:,])|"(?:[^"\\\n]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null/y;
  const open: string[] = [];
  // The last token but for white space: a sign, or `v` for a value, `k` for a key.
  let last = '';
  let at = 0;
  while (at < text.length) {
    token.lastIndex = at;
    const found = token.exec(text);
    if (!found) {
      // A string that never ends is a file that was cut short.
      return text[at] === '"' && !text.slice(at).includes('\n')
        ? text.length
        : at;
    }
    const [whole, sign] = found;
    if (whole.trim() !== '') {
      const next = step(last, sign ?? whole[0], open);
      if (next === undefined) {
        return at;
      }
      last = next;
    }
    at = token.lastIndex;
  }
  return at;
}

/** What the last token is after this one, which begins so; undefined where none may stand. */
function step(last: string, begin: string, open: string[]): string | undefined {
  const inObject = open.at(-1) === '{';
  const isKey = inObject && (last === '{' || last === ',');
  const isValue = !isKey && ['', '[', ':', ','].includes(last);
  switch (begin) {
    case '{':
    case '[':
      open.push(begin);
      return isValue ? begin : undefined;
    case '}':
    case ']': {
      const opened = begin === '}' ? '{' : '[';
      const closes = open.pop() === opened && (last === opened || last === 'v');
      return closes ? 'v' : undefined;
    }
    case ':':
      return last === 'k' ? begin : undefined;
    case ',':
      return last === 'v' && open.length > 0 ? begin : undefined;
    default:
      if (isKey) {
        return begin === '"' ? 'k' : undefined;
      }
      return isValue ? 'v' : undefined;
  }
}

function noNotebook(path: string, why: string): ToolError {
  return new ToolError(
    'validation_failed',
    `${quote(path)} is not a notebook: ${why}. The file was left as it is; read_file shows its text.`
  );
}
