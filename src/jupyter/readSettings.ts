import { JSONExt, type ReadonlyJSONValue } from '@lumino/coreutils';
import {
  DEFAULT_SETTINGS,
  type ICommandTool,
  type ISettings
} from '../calls/settings';
import { covers } from '../../protocol/scopes';
import { isRecord } from '../../protocol/values';

/** What is wrong with the settings, for the person. */
export interface IFault {
  /** The setting, or null when there is nothing that could be read. */
  readonly name: string | null;
  /** What holds in place of an invalid value; none where there is no such setting. */
  readonly held?: unknown;
}

/** Stands for every name in the settings that forbid by name. */
const EVERYTHING: readonly string[] = ['*'];

type Readers = {
  readonly [N in keyof ISettings]: (
    value: unknown,
    defaults: ISettings
  ) => ISettings[N];
};

/**
 * How each setting is read. Numbers are brought into their range; what is none
 * gives way to the default, which can be a deployment's. What is invalid in a
 * setting that restricts falls to the restricting side, because it was meant
 * to restrict something.
 */
const READERS: Readers = {
  executionTimeout: (value, defaults) =>
    numberIn(value, 1, 45) ?? defaults.executionTimeout,
  maxResultLength: (value, defaults) =>
    wholeIn(value, 1000, 1e7) ?? defaults.maxResultLength,
  readCap: (value, defaults) => wholeIn(value, 4000, 2e6) ?? defaults.readCap,
  imageCap: (value, defaults) =>
    wholeIn(value, 1024, 2 * 1024 * 1024) ?? defaults.imageCap,
  toolsets: value => listOf(value, nameOf),
  disabledTools: value => namesOf(value) ?? EVERYTHING,
  blockedCommands: value => namesOf(value) ?? EVERYTHING,
  tools: value => listOf(value, toolOf),
  readOnly: value => value !== false,
  bridge: value => value === true,
  webmcp: value => (value === 'read' || value === 'all' ? value : 'off'),
  postMessageOrigins: value => narrowest(listOf(value, originOf))
};

/** Settings from what the registry holds, and what is wrong in it. */
export function readSettings(
  raw: Readonly<Record<string, unknown>>,
  defaults: ISettings = DEFAULT_SETTINGS
): {
  settings: ISettings;
  faults: readonly IFault[];
} {
  const faults: IFault[] = [];
  const read = <N extends keyof ISettings>(name: N): ISettings[N] => {
    const value = raw[name];
    if (value === undefined) {
      return defaults[name];
    }
    const held = READERS[name](value, defaults);
    if (!isSame(value, held)) {
      faults.push({ name, held });
    }
    return held;
  };
  const settings: ISettings = {
    executionTimeout: read('executionTimeout'),
    maxResultLength: read('maxResultLength'),
    readCap: read('readCap'),
    imageCap: read('imageCap'),
    toolsets: read('toolsets'),
    disabledTools: read('disabledTools'),
    blockedCommands: read('blockedCommands'),
    tools: read('tools'),
    readOnly: read('readOnly'),
    bridge: read('bridge'),
    webmcp: read('webmcp'),
    postMessageOrigins: read('postMessageOrigins')
  };
  for (const name of Object.keys(raw)) {
    if (!Object.hasOwn(READERS, name)) {
      faults.push({ name });
    }
  }
  return { settings, faults };
}

/** Only plain data comes out of the settings, whatever its type says. */
function isSame(given: unknown, held: unknown): boolean {
  return JSONExt.deepEqual(
    given as ReadonlyJSONValue,
    held as ReadonlyJSONValue
  );
}

function numberIn(
  value: unknown,
  least: number,
  most: number
): number | undefined {
  return typeof value === 'number' && !Number.isNaN(value)
    ? Math.min(most, Math.max(least, value))
    : undefined;
}

function wholeIn(
  value: unknown,
  least: number,
  most: number
): number | undefined {
  const found = numberIn(value, least, most);
  return found === undefined ? undefined : Math.floor(found);
}

function listOf<T>(
  value: unknown,
  read: (value: unknown) => T | undefined
): readonly T[] {
  return Array.isArray(value)
    ? value.map(read).filter((each): each is T => each !== undefined)
    : [];
}

/** Undefined when it is not, as a whole, a list of names. */
function namesOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every(isString) ? value : undefined;
}

function nameOf(value: unknown): string | undefined {
  return isString(value) ? value : undefined;
}

function toolOf(value: unknown): ICommandTool | undefined {
  // One with a misspelt `args` would leave to the agent what it was to fix.
  if (!isRecord(value) || !hasOnly(value, TOOL_FIELDS)) {
    return undefined;
  }
  const { name, description, command, args } = value;
  return isString(name) &&
    /^[a-z][a-z0-9_]{0,39}$/.test(name) &&
    isString(description) &&
    description !== '' &&
    isString(command) &&
    command !== '' &&
    (args === undefined || isRecord(args))
    ? { name, description, command, ...(args ? { args } : {}) }
    : undefined;
}

const TOOL_FIELDS = ['name', 'description', 'command', 'args'];

function originOf(
  value: unknown
): ISettings['postMessageOrigins'][number] | undefined {
  if (!isRecord(value) || !hasOnly(value, ['origin', 'scope'])) {
    return undefined;
  }
  const { origin, scope } = value;
  // Exact origins only: 'null', '*' and addresses with a path never match one.
  return isString(origin) &&
    URL.canParse(origin) &&
    new URL(origin).origin === origin
    ? { origin, scope: scope === 'write' || scope === 'run' ? scope : 'read' }
    : undefined;
}

/** Of an origin that is named twice what it may do in any case. */
function narrowest(
  origins: ISettings['postMessageOrigins']
): ISettings['postMessageOrigins'] {
  return origins.filter(
    (host, i) =>
      !origins.some(
        (other, j) =>
          other.origin === host.origin &&
          j !== i &&
          covers(host.scope, other.scope) &&
          (host.scope !== other.scope || j < i)
      )
  );
}

function hasOnly(
  value: Readonly<Record<string, unknown>>,
  fields: readonly string[]
): boolean {
  return Object.keys(value).every(name => fields.includes(name));
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}
