import { nullTranslator } from '@jupyterlab/translation';
import type { RelayState } from '../../../src/transports/relayState';
import { statusText, type IStatus } from '../../../src/ui/statusText';

const trans = nullTranslator.load('jupyterlab_mcp_bridge');
const client = (number: number, name: string) => ({
  id: `secret-${number}`,
  name,
  number
});
const tell = (status: Partial<IStatus>) =>
  statusText(
    { relay: 'connected', clients: [], problems: [], ...status },
    trans
  );

describe('statusText()', () => {
  it.each<[RelayState, string, string, boolean]>([
    ['off', 'MCP: off', 'settings', false],
    ['connecting', 'MCP: connecting', 'Connecting', false],
    ['connected', 'MCP: no agent', 'No agent is connected', false],
    ['absent', 'MCP: no relay', 'jupyterlab_mcp_bridge', false],
    ['refused', 'MCP: not allowed', 'logged out', true],
    ['offline', 'MCP: server away', 'connects again', false],
    ['server-outdated', 'MCP: update needed', 'restart Jupyter', true],
    ['page-outdated', 'MCP: update needed', 'reload', true]
  ])('says what %s means and what to do', (relay, text, detail, alert) => {
    const told = tell({ relay });
    expect(told).toMatchObject({ text, alert });
    expect(told.detail).toContain(detail);
  });

  it('names one agent, counts several, and shows no id', () => {
    const one = tell({ clients: [client(3, 'Claude Code')] });
    expect(one.text).toBe('MCP: Claude Code');
    expect(one.detail).toBe('Connected agents:\nClaude Code (3)');
    const two = tell({
      clients: [client(3, 'Claude Code'), client(4, 'Codex')]
    });
    expect(two.text).toBe('MCP: 2 agents');
    expect(two.detail).toContain('Claude Code (3)\nCodex (4)');
    expect(JSON.stringify([one, two])).not.toContain('secret');
  });

  it('adds what does not work', () => {
    const told = tell({
      clients: [client(1, 'Codex')],
      problems: ['WebMCP: run_code is taken.', 'Another.']
    });
    expect(told.text).toBe('MCP: Codex (2 problems)');
    expect(told.detail).toMatch(/run_code is taken\.\nAnother\.$/);
    expect(told.alert).toBe(true);
  });

  it('tells of the relay too while a host page is connected', () => {
    const { detail } = tell({
      relay: 'absent',
      clients: [client(1, 'https://host.example')]
    });
    expect(detail).toContain('https://host.example');
    expect(detail).toContain('no relay');
  });
});
