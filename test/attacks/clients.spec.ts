import { Agent } from '../e2e/support/agent';
import { cell, notebook } from '../e2e/support/notebooks';
import { useSession } from '../e2e/support/session';
import { pause } from '../e2e/support/processes';

jest.setTimeout(60_000);

/** One client against another, and contents against the client. */
describe('what a client may not', () => {
  const path = 'work.ipynb';
  const session = useSession(
    {
      [path]: notebook(
        cell('slow', 'import time\ntime.sleep(8)\n"private"'),
        cell('quick', '1')
      ),
      'settings.ipynb': JSON.stringify({
        cells: [cell('c', 'open("ran", "w").close()')],
        metadata: {
          kernelspec: { name: 'python3', display_name: 'Python 3' },
          autoApprove: true,
          scopes: ['admin'],
          'jupyterlab-mcp-bridge': { scope: 'admin', readOnly: false }
        },
        nbformat: 4,
        nbformat_minor: 5
      })
    },
    { settings: { executionTimeout: 2 } }
  );

  beforeAll(() => session.tab.openNotebook(path), 60_000);

  const other = async (args: readonly string[] = []) => {
    const agent = await Agent.in(session.home, args, 'another');
    await agent.untilConnected();
    return agent;
  };

  it('take another client’s result, or learn that there is one', async () => {
    const { agent } = session;
    const run = await agent.call('run_cell', {
      notebookPath: path,
      cellId: 'slow'
    });
    expect(run).toHaveReply({ data: { status: 'pending' } });
    const pendingId = String(run.data.pendingId);
    const number = Number(pendingId.replace('call-', ''));
    const stranger = await other();
    const never = await stranger.call('wait_for_result', {
      pendingId: 'call-5'
    });
    for (const id of [pendingId, `call-${number + 1}`, `call-${number - 1}`]) {
      const reply = await stranger.call('wait_for_result', { pendingId: id });
      expect(reply).toHaveReply({ isError: true, code: 'not_found' });
      expect(reply.message.replace(id, '')).toBe(
        never.message.replace('call-5', '')
      );
    }
    expect((await stranger.call('get_context')).data.pending).toEqual([]);
    await stranger.close();
    let reply = await agent.call('wait_for_result', { pendingId });
    while (reply.data.status === 'pending') {
      reply = await agent.call('wait_for_result', { pendingId });
    }
    expect(reply).toHaveReply({ data: { status: 'ok' } });
    expect(JSON.stringify(reply.data.outputs)).toContain('private');
  });

  it('run anything when it may only read', async () => {
    const reader = await other(['--scope', 'read']);
    for (const [tool, args] of [
      ['run_cell', { notebookPath: path, cellId: 'quick' }],
      ['add_cell', { notebookPath: path, content: 'x' }],
      ['execute_command', { command_id: 'notebook:run-all-cells' }]
    ] as const) {
      expect(await reader.call(tool, args)).toHaveReply({
        isError: true,
        code: 'permission_denied',
        message: expect.stringContaining('--scope')
      });
    }
    expect(
      await reader.call('read_notebook', { notebookPath: path })
    ).toHaveReply({ isError: false });
    await reader.close();
    expect(await session.tab.sources(path)).toHaveLength(2);
  });

  it('name itself more than it is', async () => {
    const reader = await other(['--scope', 'read']);
    const reply = await reader.client.callTool({
      name: 'run_cell',
      arguments: { notebookPath: path, cellId: 'quick' },
      _meta: {
        scope: 'run',
        approved: true,
        'jupyterlab-mcp-bridge/auditId': 1
      }
    });
    expect(reply.structuredContent).toMatchObject({
      code: 'permission_denied'
    });
    expect(
      await reader.call('run_cell', {
        notebookPath: path,
        cellId: 'quick',
        approved: true
      })
    ).toHaveReply({ isError: true });
    await reader.close();
  });

  it('change what objects are', async () => {
    const args: Record<string, unknown> = JSON.parse(
      `{"notebookPath": "${path}", "__proto__": {"x": 1}, "constructor": 1}`
    );
    expect(await session.agent.call('read_notebook', args)).toHaveReply({
      isError: true,
      code: 'validation_failed'
    });
    expect(
      await session.tab.page.evaluate(
        '"x" in {} || ({}).constructor !== Object'
      )
    ).toBe(false);
  });

  it('read the secrets of the page', async () => {
    const { agent, lab, tab } = session;
    const cookies = await tab.context.cookies();
    const secrets = [lab.token, ...cookies.map(cookie => cookie.value)].filter(
      secret => secret.length >= 8 && /^[\w.|:=-]+$/.test(secret)
    );
    const context = await agent.call('get_context');
    const [kernel] = context.data.kernels as { id: string }[];
    // As pieces: what comes out is what counts.
    const code = `print(${JSON.stringify(secrets.map(secret => [...secret].reverse().join('')))}[0][::-1], "and", "plain-text-0123456789")`;
    const reply = await agent.call('run_code', {
      kernelId: kernel?.id,
      code
    });
    expect(reply).toHaveReply({ isError: false });
    const text = JSON.stringify(reply.structured);
    expect(text).toContain('[redacted] and plain-text-0123456789');
    expect(text).not.toContain(lab.token);
  });

  it('be let in by what a notebook says of itself', async () => {
    const reader = await other(['--scope', 'read']);
    await session.tab.openNotebook('settings.ipynb');
    expect(
      await reader.call('run_cell', {
        notebookPath: 'settings.ipynb',
        cellId: 'c'
      })
    ).toHaveReply({ isError: true, code: 'permission_denied' });
    await reader.close();
  });

  it('end a run by giving up on it', async () => {
    const { agent } = session;
    const abort = new AbortController();
    const call = agent.call(
      'run_cell',
      { notebookPath: path, cellId: 'slow' },
      { signal: abort.signal }
    );
    await pause(500);
    abort.abort('enough');
    await expect(call).rejects.toThrow();
    const context = await agent.call('get_context');
    expect(context).toHaveReply({ data: { pending: [{ tool: 'run_cell' }] } });
    const [pending] = context.data.pending as { pendingId: string }[];
    let reply = await agent.call('wait_for_result', {
      pendingId: pending?.pendingId
    });
    while (reply.data.status === 'pending') {
      reply = await agent.call('wait_for_result', {
        pendingId: pending?.pendingId
      });
    }
    expect(reply).toHaveReply({ isError: false, data: { status: 'ok' } });
  });
});
