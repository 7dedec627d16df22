import type * as z from 'zod';
import { ToolError } from './errors';
import { MANAGED } from './managed';
import { holdsHalf } from './whole';
import { list, quote } from './words';
import { isRecord } from '../../protocol/values';

/** What of a tool the check of its arguments needs. */
export interface IChecked<A> {
  readonly name: string;
  readonly input: z.ZodType<A>;
  readonly managed?: readonly string[];
  readonly halves?: readonly string[];
}

/** How many problems one message names. */
const NAMED = 3;

/**
 * The arguments as the tool's schema gives them. Left out altogether they
 * are an empty object.
 * @throws ToolError field_read_only, validation_failed
 */
export function parseArguments<A>(tool: IChecked<A>, args: unknown): A {
  const given = args === undefined ? {} : args;
  if (!isRecord(given)) {
    throw invalid(
      `The arguments of ${tool.name} must be an object, ${kindOf(given)} was given.`
    );
  }
  refuseManaged(tool, given);
  const parsed = tool.input.safeParse(given, { reportInput: true });
  if (parsed.success) {
    refuseHalves(tool, given);
    return parsed.data;
  }
  throw invalid(explain(tool.input, parsed.error.issues));
}

/** Arguments that name what Jupyter or another tool manages. */
function refuseManaged(tool: IChecked<unknown>, given: object): void {
  const managed = tool.managed ?? [];
  const items = Object.values(given).flatMap(value =>
    Array.isArray(value) ? value : []
  );
  for (const object of [given, ...items]) {
    if (isRecord(object)) {
      const name = managed.find(each => Object.hasOwn(object, each));
      if (name !== undefined) {
        throw new ToolError(
          'field_read_only',
          `${quote(name)} cannot be set here. ${MANAGED.get(name) ?? 'Jupyter manages it.'} Leave it out.`
        );
      }
    }
  }
}

/**
 * Half of a surrogate pair: a run of it never ends, a file of it cannot be
 * written, and no path or id has one.
 */
function refuseHalves({ halves = [] }: IChecked<unknown>, given: object): void {
  for (const [name, value] of Object.entries(given)) {
    if (!halves.includes(name) && holdsHalf(value)) {
      throw invalid(
        `${quote(name)} holds half of a surrogate pair, which neither files nor kernels take. Send whole characters.`
      );
    }
  }
}

/** The problems in words: unknown arguments first, and alone. */
function explain(schema: unknown, issues: readonly z.core.$ZodIssue[]): string {
  const unknown = issues.filter(issue => issue.code === 'unrecognized_keys');
  if (unknown.length > 0) {
    return unknown
      .slice(0, NAMED)
      .map(issue => unknownText(schema, issue.path, issue.keys))
      .join(' ');
  }
  const more = issues.length - NAMED;
  return (
    issues
      .slice(0, NAMED)
      .map(issue => `${nameOf(issue.path)} ${problem(issue)}.`)
      .join(' ') + (more > 0 ? ` There are ${more} more problems.` : '')
  );
}

function unknownText(
  schema: unknown,
  path: readonly PropertyKey[],
  keys: readonly string[]
): string {
  const within = path.length > 0 ? ` in ${nameOf(path)}` : '';
  const named = list(keys.map(quote), 10);
  const accepted = Object.keys(shapeAt(schema, path));
  return (
    `Unknown argument${keys.length > 1 ? 's' : ''} ${named}${within}. ` +
    (accepted.length > 0
      ? `Accepted arguments: ${accepted.map(quote).join(', ')}.`
      : 'This tool takes no arguments.')
  );
}

/** What is wrong with a value, without the value. */
function problem(issue: z.core.$ZodIssue): string {
  if (issue.path.length > 0 && issue.input === undefined) {
    return 'is missing';
  }
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES.get(issue.expected) ?? `a ${issue.expected}`}`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${JSON.stringify(issue.values[0])}`
        : `must be one of ${issue.values.map(value => JSON.stringify(value)).join(', ')}`;
    case 'too_small':
      return `must ${size(issue.origin, 'least', Number(issue.minimum))}`;
    case 'too_big':
      return `must ${size(issue.origin, 'most', Number(issue.maximum))}`;
    case 'invalid_format':
      return `must match ${issue.pattern ?? issue.format}`;
    case 'invalid_union': {
      const kinds = new Set(
        issue.errors.flatMap(option =>
          option
            .filter(each => each.path.length === 0)
            .map(each => problem(each).replace(/^must be /, ''))
        )
      );
      return kinds.size > 0
        ? `must be ${[...kinds].join(' or ')}`
        : 'is not valid';
    }
    case 'custom':
      return issue.message;
    default:
      return 'is not valid';
  }
}

const TYPES = new Map([
  ['string', 'a string'],
  ['number', 'a number'],
  ['int', 'an integer'],
  ['boolean', 'true or false'],
  ['array', 'an array'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['null', 'null']
]);

function size(origin: string, bound: 'least' | 'most', n: number): string {
  const some = (unit: string) =>
    `at ${bound} ${n} ${unit}${n === 1 ? '' : 's'}`;
  switch (origin) {
    case 'string':
      return `have ${some('character')}`;
    case 'array':
      return `have ${some('item')}`;
    default:
      return `be at ${bound} ${n}`;
  }
}

/** `"edits[0].op"`; of no path: the arguments themselves. */
function nameOf(path: readonly PropertyKey[]): string {
  const name = path
    .map((part, i) =>
      typeof part === 'number'
        ? `[${part}]`
        : `${i > 0 ? '.' : ''}${String(part)}`
    )
    .join('');
  return name === '' ? 'The arguments' : quote(name);
}

/** The properties of the object schema that a path leads to. */
function shapeAt(schema: unknown, path: readonly PropertyKey[]): object {
  let at = bare(schema);
  for (const part of path) {
    const next =
      typeof part === 'number' ? defOf(at).element : shapeOf(at)[String(part)];
    at = bare(next);
  }
  return shapeOf(at);
}

/** Without what makes it optional or gives it a default. */
function bare(schema: unknown): unknown {
  let at = schema;
  while (defOf(at).innerType !== undefined) {
    at = defOf(at).innerType;
  }
  return at;
}

function shapeOf(schema: unknown): Record<string, unknown> {
  const { shape } = defOf(schema);
  return isRecord(shape) ? shape : {};
}

function defOf(schema: unknown): Record<string, unknown> {
  return isRecord(schema) && isRecord(schema.def) ? schema.def : {};
}

function kindOf(value: unknown): string {
  return value === null
    ? 'null'
    : Array.isArray(value)
      ? 'an array'
      : `a ${typeof value}`;
}

function invalid(message: string): ToolError {
  return new ToolError('validation_failed', message);
}
