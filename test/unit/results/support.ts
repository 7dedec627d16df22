import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../../src/results/json';

export { PROPERTY } from '../../support/property';

/** What a surface measures. */
export function characters(value: unknown): number {
  return JSON.stringify(value).length;
}

export function bytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Whether every string in it, keys too, is well-formed. */
export function isWellFormed(value: unknown): boolean {
  return !/\\ud[89a-f]/i.test(JSON.stringify(value).replaceAll('\\\\', ''));
}

/** Whether nothing in it is lost or changed as JSON. */
export function parses(value: unknown): boolean {
  const json = JSON.stringify(value);
  return (
    JSON.stringify(JSON.parse(json)) === json &&
    isDeepStrictEqual(JSON.parse(json), value)
  );
}

/** A test case's file as text. */
export function caseText(name: string): string {
  return readFileSync(join(__dirname, '../../cases', name), 'utf8');
}

/** The cells of a notebook among the cases. */
export function caseCells(name: string): {
  source: string;
  outputs: { [key: string]: Json }[];
  attachments?: Json;
}[] {
  return JSON.parse(caseText(name)).cells;
}

/** Pieces that make cuts and measures go wrong. */
export const PIECES = [
  'x',
  'plain words ',
  '\n',
  '"',
  '\\',
  '\u0001',
  '\u007f',
  'é',
  'e\u0301',
  '日本',
  '😀',
  '👩‍🌾',
  '🇩🇪',
  '\ud83d',
  '\ude00',
  '\u001b[31m',
  '\r',
  '\u2028'
];

/** A string of such pieces, now and then a long one. */
export const hardString: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }),
    fc.oneof(
      { weight: 20, arbitrary: fc.constant(1) },
      { weight: 3, arbitrary: fc.integer({ min: 2, max: 200 }) },
      { weight: 1, arbitrary: fc.integer({ min: 200, max: 3000 }) }
    )
  )
  .map(([pieces, times]) => pieces.join('').repeat(times));

const KEYS = [
  'outputs',
  'traceback',
  'text',
  'data',
  'metadata',
  'text/plain',
  'image/png',
  'image/png;\ud83d',
  'success',
  'error',
  'status',
  'pendingId',
  'dialogs',
  '__proto__',
  'truncation',
  'a key'
];

const key = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...KEYS) },
  { weight: 1, arbitrary: hardString }
);

/** JSON of every shape, with the names that results have. */
export const hardJson: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>(tie => ({
  json: fc.oneof(
    { depthSize: 'small' },
    { weight: 4, arbitrary: hardString },
    {
      weight: 1,
      arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true })
    },
    { weight: 1, arbitrary: fc.constantFrom<Json>(null, true, false) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          fc.array(tie('json'), { maxLength: 4 }),
          fc.constantFrom(1, 1, 1, 1, 1, 15)
        )
        .map(([items, times]) =>
          Array.from({ length: times }, () => items).flat()
        )
    },
    { weight: 3, arbitrary: objectOf(tie('json')) }
  )
})).json;

function objectOf(
  value: fc.Arbitrary<Json>
): fc.Arbitrary<{ [key: string]: Json }> {
  return fc
    .array(fc.tuple(key, value), { maxLength: 5 })
    .map(entries => Object.fromEntries(entries));
}

/** A tool's result. */
export const hardResult = objectOf(hardJson);
