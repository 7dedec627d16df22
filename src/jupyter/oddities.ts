import { isRecord } from '../../protocol/values';
import { list, quote } from '../calls/words';
import { joinLines } from '../results/index';
import { isStorable } from './loaded';

/** Something in a notebook file that no notebook has there. */
export interface IOddity {
  /** `cells[3].source` */
  readonly place: string;
  /** `is a number` */
  readonly what: string;
  /**
   * JupyterLab shows the person an error and leaves a tab that is broken or
   * cannot be saved. Of what is odd otherwise, the Jupyter server refuses most.
   */
  readonly isFatal: boolean;
}

/** How many are named. */
const MAX_NAMED = 3;

/** What is odd in a notebook of format 4, as it was parsed. */
export function findOddities(
  file: Readonly<Record<string, unknown>>
): IOddity[] {
  const found: IOddity[] = [];
  const { metadata, nbformat_minor: minor, cells } = file;
  if (!isRecord(metadata)) {
    const isFatal = metadata === null || isText(metadata ?? '');
    found.push({ place: 'metadata', what: whatIs(metadata), isFatal });
  } else {
    lookAtFields(metadata, 'metadata', (place, what, isFatal) =>
      found.push({ place, what, isFatal })
    );
  }
  if (
    minor !== undefined &&
    typeof minor !== 'boolean' &&
    !Number.isInteger(minor)
  ) {
    found.push({
      place: 'nbformat_minor',
      what: whatIs(minor),
      isFatal: false
    });
  }
  if (Array.isArray(cells)) {
    cells.forEach((cell: unknown, i) => {
      if (isRecord(cell)) {
        lookAtCell(cell, `cells[${i}]`, found);
      }
    });
  }
  return found;
}

/** The first of them, for a sentence. */
export function nameOddities(odd: readonly IOddity[]): string {
  return list(
    odd.map(({ place, what }) => `${place} ${what}`),
    MAX_NAMED
  );
}

function lookAtCell(
  cell: Readonly<Record<string, unknown>>,
  at: string,
  found: IOddity[]
): void {
  const { source, metadata, id, attachments, outputs } = cell;
  const add = (place: string, what: string, isFatal: boolean): void => {
    found.push({ place: at + place, what, isFatal });
  };
  if (source !== undefined && source !== null) {
    lookAtText(source, '.source', !Array.isArray(source), add);
  }
  if (!isRecord(metadata)) {
    add('.metadata', whatIs(metadata), isText(metadata));
  } else {
    lookAtFields(metadata, '.metadata', add);
  }
  if (
    isRecord(metadata) &&
    (metadata.collapsed ?? null) !== null &&
    Boolean(metadata.jupyter) &&
    typeof metadata.jupyter !== 'object'
  ) {
    add('.metadata.jupyter', whatIs(metadata.jupyter), true);
  }
  if (typeof id === 'object' && id !== null) {
    add('.id', whatIs(id), false);
  }
  lookAtFields(
    cell.cell_type === 'code'
      ? { execution_count: cell.execution_count }
      : { attachments },
    '',
    add
  );
  if (isRecord(attachments)) {
    for (const [name, bundle] of Object.entries(attachments)) {
      if (!isRecord(bundle)) {
        add(`.attachments[${quote(name)}]`, whatIs(bundle), false);
      }
    }
  } else if (attachments !== undefined) {
    add('.attachments', whatIs(attachments), false);
  }
  if (cell.cell_type !== 'code' || outputs === undefined || outputs === '') {
    return;
  }
  if (Array.isArray(outputs)) {
    outputs.forEach((output: unknown, i) =>
      lookAtOutput(output, (place, what, isFatal) =>
        add(`.outputs[${i}]${place}`, what, isFatal)
      )
    );
  } else {
    add('.outputs', whatIs(outputs), Boolean(outputs) && !isText(outputs));
  }
}

type Add = (place: string, what: string, isFatal: boolean) => void;

function lookAtOutput(output: unknown, add: Add): void {
  if (!isRecord(output)) {
    add('', whatIs(output), output === null);
    return;
  }
  lookAtFields(output, '', add);
  const { output_type: type, data, text, traceback } = output;
  if (type === undefined) {
    // It loads, and can never be saved.
    add('.output_type', whatIs(type), true);
  } else if (typeof type === 'object' && type !== null) {
    add('.output_type', whatIs(type), false);
  } else if (type === 'stream') {
    lookAtText(text, '.text', (text ?? null) === null, add);
  } else if (type === 'display_data' || type === 'execute_result') {
    if (data !== undefined && !isRecord(data)) {
      add('.data', whatIs(data), false);
    }
  } else if (Boolean(type) && Array.isArray(text)) {
    lookAtText(text, '.text', false, add);
  }
  if (type === 'error' && !Array.isArray(traceback)) {
    add('.traceback', whatIs(traceback), true);
  }
}

/** JupyterLab puts each field into a map that takes no object of this kind. */
function lookAtFields(
  fields: Readonly<Record<string, unknown>>,
  at: string,
  add: Add
): void {
  for (const [name, value] of Object.entries(fields)) {
    if (!isStorable(value)) {
      const step = /^\w{1,60}$/.test(name) ? `.${name}` : `[${quote(name)}]`;
      add(at + step, 'has a field "constructor"', true);
    }
  }
}

/** The server joins lists of lines, and can join no other lists. */
function lookAtText(
  text: unknown,
  place: string,
  isFatal: boolean,
  add: Add
): void {
  if (joinLines(text) === undefined) {
    const what = Array.isArray(text)
      ? 'is a list that holds more than strings'
      : whatIs(text);
    add(place, what, isFatal);
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function whatIs(value: unknown): string {
  if (value === undefined) {
    return 'is missing';
  }
  if (value === null) {
    return 'is null';
  }
  if (Array.isArray(value)) {
    return 'is a list';
  }
  return typeof value === 'object' ? 'is an object' : `is a ${typeof value}`;
}
