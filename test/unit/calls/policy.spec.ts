import {
  assertAllowed,
  isBlocked,
  needsScope
} from '../../../src/calls/policy';
import type { ICaller } from '../../../src/calls/types';
import { DEFAULT_SETTINGS } from '../../../src/calls/settings';

describe('needsScope()', () => {
  const message = (more: Partial<ICaller>) =>
    needsScope('run_code', 'run', { scope: 'read', surface: 'mcp', ...more })
      .message;

  it('says how to widen it, where the client came from', () => {
    const start =
      'run_code needs the scope "run", and this client was granted "read". ';
    expect(message({})).toBe(
      `${start}The person can widen it: on stdio with --scope run, else by signing in again.`
    );
    expect(message({ isHostPage: true })).toBe(
      `${start}The person can widen it in the settings of this JupyterLab (postMessageOrigins).`
    );
    expect(message({ surface: 'webmcp' })).toBe(
      `${start}The person can widen it in the settings of this JupyterLab (webmcp).`
    );
  });
});

describe('assertAllowed()', () => {
  it('refuses what the scope does not cover, whoever asks', () => {
    const tool = { name: 'run_code', scope: 'run' } as const;
    for (const [surface, hint] of [
      ['mcp', '--scope run'],
      ['webmcp', '(webmcp)']
    ] as const) {
      expect(() =>
        assertAllowed(tool, DEFAULT_SETTINGS, { scope: 'write', surface })
      ).toThrow(hint);
    }
  });
});

describe('isBlocked()', () => {
  it.each([
    ['notebook:restart-kernel', ['notebook:restart-kernel'], []],
    ['*', ['', 'a:b'], []],
    ['notebook:*', ['notebook:', 'notebook:run'], ['note', 'xnotebook:run']],
    ['*:restart*', ['notebook:restart-kernel', 'x:restart'], ['restart', 'x:']],
    ['a*b*c', ['abc', 'axbxc', 'abbc'], ['ab', 'acb', 'xabc', 'abcx']],
    ['ab*ba', ['abba', 'abxba'], ['aba', 'ab']],
    ['a**c', ['ac', 'abc'], ['a']],
    ['', [], ['a:b']]
  ])('takes each * in %j for anything', (pattern, meant, others) => {
    const settings = { blockedCommands: [pattern] };
    expect(meant.filter(id => !isBlocked(id, settings))).toEqual([]);
    expect(others.filter(id => isBlocked(id, settings))).toEqual([]);
  });
});
