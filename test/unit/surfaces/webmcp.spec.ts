import { DEFAULT_SETTINGS, type ISettings } from '../../../src/calls/settings';
import { ToolError } from '../../../src/calls/errors';
import {
  type IModelContextTool,
  modelContextOf,
  WebMcp
} from '../../../src/surfaces/webmcp';
import { CLIENT, FakeEngine, tool } from './fakeEngine';

/** `document.modelContext` as the draft has it: one tool of a name. */
class FakeContext {
  readonly tools = new Map<string, IModelContextTool>();
  readonly log: string[] = [];

  registerTool = async (
    tool: IModelContextTool,
    { signal }: { signal: AbortSignal }
  ): Promise<void> => {
    await Promise.resolve();
    if (signal.aborted) {
      throw signal.reason;
    }
    if (this.tools.has(tool.name)) {
      throw new DOMException('Duplicate tool name', 'InvalidStateError');
    }
    this.tools.set(tool.name, tool);
    this.log.push(`+${tool.name}`);
    signal.addEventListener('abort', () => {
      this.tools.delete(tool.name);
      this.log.push(`-${tool.name}`);
    });
  };
}

function setUp(settings: Partial<ISettings> = {}) {
  const context = new FakeContext();
  const engine = new FakeEngine();
  engine.settings = { ...DEFAULT_SETTINGS, ...settings };
  engine.list = [
    tool('look'),
    tool('wait', { scope: 'call' }),
    tool('edit', { kind: 'edit', scope: 'write' }),
    tool('run', { kind: 'run', scope: 'run' })
  ];
  const failures: Map<string, string>[] = [];
  const webMcp = new WebMcp({
    context,
    engine,
    client: CLIENT,
    onFailures: found => failures.push(new Map(found))
  });
  return { context, engine, failures, webMcp };
}

describe('modelContextOf()', () => {
  it('finds the API only where it can register tools', () => {
    const context = new FakeContext();
    expect(modelContextOf({ modelContext: context })).toBe(context);
    expect(modelContextOf({})).toBeNull();
    expect(modelContextOf({ modelContext: null })).toBeNull();
    expect(modelContextOf({ modelContext: {} })).toBeNull();
  });
});

describe('WebMcp', () => {
  it('registers every tool with its hints', async () => {
    const { context, webMcp, failures } = setUp();
    await webMcp.update();
    expect([...context.tools.keys()]).toEqual(['look', 'wait', 'edit', 'run']);
    expect(context.tools.get('run')).toMatchObject({
      description: 'Does run.',
      inputSchema: { type: 'object' },
      annotations: {
        readOnlyHint: false,
        untrustedContentHint: true,
        consequentialHint: true
      }
    });
    expect(context.tools.get('look')?.annotations).toEqual({
      readOnlyHint: true,
      untrustedContentHint: true,
      consequentialHint: false
    });
    expect(failures).toEqual([new Map()]);
  });

  it('offers what only reads, or nothing, as the settings say', async () => {
    const read = setUp({ webmcp: 'read' });
    await read.webMcp.update();
    expect([...read.context.tools.keys()]).toEqual(['look', 'wait']);
    const off = setUp({ webmcp: 'off' });
    await off.webMcp.update();
    expect(off.context.log).toEqual([]);
  });

  it('registers again only what changed', async () => {
    const { context, engine, webMcp } = setUp();
    await webMcp.update();
    context.log.length = 0;
    engine.list = [
      tool('look', { description: 'Looks closer.' }),
      ...engine.list.slice(2),
      tool('new')
    ];
    engine.toolsChanged.emit();
    await webMcp.update();
    expect(context.log).toEqual(['-look', '-wait', '+look', '+new']);
    expect(context.tools.get('look')?.description).toBe('Looks closer.');
  });

  it('names the tools whose name is taken, and registers the others', async () => {
    const { context, failures, webMcp } = setUp();
    await context.registerTool(
      { ...tool('edit'), execute: jest.fn() } as unknown as IModelContextTool,
      new AbortController()
    );
    await webMcp.update();
    expect(failures).toEqual([new Map([['edit', 'InvalidStateError']])]);
    expect([...context.tools.keys()].sort()).toEqual([
      'edit',
      'look',
      'run',
      'wait'
    ]);
    // It is tried again with the next change.
    context.tools.delete('edit');
    await webMcp.update();
    expect(failures.at(-1)).toEqual(new Map());
  });

  it('takes everything back when disposed, also what is on its way', async () => {
    const { context, engine, webMcp } = setUp();
    const updating = webMcp.update();
    await Promise.resolve();
    webMcp.dispose();
    await updating;
    expect(context.tools.size).toBe(0);
    engine.toolsChanged.emit();
    await webMcp.update();
    expect(context.tools.size).toBe(0);
  });

  it('takes back at once what is off, though another registration does not end', async () => {
    const { context, engine, webMcp } = setUp();
    const register = context.registerTool;
    const stuck: AbortSignal[] = [];
    context.registerTool = (tool, options) =>
      tool.name === 'edit'
        ? new Promise(() => void stuck.push(options.signal))
        : register(tool, options);
    void webMcp.update();
    await new Promise(resolve => setTimeout(resolve));
    expect([...context.tools.keys()]).toEqual(['look', 'wait']);
    engine.settings = { ...engine.settings, webmcp: 'off' };
    void webMcp.update();
    expect([...context.tools.keys()]).toEqual([]);
    expect(stuck.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('names no tool as one that failed because it was taken back', async () => {
    const { context, engine, failures, webMcp } = setUp();
    const updating = webMcp.update();
    await Promise.resolve();
    engine.list = [];
    await webMcp.update();
    await updating;
    expect(context.tools.size).toBe(0);
    expect(failures.map(found => found.size)).toEqual([0, 0]);
  });

  it('calls nothing while it is off, where the browser keeps the tool', async () => {
    const { context, engine, webMcp } = setUp();
    await webMcp.update();
    const look = context.tools.get('look');
    engine.settings = { ...engine.settings, webmcp: 'off' };
    expect(await look?.execute({})).toEqual({
      success: false,
      error: expect.stringContaining('setting webmcp'),
      isError: true
    });
    expect(engine.calls).toEqual([]);
  });

  it('goes on after a browser threw what cannot be read', async () => {
    const { context, failures, webMcp } = setUp();
    const register = context.registerTool;
    context.registerTool = () =>
      Promise.reject(
        Object.defineProperty({}, 'name', {
          get: () => {
            throw new Error('unreadable');
          }
        })
      );
    await webMcp.update();
    expect(failures.at(-1)?.get('look')).toBe('Error');
    context.registerTool = register;
    await webMcp.update();
    expect(context.tools.size).toBe(4);
  });

  it('calls with the page’s own client, and takes the signal where there is one', async () => {
    const { context, engine, webMcp } = setUp({ webmcp: 'read' });
    await webMcp.update();
    const { signal } = new AbortController();
    const look = context.tools.get('look');
    await look?.execute({ at: 1 }, { signal });
    await look?.execute({});
    expect(engine.calls).toMatchObject([
      {
        name: 'look',
        args: { at: 1 },
        caller: {
          client: CLIENT,
          surface: 'webmcp',
          scope: 'read',
          demandsRevisions: false,
          auditId: null
        }
      },
      { args: {} }
    ]);
    expect(engine.calls.map(({ caller }) => caller.signal)).toEqual([
      signal,
      undefined
    ]);
  });

  it('throws nothing whatever the page hands over beside the arguments', async () => {
    const { context, engine, webMcp } = setUp();
    await webMcp.update();
    const look = context.tools.get('look');
    const raise = (): never => {
      throw new Error('of the page');
    };
    for (const options of [
      Object.defineProperty({}, 'signal', { get: raise }),
      new Proxy({}, { get: raise }),
      { signal: 5 },
      { signal: { aborted: true } },
      null
    ] as { signal: AbortSignal }[]) {
      expect(await look?.execute({}, options)).toEqual({ success: true });
    }
    expect(engine.calls.map(({ caller }) => caller.signal)).toEqual(
      Array.from({ length: 5 }, () => undefined)
    );
  });

  it('answers R’s object as it is, and throws nothing', async () => {
    const { context, engine, webMcp } = setUp();
    await webMcp.update();
    const look = context.tools.get('look');
    engine.answer = async () => ({
      kind: 'done',
      data: { success: true, x: [1] }
    });
    expect(await look?.execute({})).toEqual({ success: true, x: [1] });
    engine.answer = async () => ({
      kind: 'refused',
      error: new ToolError('not_found', 'No such thing.', { dialogs: [1] })
    });
    expect(await look?.execute({})).toEqual({
      success: false,
      error: 'No such thing.',
      isError: true,
      dialogs: [1]
    });
    const logged = jest.spyOn(console, 'error').mockImplementation();
    engine.answer = () => Promise.reject(new Error('secret'));
    const failed = await look?.execute({});
    expect(failed).toMatchObject({ success: false, isError: true });
    expect(JSON.stringify(failed)).not.toContain('secret');
    expect(logged).toHaveBeenCalledTimes(1);
    logged.mockRestore();
  });

  it('bounds a result to the settings’ length and redacts it', async () => {
    const { context, engine, webMcp } = setUp({ maxResultLength: 1000 });
    await webMcp.update();
    engine.answer = async () => ({
      kind: 'done',
      data: { success: true, text: 'tokentoken '.repeat(1000) }
    });
    const result = await context.tools.get('look')?.execute({});
    expect(JSON.stringify(result).length).toBeLessThanOrEqual(1000);
    expect(result).toMatchObject({ success: true, truncated: true });
    expect(JSON.stringify(result)).not.toContain('tokentoken');
    expect(result?.resultId).toMatch(/^result-\d+$/);
  });
});
