import * as z from 'zod';
import { parseArguments } from '../../../src/calls/arguments';
import { MANAGED_FIELDS } from '../../../src/calls/managed';
import { ToolError } from '../../../src/calls/errors';

const runCell = {
  name: 'run_cell',
  input: z.strictObject({ notebookPath: z.string(), cellId: z.string() })
};

const all = {
  name: 'all',
  managed: MANAGED_FIELDS,
  input: z.strictObject({
    text: z.string().min(1).max(3).optional(),
    number: z.number().min(0).max(9).optional(),
    integer: z.int().min(1).optional(),
    flag: z.boolean().optional(),
    choice: z.enum(['above', 'below']).optional(),
    either: z.union([z.string(), z.int()]).optional(),
    must: z.object({ either: z.union([z.string(), z.int()]) }).optional(),
    pattern: z
      .string()
      .regex(/^[a-z]+$/)
      .optional(),
    items: z.array(z.string()).min(1).max(2).optional(),
    edits: z
      .array(
        z.strictObject({
          op: z.enum(['add', 'edit']),
          content: z.string().optional()
        })
      )
      .optional(),
    free: z.record(z.string(), z.unknown()).optional()
  })
};

function refusal(tool: Parameters<typeof parseArguments>[0], args: unknown) {
  try {
    parseArguments(tool, args);
  } catch (reason) {
    if (reason instanceof ToolError) {
      return { code: reason.code, message: reason.message };
    }
    throw reason;
  }
  throw new Error('Nothing was refused');
}

const invalid = (message: string) => ({ code: 'validation_failed', message });

describe('Half of a surrogate pair', () => {
  const half = 'a \ud83d';

  it.each([
    ['a value', { free: { deep: [{ text: half }] } }, 'free'],
    ['a name', { free: { [half]: 1 } }, 'free'],
    ['an item', { edits: [{ op: 'add', content: half }] }, 'edits'],
    ['one of several kinds', { either: half }, 'either']
  ])('is refused wherever it is (%s)', (_, args, name) => {
    expect(refusal(all, args)).toEqual(
      invalid(
        `"${name}" holds half of a surrogate pair, which neither files nor kernels take. Send whole characters.`
      )
    );
  });

  it('is let through where the text to be changed may hold one, whole pairs everywhere', () => {
    const halves = { ...all, halves: ['either'] };
    expect(parseArguments(halves, { either: half })).toEqual({ either: half });
    expect(parseArguments(all, { either: '😀' })).toEqual({ either: '😀' });
  });

  it('is looked for in what is nested deeper than calls can be', () => {
    let free: Record<string, unknown> = { end: half };
    for (let depth = 0; depth < 20_000; depth++) {
      free = { free };
    }
    expect(refusal(all, { free })).toMatchObject({ code: 'validation_failed' });
  });
});

describe('An unknown argument', () => {
  it('is named with the accepted ones', () => {
    expect(refusal(runCell, { notebook: 'demo.ipynb', cellId: 'x' })).toEqual(
      invalid(
        'Unknown argument "notebook". Accepted arguments: "notebookPath", "cellId".'
      )
    );
  });

  it('may be one of several', () => {
    expect(refusal(runCell, { a: 1, b: 2 })).toEqual(
      invalid(
        'Unknown arguments "a", "b". Accepted arguments: "notebookPath", "cellId".'
      )
    );
  });

  it('of a tool without arguments', () => {
    const tool = { name: 'get_context', input: z.strictObject({}) };
    expect(refusal(tool, { a: 1 })).toEqual(
      invalid('Unknown argument "a". This tool takes no arguments.')
    );
    expect(parseArguments(tool, undefined)).toEqual({});
  });

  it('may be nested', () => {
    expect(
      refusal(all, { edits: [{ op: 'add' }, { op: 'add', where: 1 }] })
    ).toEqual(
      invalid(
        'Unknown argument "where" in "edits[1]". Accepted arguments: "op", "content".'
      )
    );
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'may be called %s',
    name => {
      const args: unknown = JSON.parse(
        `{"notebookPath": "a", "cellId": "b", ${JSON.stringify(name)}: {"x": 1}}`
      );
      expect(refusal(runCell, args)).toEqual(
        invalid(
          `Unknown argument "${name}". Accepted arguments: "notebookPath", "cellId".`
        )
      );
      expect(({} as Record<string, unknown>).x).toBeUndefined();
    }
  );

  it('is shortened, and cannot pose as other text', () => {
    const { message } = refusal(runCell, {
      ['y'.repeat(10_000)]: 1,
      'a".\n\u202eb': 2
    });
    expect(message.length).toBeLessThan(300);
    expect(message).toContain('"a\\".\\n\\u202eb"');
    const many = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, i) => [`key${i}`, i])
    );
    expect(refusal(runCell, many).message).toContain(' and 990 more.');
  });
});

describe('Arguments that are not valid', () => {
  it.each([
    [null, 'null'],
    [[1], 'an array'],
    ['text', 'a string'],
    [7, 'a number']
  ])('because they are %j', (args, kind) => {
    expect(refusal(runCell, args)).toEqual(
      invalid(`The arguments of run_cell must be an object, ${kind} was given.`)
    );
  });

  it.each<[unknown, string]>([
    [{ text: 5 }, '"text" must be a string.'],
    [{ text: null }, '"text" must be a string.'],
    [{ text: '' }, '"text" must have at least 1 character.'],
    [{ text: 'four' }, '"text" must have at most 3 characters.'],
    [{ number: '1' }, '"number" must be a number.'],
    [{ number: NaN }, '"number" must be a number.'],
    [{ number: -1 }, '"number" must be at least 0.'],
    [{ number: 10 }, '"number" must be at most 9.'],
    [{ integer: 1.5 }, '"integer" must be an integer.'],
    [{ integer: 0 }, '"integer" must be at least 1.'],
    [{ flag: 'yes' }, '"flag" must be true or false.'],
    [{ choice: 'left' }, '"choice" must be one of "above", "below".'],
    [{ either: true }, '"either" must be a string or a number.'],
    [{ pattern: 'A' }, '"pattern" must match /^[a-z]+$/.'],
    [{ items: [] }, '"items" must have at least 1 item.'],
    [{ items: 'a' }, '"items" must be an array.'],
    [{ items: ['a', 2] }, '"items[1]" must be a string.'],
    [{ edits: [{ content: 'a' }] }, '"edits[0].op" is missing.'],
    [{ must: {} }, '"must.either" is missing.'],
    [{ edits: [null] }, '"edits[0]" must be an object.'],
    [{ free: [] }, '"free" must be an object.']
  ])('%j: what is allowed', (args, message) => {
    expect(refusal(all, args)).toEqual(invalid(message));
  });

  it('are missing', () => {
    expect(refusal(runCell, {})).toEqual(
      invalid('"notebookPath" is missing. "cellId" is missing.')
    );
    expect(refusal(runCell, undefined)).toEqual(
      invalid('"notebookPath" is missing. "cellId" is missing.')
    );
  });

  it('are never repeated', () => {
    const long = 'z'.repeat(5_000);
    const { message } = refusal(all, { choice: long, pattern: `!${long}` });
    expect(message).not.toContain('zzz');
  });

  it('are counted when there are many', () => {
    const { message } = refusal(all, {
      items: ['a'],
      edits: [{}, {}, {}, {}, {}]
    });
    expect(message).toMatch(/There are 2 more problems\.$/);
  });
});

describe('Arguments that name what is managed', () => {
  it.each([
    [{ execution_count: 1 }, /run_cell/],
    [{ outputs: [], nonsense: 1 }, /run_cell/],
    [{ kernelspec: {} }, /change_kernel/],
    [{ edits: [{ op: 'edit', id: 'x' }] }, /never changes/]
  ])('%j: field_read_only, before the schema', (args, words) => {
    const { code, message } = refusal(all, args);
    expect(code).toBe('field_read_only');
    expect(message).toMatch(words);
  });

  it('are left to the schema where the tool manages nothing', () => {
    expect(refusal(runCell, { outputs: [] }).code).toBe('validation_failed');
  });
});
