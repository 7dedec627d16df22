/**
 * A real command registry, which asks for a browser.
 * @jest-environment jsdom
 */
import { CommandRegistry } from '@lumino/commands';
import { Commands } from '../../../src/jupyter/commands';
import { commandTools } from '../../../src/tools/commands';
import type { IToolContext } from '../../../src/tools/context';
import { CLIENT } from '../surfaces/fakeEngine';
import { FakeClock } from '../transports/fakeClock';

const listing = commandTools.find(({ name }) => name === 'list_all_commands');

function setUp() {
  const registry = new CommandRegistry();
  const clock = new FakeClock();
  const context: Partial<IToolContext> = {
    clock,
    commands: new Commands(registry)
  };
  const find = (query: string) =>
    listing?.bind({ query }).handler?.({
      context: context as IToolContext,
      report: { printed: () => {}, prompt: () => {}, queued: () => {} },
      caller: {
        client: CLIENT,
        surface: 'mcp',
        scope: 'read',
        demandsRevisions: true,
        auditId: null
      }
    });
  return { registry, clock, find };
}

const execute = () => undefined;

describe('list_all_commands', () => {
  it('waits for what a command says of its arguments, and not for ever', async () => {
    const { registry, clock, find } = setUp();
    const schema = { type: 'object', properties: {} };
    registry.addCommand('a:told', {
      execute,
      describedBy: async () => ({ args: schema })
    });
    registry.addCommand('a:never', {
      execute,
      describedBy: () => new Promise<never>(() => {})
    });
    registry.addCommand('a:fails', {
      execute,
      describedBy: () => Promise.reject(new Error('no'))
    });
    const told = jest.fn();
    void find('a:')?.then(told);
    await clock.advance(1900);
    expect(told).not.toHaveBeenCalled();
    await clock.advance(200);
    expect(told).toHaveBeenCalledWith({
      success: true,
      commandCount: 3,
      commands: [
        { id: 'a:fails' },
        { id: 'a:never' },
        { id: 'a:told', args: schema }
      ]
    });
    expect(clock.waiting).toBe(0);
    expect(await find('told')).toMatchObject({ commandCount: 1 });
    expect(clock.waiting).toBe(0);
  });

  it('has no words for a label or caption that is no text', async () => {
    const { registry, find } = setUp();
    const odd = (value: unknown) => value as string;
    registry.addCommand('a:odd', {
      execute,
      describedBy: { args: null },
      label: () => odd({ a: 1 }),
      caption: odd(null)
    });
    expect(await find('odd')).toEqual({
      success: true,
      commandCount: 1,
      commands: [{ id: 'a:odd' }]
    });
  });
});
