import {
  fieldOf,
  type IJsonObject,
  isObject,
  mapObject,
  without
} from './json';
import { fits, type IWritten, measure, write } from './measure';
import { formatPath } from './path';
import { prepareCounted } from './prepare';
import type { Redact } from './redact';
import { type Cut, shortenings } from './shorten';
import { fitMiddle, fittingHead, type Unit } from './text';

/**
 * Keeps a whole result so that the agent can read on in it, `field` being
 * where that begins, `characters` about how many its JSON has. Gives its id,
 * or null when it cannot be kept.
 */
export type Keep = (
  whole: IJsonObject,
  field: string,
  characters: number
) => string | null;

export interface IBoundOptions {
  /** Characters of JSON that the result may have; at least 1,000. */
  readonly limit: number;
  readonly keep?: Keep;
  readonly redact?: Redact;
}

const SMALLEST_LIMIT = 1000;

/** Stands for a result id while it is not known yet. */
const SOME_ID = 'result-0000000000';

/** What a shortened result says of itself. */
const NOTES = ['truncated', 'truncationNote', 'truncation', 'truncationCount'];

/** Fields that the bounder adds. */
const BOUNDED_FIELDS: readonly string[] = [...NOTES, 'resultId'];

/** Fields that the last resort keeps. */
const VITAL = ['success', 'isError', 'status', 'pendingId', 'error'] as const;

/**
 * A result for the WebMCP surface (R, Bounding): prepared, and when its JSON
 * is longer than the limit, shortened until it is not. Never longer than the
 * limit, never malformed, the same for the same data.
 */
export function bound(data: unknown, options: IBoundOptions): IJsonObject {
  const limit = Math.max(SMALLEST_LIMIT, Math.floor(options.limit));
  const { whole, characters } = prepareCounted(data, options.redact);
  if (fits(whole, 'characters', limit)) {
    return whole;
  }
  for (const { value, cuts } of shortenings(whole, limit, 'characters')) {
    if (cuts.count === 0 || !isObject(value)) {
      continue;
    }
    const field = formatPath(cuts.largest?.path ?? []);
    const told = (resultId: string | null) =>
      withNote(value, cuts.told, cuts.count, resultId);
    if (fits(told(someId(options.keep, whole)), 'characters', limit)) {
      return told(keepWhole(options.keep, whole, field, characters));
    }
  }
  return lastResort(whole, limit, options.keep);
}

function withNote(
  value: IJsonObject,
  cuts: Cut[],
  count: number,
  resultId: string | null
): IJsonObject {
  const told = without(value, resultId === null ? NOTES : BOUNDED_FIELDS);
  told.truncated = true;
  told.truncationNote =
    'Some values were shortened to fit the result size limit (see "truncation").' +
    (resultId === null
      ? ' Ask for less at once to see the rest.'
      : ' Call read_result with this resultId and a path of "truncation" as field to read such a value in full.');
  told.truncation = cuts.map(cut => ({ ...cut }));
  if (count > cuts.length) {
    told.truncationCount = count;
  }
  if (resultId !== null) {
    told.resultId = resultId;
  }
  return told;
}

/** What is left when no step was enough (R, Bounding, step 4). */
function lastResort(
  whole: IJsonObject,
  limit: number,
  keep: Keep | undefined
): IJsonObject {
  const json = write(whole);
  const told = (resultId: string | null): IJsonObject => {
    const result = vitalFields(whole, VITAL, limit, 'characters');
    result.truncated = true;
    result.message =
      `The result has ${json.length} characters of JSON, more than the ${limit} that fit, also when its values are shortened; "preview" is its beginning.` +
      (resultId === null
        ? ''
        : ' Call read_result with this resultId to read it.');
    if (resultId !== null) {
      result.resultId = resultId;
    }
    return result;
  };
  const room =
    limit -
    measure(told(someId(keep, whole)), 'characters') -
    ',"preview":""'.length;
  const preview = previewOf(json, room, 'characters');
  return { ...told(keepWhole(keep, whole, '', json.length)), preview };
}

/** The beginning of a value's JSON that costs at most `room` in JSON. */
export function previewOf(
  json: Pick<IWritten, 'beginning'>,
  room: number,
  unit: Unit
): string {
  const beginning = json.beginning(Math.max(0, room));
  return beginning.slice(0, fittingHead(beginning, room, unit));
}

/**
 * The fields named, as far as the result has them. Where they take more than
 * half of the limit, the long ones of them are cut.
 */
export function vitalFields(
  whole: IJsonObject,
  names: readonly string[],
  limit: number,
  unit: Unit
): IJsonObject {
  const vital: IJsonObject = {};
  for (const name of names) {
    const value = fieldOf(whole, name);
    if (value !== undefined) {
      vital[name] = value;
    }
  }
  const half = Math.floor(limit / 2);
  if (fits(vital, unit, half)) {
    return vital;
  }
  const each = Math.floor(half / names.length) - 24;
  return mapObject(vital, value => {
    if (typeof value === 'string') {
      return fitMiddle(value, each, unit);
    }
    return fits(value, unit, each)
      ? value
      : previewOf(write(value), each, unit);
  });
}

/** The whole kept, where there is a keeper. What reads in a kept result has its id. */
export function keepWhole(
  keep: Keep | undefined,
  whole: IJsonObject,
  field: string,
  characters: number
): string | null {
  const resultId = ownId(whole) ?? keep?.(whole, field, characters) ?? null;
  return resultId !== null && resultId.length <= SOME_ID.length
    ? resultId
    : null;
}

/** An id as long as any that `keepWhole` may give, to measure with. */
export function someId(
  keep: Keep | undefined,
  whole: IJsonObject
): string | null {
  return keep || ownId(whole) !== null ? SOME_ID : null;
}

function ownId(whole: IJsonObject): string | null {
  const id = fieldOf(whole, 'resultId');
  return typeof id === 'string' ? id : null;
}
