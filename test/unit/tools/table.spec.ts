import * as z from 'zod';
import {
  commandId,
  defineTool,
  hints,
  toolOfCommand
} from '../../../src/tools/define';
import { toolByName, TOOLS } from '../../../src/tools/index';
import { describeTool, toInputSchema } from '../../../src/tools/schema';

describe('Every tool', () => {
  it('is in the table once, sorted by name', () => {
    const names = TOOLS.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)].sort());
    expect(toolByName.size).toBe(names.length);
  });

  it.each(TOOLS.map(tool => [tool.name, tool] as const))(
    '%s keeps to the rules of tools',
    (name, tool) => {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(name.length).toBeLessThanOrEqual(40);
      expect(toolOfCommand(commandId(name))).toBe(name);
      expect(tool.title).not.toBe('');
      expect(tool.description).not.toBe('');
      if (tool.untrusted) {
        const [first, second] = tool.description.split(/(?<=\.) /);
        expect(`${first} ${second}`).toMatch(/untrusted|data/);
      }
    }
  );

  it.each([
    ['run_code', { kernelId: 'k', code: 'x' }, 'code'],
    ['run_cell', { notebookPath: 'a', cellId: 'b', content: 'x' }, 'content'],
    ['answer_input', { pendingId: 'call-1', value: 'x' }, 'value'],
    ['answer_dialog', { button: 'x' }, 'button'],
    ['execute_command', { command_id: 'a', args: { text: 'x' } }, 'args'],
    ['create_file', { fileName: 'x' }, 'fileName'],
    ['create_file', { fileName: 'a', content: 'x' }, 'content'],
    ['create_notebook', { name: 'x' }, 'name'],
    ['write_file', { filePath: 'a', content: 'x' }, 'content']
  ])('%s takes no half of a character in %j', (name, args, argument) => {
    const half = JSON.parse(JSON.stringify(args).replace('"x"', '"\\ud83d"'));
    expect(() => toolByName.get(name)?.bind(args)).not.toThrow();
    expect(() => toolByName.get(name)?.bind(half)).toThrow(
      `"${argument}" holds half of a surrogate pair`
    );
  });

  it.each(TOOLS.map(tool => [tool.name, tool] as const))(
    '%s refuses unknown arguments, naming its own',
    (_, tool) => {
      const { inputSchema } = describeTool(tool);
      const names = Object.keys(inputSchema.properties ?? {});
      const accepted =
        names.length > 0
          ? `Accepted arguments: ${names.map(each => `"${each}"`).join(', ')}.`
          : 'This tool takes no arguments.';
      expect(() => tool.bind({ noSuchArgument: 1 })).toThrow(
        `Unknown argument "noSuchArgument". ${accepted}`
      );
    }
  );

  it.each(TOOLS.map(tool => [tool.name, tool] as const))(
    '%s refuses arguments that are no object',
    (_, tool) => {
      for (const args of [null, [], 'x', 1]) {
        expect(() => tool.bind(args)).toThrow(/must be an object/);
      }
    }
  );
});

describe('The hints of the tools', () => {
  const named = (which: (tool: ReturnType<typeof hints>) => boolean) =>
    TOOLS.filter(tool => which(hints(tool))).map(({ name }) => name);

  it('call only what adds, and adds only, not destructive', () => {
    expect(
      named(({ readOnlyHint, destructiveHint }) => {
        expect(readOnlyHint && destructiveHint).toBe(false);
        return !readOnlyHint && !destructiveHint;
      })
    ).toEqual(['add_cell', 'create_file', 'create_notebook']);
  });

  it('call what runs, deletes, overwrites or ends something consequential', () => {
    expect(named(({ consequentialHint }) => consequentialHint)).toEqual([
      'answer_dialog',
      'answer_input',
      'change_kernel',
      'delete_cell',
      'execute_command',
      'interrupt_kernel',
      'restart_kernel',
      'run_cell',
      'run_cells',
      'run_code',
      'write_file'
    ]);
  });
});

describe('toInputSchema', () => {
  const schemaOf = (shape: z.core.$ZodLooseShape) =>
    toInputSchema(
      defineTool({
        name: 't',
        title: 'T',
        kind: 'read',
        description: 'T.',
        scope: 'read',
        untrusted: false,
        input: z.strictObject(shape)
      })
    );

  it('writes only what clients and browsers take', () => {
    expect(
      schemaOf({
        text: z.string().min(1).max(5).describe('Some text.'),
        n: z.int().min(0).optional(),
        any: z.int().optional(),
        either: z.union([z.string(), z.int().min(0)]).optional(),
        choice: z.enum(['a', 'b']).default('a'),
        one: z.literal('x').optional(),
        free: z.record(z.string(), z.unknown()).optional(),
        list: z.array(z.strictObject({ op: z.string() })).optional()
      })
    ).toEqual({
      type: 'object',
      properties: {
        text: {
          type: 'string',
          minLength: 1,
          maxLength: 5,
          description: 'Some text.'
        },
        n: { type: 'integer', minimum: 0 },
        any: { type: 'integer' },
        either: { type: ['string', 'integer'], minimum: 0 },
        choice: { type: 'string', enum: ['a', 'b'], default: 'a' },
        one: { type: 'string', enum: ['x'] },
        free: { type: 'object', additionalProperties: true },
        list: {
          type: 'array',
          items: {
            type: 'object',
            properties: { op: { type: 'string' } },
            required: ['op'],
            additionalProperties: false
          }
        }
      },
      required: ['text'],
      additionalProperties: false
    });
  });

  it.each<[string, z.core.$ZodLooseShape]>([
    ['formats', { a: z.email() }],
    ['several shapes', { a: z.union([z.string(), z.array(z.string())]) }],
    ['tuples', { a: z.tuple([z.string()]) }],
    [
      'three levels',
      { a: z.strictObject({ b: z.strictObject({ c: z.strictObject({}) }) }) }
    ]
  ])('refuses %s', (_, shape) => {
    expect(() => schemaOf(shape)).toThrow(/^t/);
  });

  it('refuses a tool that takes whatever it is given', () => {
    const tool = defineTool({
      name: 't',
      title: 'T',
      kind: 'read',
      description: 'T.',
      scope: 'read',
      untrusted: false,
      input: z.looseObject({})
    });
    expect(() => toInputSchema(tool)).toThrow(/strict object/);
  });
});
