/**
 * A real command registry, which asks for a browser.
 * @jest-environment jsdom
 */
import { CommandRegistry } from '@lumino/commands';
import * as z from 'zod';
import { Calls } from '../../../src/calls/call';
import { NOT_ENABLED } from '../../../src/calls/commandCall';
import { INTERNAL_MESSAGE, ToolError } from '../../../src/calls/errors';
import { DEFAULT_SETTINGS, type ISettings } from '../../../src/calls/settings';
import { CallSlots } from '../../../src/calls/slots';
import type { ICaller, Outcome } from '../../../src/calls/types';
import { Commands } from '../../../src/jupyter/commands';
import { registerToolCommands } from '../../../src/jupyter/toolCommands';
import { toJson } from '../../../src/results/plain';
import { commandTools } from '../../../src/tools/commands';
import type { IToolContext } from '../../../src/tools/context';
import { type AnyTool, commandId, defineTool } from '../../../src/tools/define';
import { dialogTools } from '../../../src/tools/dialogs';
import { waitingTools } from '../../../src/tools/waiting';
import {
  Answer,
  FakePrompt,
  FIRST_DIALOG,
  type PageDialog,
  Rig,
  settle
} from './rig';

const DIALOG = `dialog-${FIRST_DIALOG}`;

/** Tools that only tests have. */
const echo = defineTool({
  name: 'echo',
  title: 'Echo',
  kind: 'read',
  description: 'Says what it was given.',
  scope: 'read',
  untrusted: false,
  input: z.strictObject({ text: z.string() }),
  handler: async ({ text }) => ({ success: true, text })
});
const failing = defineTool({
  name: 'failing',
  title: 'Failing',
  kind: 'read',
  description: 'Fails as it is told.',
  scope: 'read',
  untrusted: false,
  input: z.strictObject({ how: z.string() }),
  handler: async ({ how }) => {
    switch (how) {
      case 'data':
        return { success: false, errorName: 'ZeroDivisionError' };
      case 'coded':
        throw new ToolError('stale_revision', 'Read it again.');
      default:
        throw new Error('the secret text of a person');
    }
  }
});
const listing = defineTool({
  ...echo,
  name: 'listing',
  handler: async (_, { context }) => ({
    success: true,
    dialogs: context.dialogs.list()
  })
});
const writing = defineTool({ ...echo, name: 'writing', scope: 'write' });
const extra = defineTool({ ...echo, name: 'extra', toolset: 'kernels' });
const secretly = defineTool({ ...echo, name: 'secretly', scope: 'admin' });

let rig: Rig;
let registry: CommandRegistry;
let settings: ISettings;
let logged: unknown[];
let calls: Calls;
let slots: CallSlots;

beforeEach(() => {
  rig = new Rig();
  registry = new CommandRegistry();
  settings = DEFAULT_SETTINGS;
  logged = [];
  slots = new CallSlots();
  const tools: AnyTool[] = [
    echo,
    failing,
    listing,
    writing,
    extra,
    secretly,
    ...commandTools,
    ...dialogTools,
    ...waitingTools
  ];
  registerToolCommands(
    registry,
    tools.map(tool => ({ ...tool, id: commandId(tool.name) })),
    slots,
    async () => ({})
  );
  const context: Partial<IToolContext> = {
    get settings() {
      return settings;
    },
    clock: rig.clock,
    commands: new Commands(registry),
    calls: rig.pending,
    dialogs: rig.book
  };
  calls = new Calls({
    tools: () => new Map(tools.map(tool => [tool.name, tool])),
    context: context as IToolContext,
    pending: rig.pending,
    slots,
    toJson,
    log: reason => logged.push(reason)
  });
});

function call(
  name: string,
  args: unknown,
  more: Partial<ICaller> = {}
): Promise<Outcome> {
  return calls.call(name, args, rig.caller('a', more));
}

function execute(command_id: string, args?: object): Promise<Outcome> {
  return call('execute_command', args ? { command_id, args } : { command_id });
}

const done = (data: object): unknown =>
  expect.objectContaining({ kind: 'done', data });
const refused = (code: string, message: unknown = expect.anything()): unknown =>
  expect.objectContaining({
    kind: 'refused',
    error: expect.objectContaining({ code, message })
  });

describe('call', () => {
  it('runs a tool and returns what it says', async () => {
    expect(await call('echo', { text: 'hi' })).toEqual(
      done({ success: true, text: 'hi' })
    );
  });

  it('runs a command of the registry for every tool', async () => {
    const ids: string[] = [];
    registry.commandExecuted.connect((_, { id }) => void ids.push(id));
    await call('echo', { text: 'hi' });
    await call('list_all_commands', {});
    await call('wait_for_result', { pendingId: 'call-1' });
    expect(ids).toEqual([
      'mcp-bridge:echo',
      'mcp-bridge:list-all-commands',
      'mcp-bridge:wait-for-result'
    ]);
  });

  it('knows no tool of another name', async () => {
    expect(await call('rm_rf', {})).toEqual(
      refused('not_found', 'There is no tool "rm_rf".')
    );
    expect(await call('constructor', {})).toEqual(refused('not_found'));
  });

  it('knows no tool that is disabled, or of a set that is not chosen', async () => {
    expect(await call('extra', { text: '' })).toEqual(refused('not_found'));
    settings = {
      ...DEFAULT_SETTINGS,
      toolsets: ['kernels'],
      disabledTools: ['echo']
    };
    expect(await call('extra', { text: '' })).toMatchObject({ kind: 'done' });
    expect(await call('echo', { text: '' })).toEqual(refused('not_found'));
  });

  it('checks arguments before the scope, and runs nothing', async () => {
    const executed = jest.fn();
    registry.commandExecuted.connect(executed);
    expect(await call('writing', { t: 1 }, { scope: 'read' })).toEqual(
      refused(
        'validation_failed',
        'Unknown argument "t". Accepted arguments: "text".'
      )
    );
    expect(await call('writing', { text: '' }, { scope: 'read' })).toEqual(
      refused('permission_denied', expect.stringContaining('(webmcp)'))
    );
    expect(await call('secretly', { text: '' })).toEqual(
      refused('admin_required')
    );
    expect(executed).not.toHaveBeenCalled();
  });

  it('takes nothing but plain JSON, whoever hands it over', async () => {
    const circle: Record<string, unknown> = {};
    circle.circle = circle;
    for (const [args, problem] of [
      [circle, /nested in more than 500 levels, or hold themselves/],
      [{ a: new Map() }, /hold what is no plain object at "args.a"/],
      [JSON.parse('{"__proto__": {}}'), /hold a name that .* "args.__proto__"/]
    ] as const) {
      expect(
        await call(
          'execute_command',
          { command_id: 'zz:none', args },
          { scope: 'read' }
        )
      ).toEqual(refused('validation_failed', expect.stringMatching(problem)));
    }
    expect(await call('echo', new Map())).toEqual(
      refused('validation_failed', expect.stringMatching(/no plain object/))
    );
  });

  it('reads what a page hands over once', async () => {
    let reads = 0;
    const args = Object.defineProperty({}, 'text', {
      enumerable: true,
      get: () => `${++reads}`
    });
    expect(await call('echo', args)).toEqual(
      done({ success: true, text: '1' })
    );
    expect(reads).toBe(1);
  });

  it('takes every write and run tool away while readOnly is on', async () => {
    settings = { ...DEFAULT_SETTINGS, readOnly: true };
    for (const [name, args] of [
      ['writing', { text: '' }],
      ['execute_command', { command_id: 'a' }],
      ['answer_dialog', { button: 'Ok' }],
      ['answer_input', { pendingId: 'call-1', value: '' }]
    ] as const) {
      expect(await call(name, args)).toEqual(
        refused('operation_refused', expect.stringContaining('readOnly'))
      );
    }
    expect(await call('echo', { text: '' })).toMatchObject({ kind: 'done' });
  });

  it('does nothing when it was cancelled before it began', async () => {
    expect(
      await call('echo', { text: '' }, { signal: AbortSignal.abort() })
    ).toEqual(refused('operation_refused', expect.stringMatching(/cancelled/)));
  });

  it('never throws: an exception is internal_error without its message', async () => {
    const outcome = await call('failing', { how: 'exception' });
    expect(outcome).toEqual(refused('internal_error', INTERNAL_MESSAGE));
    expect(JSON.stringify(outcome)).not.toContain('secret');
    expect(logged).toEqual([new Error('the secret text of a person')]);
  });

  it('passes a coded error on', async () => {
    expect(await call('failing', { how: 'coded' })).toEqual(
      refused('stale_revision', 'Read it again.')
    );
    expect(logged).toEqual([]);
  });

  it('has isError: true on every result with success: false', async () => {
    expect(await call('failing', { how: 'data' })).toEqual(
      done({ success: false, errorName: 'ZeroDivisionError', isError: true })
    );
  });

  it('says so when another extension took its command away', async () => {
    const other = new CommandRegistry();
    other.addCommand(commandId('echo'), { execute: () => ({ fake: true }) });
    registry.execute = (id, args) => other.execute(id, args);
    expect(await call('echo', { text: '' })).toEqual(refused('internal_error'));
  });
});

describe("The extension's own commands", () => {
  it('do nothing unless call() made the call', async () => {
    await expect(
      registry.execute(commandId('echo'), { text: 'hi' })
    ).rejects.toThrow('only as the tool "echo"');
  });

  it('cannot be run again with the arguments of a call', async () => {
    const seen: unknown[] = [];
    const again: Promise<unknown>[] = [];
    registry.commandExecuted.connect((_, { id, args }) => {
      seen.push(args);
      if (seen.length === 1) {
        again.push(registry.execute(id, args));
      }
    });
    expect(await call('echo', { text: 'hi' })).toMatchObject({ kind: 'done' });
    expect(again).toHaveLength(1);
    await expect(again[0]).rejects.toThrow(/only as the tool/);
  });

  it('are refused by execute_command, which names the tool', async () => {
    expect(await execute('mcp-bridge:echo', {})).toEqual(
      refused('operation_refused', expect.stringContaining('"echo"'))
    );
  });

  it('are not found by list_all_commands', async () => {
    registry.addCommand('a:b', { execute: () => {} });
    expect(await call('list_all_commands', {})).toEqual(
      done({ success: true, commandCount: 1, commands: ['a:b'] })
    );
  });
});

describe('execute_command', () => {
  it('returns the result of the command', async () => {
    registry.addCommand('t:sum', {
      execute: args => Number(args.a) + Number(args.b)
    });
    expect(await execute('t:sum', { a: 1, b: 2 })).toEqual(
      done({ success: true, result: 3 })
    );
  });

  it('returns no result when the command returned nothing', async () => {
    registry.addCommand('t:void', { execute: () => {} });
    registry.addCommand('t:null', { execute: () => null });
    expect(await execute('t:void')).toEqual(done({ success: true }));
    expect(await execute('t:null')).toEqual(
      done({ success: true, result: null })
    );
  });

  it('tells results that are no JSON as what they are', async () => {
    const cycle: Record<string, unknown> = { n: 1n };
    cycle.self = cycle;
    registry.addCommand('t:cycle', { execute: () => cycle });
    const outcome = await execute('t:cycle');
    expect(outcome.kind).toBe('done');
    expect(() => JSON.stringify(outcome)).not.toThrow();
  });

  it('says that there is no such command', async () => {
    expect(await execute('t:missing')).toEqual(
      refused('operation_refused', expect.stringContaining('"t:missing"'))
    );
  });

  it('refuses what the settings block', async () => {
    for (const id of ['apputils:run-first-enabled', 't:one', 'x:y']) {
      registry.addCommand(id, { execute: () => 1 });
    }
    settings = {
      ...DEFAULT_SETTINGS,
      blockedCommands: [...DEFAULT_SETTINGS.blockedCommands, 't:*', 'x']
    };
    for (const id of ['apputils:run-first-enabled', 't:one', 't:missing']) {
      expect(await execute(id)).toEqual(
        refused('operation_refused', expect.stringContaining('blocked'))
      );
    }
    expect(await execute('x:y')).toMatchObject({ kind: 'done' });
  });

  it('has a warning when the command was not enabled when it ran', async () => {
    const ran = jest.fn();
    registry.addCommand('t:off', { execute: ran, isEnabled: () => false });
    expect(await execute('t:off')).toEqual(
      done({ success: true, warning: NOT_ENABLED })
    );
    expect(ran).toHaveBeenCalledTimes(1);
  });

  it('asks whether it is enabled before it runs, with its arguments', async () => {
    let enabled = true;
    registry.addCommand('t:once', {
      execute: () => {
        enabled = false;
      },
      isEnabled: args => enabled && args.x === 1
    });
    expect(await execute('t:once', { x: 1 })).toEqual(done({ success: true }));
  });

  it.each(['widgetId', 'semanticWidget'])(
    'does not check that when args has %s',
    async name => {
      registry.addCommand('notebook:off', {
        execute: () => 1,
        isEnabled: () => false
      });
      registry.addCommand('console:off', {
        execute: () => 1,
        isEnabled: () => false
      });
      for (const id of ['notebook:off', 'console:off']) {
        expect(await execute(id, { [name]: 'w' })).toEqual(
          done({ success: true, result: 1 })
        );
      }
    }
  );

  it.each(['widgetId', 'semanticWidget'])(
    'refuses %s for other commands than notebook:* and console:*',
    async name => {
      const ran = jest.fn();
      for (const id of ['docmanager:save', 'notebook-tools:x']) {
        registry.addCommand(id, { execute: ran });
        expect(await execute(id, { [name]: 'w' })).toEqual(
          refused('validation_failed', expect.stringContaining(`"${name}"`))
        );
      }
      expect(ran).not.toHaveBeenCalled();
    }
  );

  it('tells nothing of an exception of the command', async () => {
    registry.addCommand('t:throws', {
      execute: () => {
        throw new Error('the secret text of a person');
      }
    });
    const outcome = await execute('t:throws');
    expect(outcome).toEqual(
      refused(
        'internal_error',
        expect.stringMatching(
          /^The command "t:throws" failed.*list_all_commands/
        )
      )
    );
    expect(JSON.stringify(outcome)).not.toContain('secret');
    expect(logged).toEqual([new Error('the secret text of a person')]);
  });

  it('has no warning when it failed', async () => {
    registry.addCommand('t:throws', {
      isEnabled: () => false,
      execute: () => Promise.reject(new Error('no'))
    });
    const outcome = await execute('t:throws');
    expect(outcome.kind).toBe('refused');
    expect(JSON.stringify(outcome)).not.toContain('not enabled');
  });
});

describe('list_all_commands', () => {
  beforeEach(() => {
    for (let i = 0; i < 60; i++) {
      registry.addCommand(`t:command-${String(i).padStart(2, '0')}`, {
        execute: () => {}
      });
    }
    registry.addCommand('notebook:run-cell', {
      execute: () => {},
      label: 'Run Selected Cell',
      caption: 'Runs it',
      describedBy: { args: { type: 'object', properties: {} } }
    });
    registry.addCommand('t:broken', {
      execute: () => {},
      label: args => String(args.missing).toUpperCase().repeat(-1)
    });
  });

  it('without a query: ids only, the first 50, the count', async () => {
    const outcome = await call('list_all_commands', {});
    expect(outcome).toMatchObject({ data: { commandCount: 62 } });
    const commands =
      outcome.kind === 'done' ? outcome.data.commands : undefined;
    expect(commands).toHaveLength(50);
    expect(commands).toEqual(expect.arrayContaining(['notebook:run-cell']));
  });

  it.each(['run cell', 'SELECTED run', 'runs it', 'notebook:run'])(
    'with the query %s: what id, label or caption hold',
    async query => {
      expect(await call('list_all_commands', { query })).toEqual(
        done({
          success: true,
          commandCount: 1,
          commands: [
            {
              id: 'notebook:run-cell',
              label: 'Run Selected Cell',
              caption: 'Runs it',
              args: { type: 'object', properties: {} }
            }
          ]
        })
      );
    }
  );

  it('describes at most limit matches', async () => {
    expect(
      await call('list_all_commands', { query: 'command-', limit: 2 })
    ).toEqual(
      done({
        success: true,
        commandCount: 60,
        commands: [{ id: 't:command-00' }, { id: 't:command-01' }]
      })
    );
  });
});

describe('dialogs', () => {
  it('are told in every result while they are open', async () => {
    await rig.page.open("The user's");
    const open = [
      {
        id: DIALOG,
        title: "The user's",
        body: "body of The user's",
        buttons: ['Cancel', 'Ok'],
        shown: true
      }
    ];
    expect(await call('echo', { text: '' })).toEqual(
      done({ success: true, text: '', dialogs: open })
    );
    expect(await call('failing', { how: 'coded' })).toMatchObject({
      kind: 'refused',
      error: { extra: { dialogs: open } }
    });
    expect(await call('echo', {})).toMatchObject({
      error: { extra: { dialogs: open } }
    });
  });

  it.each(['a', 'b'])(
    'that open in the place of one that %s answered are told as they can be read',
    async client => {
      let drawn = (): void => {};
      const draw = () => new Promise<void>(resolve => (drawn = resolve));
      const first = await rig.page.open('First');
      first.closed = () => void rig.page.openNow('', ['Ok'], { draw });
      const caller = rig.caller(client);
      const answer = new Answer(
        calls.call('answer_dialog', { button: 'Ok' }, caller)
      );
      await settle();
      expect(answer.isThere).toBe(false);
      rig.page.queue[0].view.title = 'Second';
      drawn();
      await settle();
      expect(answer.data).toMatchObject({
        success: true,
        answered: { dialogId: DIALOG },
        dialogs: [{ title: 'Second' }]
      });
    }
  );

  describe('that open as another is answered', () => {
    const answerIt = () => call('answer_dialog', { button: 'Ok' });
    let second: PageDialog | undefined;
    let draw: () => Promise<void>;

    beforeEach(async () => {
      second = undefined;
      draw = async () => {};
      const first = await rig.page.open('First');
      first.closed = () => {
        second = rig.page.openNow('Second', ['Ok'], { draw });
      };
    });

    it('are not clicked without an id by an answer that was sent with the first', async () => {
      const [first, other] = await Promise.all([answerIt(), answerIt()]);
      expect(first).toMatchObject({ data: { answered: { dialogId: DIALOG } } });
      expect(other).toEqual(
        refused('validation_failed', expect.stringMatching(/"Second"/))
      );
      expect(second?.clicked).toEqual([]);
    });

    it('are not clicked without an id by an answer that comes before they were told', async () => {
      draw = () => new Promise(() => {});
      const first = answerIt();
      await settle();
      expect(second).toBeDefined();
      const other = answerIt();
      await rig.clock.advance(1_000);
      expect(await first).toMatchObject({ data: { success: true } });
      expect(await other).toEqual(refused('validation_failed'));
      expect(second?.clicked).toEqual([]);
    });

    it('are clicked without an id once they were told', async () => {
      expect(await answerIt()).toMatchObject({
        data: { dialogs: [{ title: 'Second' }] }
      });
      expect(await answerIt()).toMatchObject({ data: { success: true } });
      expect(second?.clicked).toEqual([0]);
    });
  });

  it('that are closed while a result waits to be told are not in it', async () => {
    const dialog = rig.page.openNow('Slow', ['Ok'], {
      draw: () => new Promise(() => {})
    });
    const answer = new Answer(call('listing', { text: '' }));
    await settle();
    dialog.close();
    await settle();
    expect(answer.data).toEqual({ success: true, dialogs: [] });
  });

  it('do not hold a result back for long, however many open', async () => {
    const never = { draw: () => new Promise<void>(() => {}) };
    rig.page.openNow('First', ['Ok'], never);
    const answer = new Answer(call('echo', { text: '' }));
    for (let i = 0; i < 5; i++) {
      await rig.clock.advance(200);
      rig.page.openNow('More', ['Ok'], never);
    }
    expect(answer.data).toMatchObject({ success: true });
  });

  it('stay open when the call settles, and appear in its result', async () => {
    registry.addCommand('t:opens', {
      execute: () => {
        rig.page.openNow('Late');
        return 'done';
      }
    });
    expect(await execute('t:opens')).toEqual(
      done({
        success: true,
        result: 'done',
        dialogs: [expect.objectContaining({ id: DIALOG, shown: true })]
      })
    );
  });

  it('of a call are told as dialog, and in dialogs only with others', async () => {
    registry.addCommand('t:asks', {
      execute: () => {
        rig.page.openNow('Restart?');
        return new Promise(() => {});
      }
    });
    const first = await execute('t:asks');
    expect(first).toMatchObject({
      kind: 'pending',
      data: { tool: 'execute_command', dialog: { id: DIALOG } }
    });
    expect(first).not.toHaveProperty('data.dialogs');
    const second = await execute('t:asks');
    expect(second).toHaveProperty('data.dialogs.length', 2);
  });

  it('are answered by answer_dialog', async () => {
    registry.addCommand('t:asks', {
      execute: () =>
        new Promise(resolve => {
          const dialog = rig.page.openNow('Restart?', ['Cancel', 'Restart']);
          dialog.closed = () => resolve(dialog.clicked[0] === 1);
        })
    });
    await execute('t:asks');
    expect(await call('answer_dialog', { button: 'restart' })).toEqual(
      done({
        success: true,
        result: true,
        answered: { dialogId: DIALOG, button: 'Restart' }
      })
    );
    expect(await call('answer_dialog', { button: 0 })).toEqual(
      refused('not_found', 'No dialog is open.')
    );
  });
});

describe('three dialogs in a row (b42)', () => {
  it('queue: the call answers early, with the one that is shown and those behind it', async () => {
    registry.addCommand('t:three', {
      execute: async () => {
        await new Promise<void>(resolve => rig.clock.after(300, resolve));
        ['One?', 'Two?', 'Three?'].forEach(title => rig.page.openNow(title));
        return new Promise(() => {});
      }
    });
    const answer = execute('t:three');
    await rig.clock.advance(300);
    const shown = (title: string, shown: boolean) =>
      expect.objectContaining({ title, shown });
    expect(await answer).toMatchObject({
      kind: 'pending',
      data: {
        dialog: shown('One?', true),
        dialogs: [
          shown('One?', true),
          shown('Two?', false),
          shown('Three?', false)
        ]
      }
    });
  });
});

describe('isError: true', () => {
  it('is on a result with success: false however it is fetched', async () => {
    const outcome = { kind: 'done', data: { success: false } } as const;
    const failed = done({ success: false, isError: true });
    const run = (fetch: (pendingId: unknown) => Promise<Outcome>) => {
      let end = (): void => {};
      const { client } = rig.agent;
      const first = rig.pending.run(
        { client, tool: 't', command: 'c', args: {}, scope: 'run' },
        rig.agent,
        report => {
          report.prompt(new FakePrompt());
          return new Promise(resolve => (end = () => resolve(outcome)));
        }
      );
      return first.then(asked => {
        const { pendingId } = asked.kind === 'pending' ? asked.data : {};
        const fetched = fetch(pendingId);
        end();
        return fetched;
      });
    };
    expect(
      await run(pendingId => call('answer_input', { pendingId, value: '' }))
    ).toEqual(failed);
    expect(
      await run(async pendingId => {
        await settle();
        return call('wait_for_result', { pendingId });
      })
    ).toEqual(failed);
  });
});

describe('wait_for_result', () => {
  it('returns the warning of the call', async () => {
    let finish = (_: unknown): void => {};
    registry.addCommand('t:long', {
      isEnabled: () => false,
      execute: () => new Promise(resolve => (finish = resolve))
    });
    const first = execute('t:long');
    await rig.clock.advance(20_000);
    const { pendingId } = await first.then(outcome =>
      outcome.kind === 'pending' ? outcome.data : {}
    );
    finish(7);
    await settle();
    expect(await call('wait_for_result', { pendingId })).toEqual(
      done({ success: true, result: 7, warning: NOT_ENABLED })
    );
  });

  it('refuses what is no handle', async () => {
    expect(await call('wait_for_result', { pendingId: 'call-1' })).toEqual(
      refused('not_found')
    );
    expect(
      await call('wait_for_result', { pendingId: 'call-1', timeout: -1 })
    ).toEqual(refused('validation_failed', '"timeout" must be at least 0.'));
  });

  it('never leaves a late rejection unhandled', async () => {
    let fail = (_: unknown): void => {};
    registry.addCommand('t:fails', {
      execute: () => new Promise((_, reject) => (fail = reject))
    });
    const first = execute('t:fails');
    await rig.clock.advance(20_000);
    const outcome = await first;
    fail(new Error('late'));
    await settle();
    const pendingId =
      outcome.kind === 'pending' ? outcome.data.pendingId : undefined;
    expect(await call('wait_for_result', { pendingId })).toEqual(
      refused('internal_error', expect.stringContaining('"t:fails" failed'))
    );
  });
});
