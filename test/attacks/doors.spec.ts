import { createServer, type Server } from 'node:http';
import { chmod } from 'node:fs/promises';
import { WebSocket as NodeSocket } from 'ws';
import { Agent, BRIDGE } from '../e2e/support/agent';
import { cell, notebook } from '../e2e/support/notebooks';
import { useSession } from '../e2e/support/session';

jest.setTimeout(60_000);

const NOBODY = '65534';

/** Who is not the person reaches nothing, from wherever they try. */
describe('the doors', () => {
  const session = useSession({
    'work.ipynb': notebook(cell('one', 'x = 1'))
  });

  /** How a WebSocket without a browser fares at one end of the relay. */
  function knock(
    end: string,
    headers: Record<string, string> = {}
  ): Promise<string> {
    const url = new URL(`mcp-bridge/${end}`, session.lab.url);
    url.protocol = 'ws:';
    return new Promise(resolve => {
      const socket = new NodeSocket(url, { headers });
      socket.once('open', () => {
        socket.close();
        resolve('open');
      });
      socket.once('error', error => resolve(error.message));
    });
  }

  describe.each(['tab', 'client'])('the %s end', end => {
    it.each<{ who: string; headers: Record<string, string> }>([
      { who: 'a process without a token', headers: {} },
      {
        who: 'a process with a wrong token',
        headers: { Authorization: 'token 0123456789abcdef' }
      },
      { who: 'an empty token', headers: { Authorization: 'token ' } }
    ])('is closed to $who', async ({ headers }) => {
      expect(await knock(end, headers)).toMatch(/403/);
    });

    it.each([
      { where: 'another port of the same host', host: '127.0.0.1' },
      { where: 'another name of the same machine', host: 'localhost' }
    ])(
      'is closed to a page on $where, in the browser that is signed in',
      async ({ host }) => {
        const other = await servePage();
        const page = await session.tab.context.newPage();
        await page.goto(`http://${host}:${other.port}/`);
        const targets = [
          session.lab.url,
          session.lab.url.replace('127.0.0.1', 'localhost')
        ];
        for (const target of targets) {
          const outcome = await page.evaluate(
            address =>
              new Promise<string>(resolve => {
                const socket = new WebSocket(address);
                socket.onopen = () => resolve('open');
                socket.onerror = () => resolve('refused');
              }),
            `${target.replace('http', 'ws')}mcp-bridge/${end}`
          );
          expect(outcome).toBe('refused');
        }
        await page.close();
        other.server.closeAllConnections();
        other.server.close();
      }
    );
  });

  it('no page is a client, not even JupyterLab’s own', async () => {
    const outcome = await session.tab.page.evaluate(
      address =>
        new Promise<string>(resolve => {
          const socket = new WebSocket(address);
          socket.onopen = () => resolve('open');
          socket.onerror = () => resolve('refused');
        }),
      `${session.lab.url.replace('http', 'ws')}mcp-bridge/client`
    );
    expect(outcome).toBe('refused');
  });

  it('another user of the machine finds no server', async () => {
    const { home } = session;
    // What keeps them out must be the runtime folder itself, not what is around it.
    await chmod(home.path, 0o755);
    const env = { ...home.env, JUPYTER_RUNTIME_DIR: home.runtime };
    // Who is not root cannot be another: in a namespace of their own they can.
    const [become, ...how]: [string, ...string[]] =
      process.getuid?.() === 0
        ? [
            'setpriv',
            `--reuid=${NOBODY}`,
            `--regid=${NOBODY}`,
            '--clear-groups'
          ]
        : ['unshare', '--user', `--map-user=${NOBODY}`];
    const own = await Agent.start(BRIDGE, env, home.root);
    await own.untilConnected();
    await own.close();
    const other = await Agent.start([become, ...how, ...BRIDGE], env, '/');
    for (let tries = 0; tries < 5; tries++) {
      expect(await other.call('get_context')).toHaveReply({
        isError: true,
        code: 'operation_refused'
      });
    }
    await other.close();
  });

  it('the extension’s commands do nothing when they are not called as tools', async () => {
    const { tab, agent } = session;
    await tab.openNotebook('work.ipynb');
    const app = await tab.app();
    const outcome = await app.evaluate(async app => {
      const id = 'mcp-bridge:add-cell';
      const args = { notebookPath: 'work.ipynb', content: 'evil' };
      return {
        has: app.commands.hasCommand(id),
        result: await app.commands.execute(id, args).then(
          () => 'done',
          () => 'refused'
        )
      };
    });
    expect(outcome.has).toBe(true);
    expect(await tab.sources('work.ipynb')).toEqual(['x = 1']);
    expect(
      await agent.call('execute_command', {
        command_id: 'mcp-bridge:add-cell',
        args: { notebookPath: 'work.ipynb', content: 'evil' }
      })
    ).toHaveReply({
      isError: true,
      code: 'operation_refused',
      message: expect.stringContaining('add_cell')
    });
    expect(await tab.sources('work.ipynb')).toEqual(['x = 1']);
  });
});

async function servePage(): Promise<{ server: Server; port: number }> {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('<title>Another page</title>');
  });
  await new Promise<void>(resolve => server.listen(0, resolve));
  const address = server.address();
  return {
    server,
    port: typeof address === 'object' ? (address?.port ?? 0) : 0
  };
}
