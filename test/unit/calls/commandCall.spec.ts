import { checkCommand } from '../../../src/calls/commandCall';
import { DEFAULT_SETTINGS } from '../../../src/calls/settings';

const commands = {
  has: (id: string) => ['mcp-bridge:run-code', 'a:b'].includes(id),
  isEnabled: () => true
};

describe('checkCommand()', () => {
  it('names the tool of an own command only where there is one', () => {
    const check = (id: string, disabledTools: string[] = []) =>
      checkCommand({ id, args: {} }, commands, {
        ...DEFAULT_SETTINGS,
        disabledTools
      });
    expect(() => check('mcp-bridge:run-code')).toThrow(
      '"mcp-bridge:run-code" runs only as the tool "run_code": call that tool.'
    );
    for (const [id, disabled] of [
      ['mcp-bridge:nope', []],
      ['mcp-bridge:', []],
      ['mcp-bridge:run-code', ['run_code']],
      ['mcp-bridge:run-code', ['run_*']]
    ] as const) {
      expect(() => check(id, [...disabled])).toThrow(
        `JupyterLab has no command "${id}". list_all_commands`
      );
    }
    expect(check('a:b', ['*'])).toBeUndefined();
  });
});
