import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import catalogue from '../../../protocol/catalogue.json';
import { FakeTab } from './support/fakeTab';
import { FakeRelay, type IFakeRelayOptions } from './support/fakeRelay';
import { Folder } from './support/folder';
import { until } from './support/harness';

const ROOT = join(__dirname, '../../..');
const OUT = join(ROOT, `.cache/bridge-cli-${process.pid}`);
const CLI = join(OUT, 'cli.js');
const SECRET = 'secret-token';

const HELLO = {
  jsonrpc: '2.0',
  id: 'hello',
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' }
  }
};

// Processes start slowly on a machine that is busy with other tests.
jest.setTimeout(60_000);

/** The built bridge, as a client starts it. */
describe('jupyterlab-mcp-bridge', () => {
  let folder: Folder;
  const relays: FakeRelay[] = [];

  beforeAll(() => {
    execFileSync(process.execPath, [join(ROOT, 'bridge/build.mjs'), OUT], {
      cwd: ROOT
    });
    // As the package itself says.
    writeFileSync(join(OUT, 'package.json'), '{"type":"module"}');
  }, 60_000);
  afterAll(() => rmSync(OUT, { recursive: true, force: true }));
  beforeEach(() => {
    folder = new Folder();
  });
  afterEach(async () => {
    await Promise.all(relays.splice(0).map(relay => relay.stop()));
    folder.remove();
  });

  const environment = (more: Record<string, string> = {}) => ({
    PATH: process.env.PATH ?? '',
    HOME: folder.path,
    JUPYTER_RUNTIME_DIR: folder.path,
    ...more
  });
  const jupyter = async (options: IFakeRelayOptions = {}) => {
    const relay = await FakeRelay.start(options);
    relays.push(relay);
    return relay;
  };

  /** A run of it with what it wrote; ended by the test or by itself. */
  const run = (args: string[], env: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [CLI, ...args], {
      env: environment(env),
      cwd: folder.path
    });
    const run = {
      child,
      out: '',
      err: '',
      ended: Promise.resolve(null) as Promise<number | null>
    };
    child.stdout.on('data', (chunk: Buffer) => (run.out += String(chunk)));
    child.stderr.on('data', (chunk: Buffer) => (run.err += String(chunk)));
    run.ended = new Promise(resolve => child.on('close', resolve));
    return run;
  };
  const messages = (out: string) =>
    out
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line) as Record<string, unknown>);

  describe('on stdio', () => {
    const connect = async (args: string[] = [], env = {}) => {
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [CLI, ...args],
        env: environment(env),
        cwd: folder.path,
        stderr: 'pipe'
      });
      let err = '';
      transport.stderr?.on('data', chunk => (err += String(chunk)));
      const client = new Client({ name: 'stdio', version: '1' });
      await client.connect(transport);
      return { client, transport, err: () => err };
    };

    it('answers within 2 s with nothing else running', async () => {
      const once = async () => {
        const start = performance.now();
        const { client } = await connect();
        const { tools } = await client.listTools();
        return { client, tools, ms: performance.now() - start };
      };
      let { client, tools, ms } = await once();
      // Another may be using the machine: the best of three counts.
      for (let i = 0; i < 2 && ms >= 2000; i++) {
        await client.close();
        ({ client, tools, ms } = await once());
      }
      expect(ms).toBeLessThan(2000);
      expect(tools.map(tool => tool.name)).toEqual(
        catalogue.tools.map(tool => tool.name)
      );
      expect(client.getInstructions()).toBe(catalogue.instructions);
      await client.close();
    });

    it('reaches a tab of a server that starts later', async () => {
      const { client, err } = await connect();
      const refused = await client.callTool({ name: 'get_context' });
      expect(refused.structuredContent).toMatchObject({
        code: 'operation_refused'
      });
      const relay = await jupyter();
      relay.openTab(new FakeTab());
      folder.server({ url: relay.url });
      const result = await client.callTool({ name: 'get_context' });
      expect(result.structuredContent).toMatchObject({
        data: { from: 'tab-a' }
      });
      await client.close();
      expect(err()).toContain('connected to');
      expect(err()).not.toContain(SECRET);
    });

    it('takes a server and its token as the person gives them', async () => {
      const relay = await jupyter({ base: '/user/ann/' });
      relay.openTab(new FakeTab());
      const file = folder.file('token', `${SECRET}\n`);
      for (const [args, env] of [
        [['--server', relay.url], { JUPYTER_TOKEN: SECRET }],
        [['--server', `${relay.url}lab/tree/n.ipynb`, '--token-file', file], {}]
      ] as const) {
        const { client, err } = await connect([...args], env);
        const result = await client.callTool({ name: 'get_context' });
        expect(result.isError).toBeUndefined();
        await client.close();
        expect(err()).not.toContain(SECRET);
      }
      expect(relay.requests.every(({ url }) => !url?.includes(SECRET))).toBe(
        true
      );
    });

    it('reaches a server by its own certificate, at its loopback address', async () => {
      execFileSync(
        'openssl',
        [
          ...['req', '-x509', '-newkey', 'ec', '-nodes', '-days', '2'],
          ...['-keyout', 'key.pem', '-out', 'cert.pem', '-subj', '/CN=box'],
          ...['-pkeyopt', 'ec_paramgen_curve:prime256v1'],
          ...['-addext', 'subjectAltName=DNS:box.lan']
        ],
        { cwd: folder.path, stdio: 'ignore' }
      );
      const cert = join(folder.path, 'cert.pem');
      const relay = await jupyter({
        tls: {
          key: readFileSync(join(folder.path, 'key.pem')),
          cert: readFileSync(cert)
        }
      });
      relay.openTab(new FakeTab());
      folder.server({
        url: `https://box.lan:${relay.port}/`,
        hostname: '0.0.0.0'
      });
      const trusting = await connect([], { NODE_EXTRA_CA_CERTS: cert });
      const result = await trusting.client.callTool({ name: 'get_context' });
      expect(result.isError).toBeUndefined();
      await trusting.client.close();
      const { client } = await connect();
      const refused = await client.callTool({ name: 'get_context' });
      expect(refused.structuredContent).toMatchObject({
        message: expect.stringContaining('NODE_EXTRA_CA_CERTS')
      });
      await client.close();
    });

    it('says nothing on stdout but the protocol', async () => {
      const relay = await jupyter();
      relay.openTab(new FakeTab());
      folder.server({ url: relay.url });
      const all = run([]);
      const { child, ended } = all;
      child.stdin.write(`${JSON.stringify(HELLO)}\nnot json\n`);
      child.stdin.write(
        '{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
      );
      child.stdin.write(
        '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_context"}}\n'
      );
      await until(() => all.out.includes('tab-a'));
      child.stdin.end();
      expect(await ended).toBe(0);
      for (const message of messages(all.out)) {
        expect(message.jsonrpc).toBe('2.0');
      }
    });

    it.each(['end', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
      'goes at %s, with its sockets, at once',
      async how => {
        const relay = await jupyter();
        const tab = new FakeTab({ call: () => new Promise(() => undefined) });
        relay.openTab(tab);
        folder.server({ url: relay.url });
        const { child, ended } = run([]);
        child.stdin.write(`${JSON.stringify(HELLO)}\n`);
        child.stdin.write(
          '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"run_cell"}}\n'
        );
        await until(() => tab.calls.length === 1);
        const start = performance.now();
        if (how === 'end') {
          child.stdin.end();
        } else {
          child.kill(how);
        }
        expect(await ended).toBe(0);
        expect(performance.now() - start).toBeLessThan(5000);
        await until(() => relay.clients === 0);
        expect(tab.byes).toBe(1);
      }
    );
  });

  describe('status', () => {
    it('tells people what is found, and why other things are not', async () => {
      const relay = await jupyter();
      relay.openTab(new FakeTab());
      folder.server({ url: relay.url });
      folder.server({ url: 'http://localhost:1/' }, { pid: 2, mode: 0o644 });
      const status = run(['status']);
      expect(await status.ended).toBe(0);
      expect(status.out).toContain(`${relay.url}  connected`);
      expect(status.out).toContain('tab tab-a "demo.ipynb - JupyterLab"');
      expect(status.out).toContain('passed over jpserver-2.json');
      expect(status.out).toContain(`Looked in ${folder.path}`);
      expect(status.out + status.err).not.toContain(SECRET);
    });

    it('tells programs the same', async () => {
      const relay = await jupyter();
      folder.server({ url: relay.url, token: 'stale' });
      const status = run(['status', '--json']);
      expect(await status.ended).toBe(0);
      expect(JSON.parse(status.out)).toMatchObject({
        version: JSON.parse(
          readFileSync(join(ROOT, 'bridge/package.json'), 'utf8')
        ).version,
        protocol: 1,
        place: folder.path,
        servers: [
          { shown: relay.url, isOpen: false, failure: { kind: 'refused' } }
        ],
        tabs: [],
        passedOver: []
      });
      expect(status.out).not.toContain('stale');
    });

    it('tells that nothing runs', async () => {
      const status = run(['status']);
      expect(await status.ended).toBe(0);
      expect(status.out).toContain('No running Jupyter server');
    });
  });

  describe('its command line', () => {
    it('prints version and help', async () => {
      const version = run(['--version']);
      expect(await version.ended).toBe(0);
      expect(version.out).toMatch(/^\d+\.\d+\.\d+\n$/);
      const help = run(['--help']);
      expect(await help.ended).toBe(0);
      expect(help.out).toContain('--token-file');
    });

    it.each([
      [['--nonsense']],
      [['serve-what']],
      [['--server', `http://localhost:8888/?token=${SECRET}`]],
      [[`--token=${SECRET}`]]
    ])('ends with 2 and one sentence at %j', async args => {
      const refused = run(args);
      expect(await refused.ended).toBe(2);
      expect(refused.out).toBe('');
      expect(refused.err).toMatch(/^.+\n$/);
      expect(refused.err).not.toContain(SECRET);
    });

    it('takes no token file that others can read', async () => {
      const file = folder.file('token', SECRET, 0o644);
      const refused = run(['--server', 'http://x/', '--token-file', file]);
      expect(await refused.ended).toBe(2);
      expect(refused.err).toContain('0600');
      expect(refused.err).not.toContain(SECRET);
      expect(refused.out).toBe('');
    });
  });
});
