import { unlinkSync } from 'node:fs';
import {
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ToolListChangedNotificationSchema
} from '@modelcontextprotocol/sdk/types.js';
import type { IClock } from '../../../../bridge/src/clock';
import { FakeClock } from '../../transports/fakeClock';
import catalogue from '../support/catalogue.json';
import { envelope, FakeTab, type IFakeTabOptions } from '../support/fakeTab';
import { FakeRelay, type IFakeRelayOptions } from '../support/fakeRelay';
import { Folder } from '../support/folder';
import { Bridge, until, type IBridgeOptions } from '../support/harness';

jest.setTimeout(30_000);

describe('the bridge', () => {
  let folder: Folder;
  const relays: FakeRelay[] = [];
  const bridges: Bridge[] = [];

  beforeEach(() => {
    folder = new Folder();
  });
  afterEach(async () => {
    await Promise.all(bridges.splice(0).map(bridge => bridge.close()));
    await Promise.all(relays.splice(0).map(relay => relay.stop()));
    folder.remove();
  });

  /** A Jupyter server with a relay, and its file. */
  const jupyter = async (
    options: IFakeRelayOptions = {},
    { pid = 1, info = {} as Record<string, unknown> } = {}
  ) => {
    const relay = await FakeRelay.start(options);
    relays.push(relay);
    const file = folder.server({ url: relay.url, ...info }, { pid });
    return { relay, file };
  };
  const stop = async (relay: FakeRelay) => {
    relays.splice(relays.indexOf(relay), 1);
    await relay.stop();
  };
  const prepare = async (options: Partial<IBridgeOptions> = {}) => {
    const bridge = await Bridge.start({ place: folder.path, ...options });
    bridges.push(bridge);
    return bridge;
  };
  const start = async (options: Partial<IBridgeOptions> = {}) =>
    (await prepare(options)).connect();
  /** A server with one tab, and a client. */
  const all = async (
    tabOptions: IFakeTabOptions = {},
    options: Partial<IBridgeOptions> = {}
  ) => {
    const { relay, file } = await jupyter();
    const tab = new FakeTab(tabOptions);
    const peer = relay.openTab(tab);
    return { relay, file, tab, peer, bridge: await start(options) };
  };

  describe('before any Jupyter runs', () => {
    it('says who it is and lists the catalogue', async () => {
      const { client } = await start();
      expect(client.getServerVersion()).toMatchObject({
        name: 'jupyterlab',
        version: '0.0.0'
      });
      expect(client.getInstructions()).toBe(catalogue.instructions);
      const { tools } = await client.listTools();
      expect(tools.map(tool => tool.name)).toEqual(
        catalogue.tools.map(tool => tool.name)
      );
      expect(tools[0]).toEqual({
        name: 'get_context',
        title: 'Get context',
        description: 'What is open.',
        inputSchema: catalogue.tools[0].inputSchema,
        annotations: { readOnlyHint: true, destructiveHint: false }
      });
    });

    it('refuses a call and says what to open', async () => {
      const bridge = await start();
      const result = await bridge.call('get_context');
      expect(result).toEqual({
        isError: true,
        structuredContent: {
          code: 'operation_refused',
          message: expect.stringMatching(
            /^No running Jupyter server was found\. .*start JupyterLab/
          ),
          auditId: null,
          retryable: false
        },
        content: [{ type: 'text', text: result.structuredContent.message }]
      });
    });

    it('answers an unknown tool and a malformed call with a protocol error', async () => {
      const { client } = await start();
      await expect(client.callTool({ name: 'nonsense' })).rejects.toMatchObject(
        { code: -32602, message: expect.stringContaining('nonsense') }
      );
      await expect(
        client.request(
          {
            method: 'tools/call',
            params: { name: 'get_context', arguments: [] }
          },
          ElicitRequestSchema
        )
      ).rejects.toMatchObject({ code: -32602 });
    });

    it('works as soon as server and tab are there', async () => {
      const bridge = await start();
      expect((await bridge.call('get_context')).isError).toBe(true);
      const { relay } = await jupyter();
      await until(() => relay.clients === 1);
      const refused = await bridge.call('get_context');
      expect(refused.structuredContent).toMatchObject({
        code: 'operation_refused',
        message: expect.stringContaining(`open ${relay.url}lab`)
      });
      relay.openTab(new FakeTab());
      const result = await bridge.call('get_context', { x: 1 });
      expect(result.structuredContent.data).toMatchObject({
        from: 'tab-a',
        name: 'get_context',
        args: { x: 1 }
      });
    });

    it('finds a server at a call where the folder cannot be watched', async () => {
      const { relay } = await jupyter();
      relay.openTab(new FakeTab());
      const found = { servers: [] as never[], passedOver: [] };
      const bridge = await start({
        discovery: {
          place: 'nowhere',
          scan: () => Promise.resolve(found),
          watch: () => ({ dispose: () => undefined })
        }
      });
      expect((await bridge.call('get_context')).isError).toBe(true);
      Object.assign(found, {
        servers: [
          {
            key: 'x',
            stamp: 'x',
            addresses: [relay.url],
            shown: relay.url,
            certificateName: null,
            root: null,
            token: () => Promise.resolve('secret-token')
          }
        ]
      });
      expect((await bridge.call('get_context')).isError).toBeUndefined();
    });
  });

  describe('what is missing', () => {
    const message = async (options: Partial<IBridgeOptions> = {}) => {
      const bridge = await start(options);
      const { structuredContent } = await bridge.call('get_context');
      expect(structuredContent.code).toBe('operation_refused');
      expect(bridge.log.join('\n')).not.toContain('secret-token');
      expect(structuredContent.message).not.toContain('secret-token');
      return structuredContent.message;
    };

    it('says that the extension is missing', async () => {
      const { relay } = await jupyter({ status: 404 });
      expect(await message()).toContain(
        `server at ${relay.url} runs without the jupyterlab_mcp_bridge extension`
      );
    });

    it('says that the token was not accepted', async () => {
      await jupyter({}, { info: { token: 'stale' } });
      expect(await message()).toContain('did not accept the token');
    });

    it('says that a server takes a password only, or a socket', async () => {
      folder.server(
        { url: 'http://x/', token: '', password: true },
        { pid: 1 }
      );
      folder.server({ url: 'http://x/', sock: '/s' }, { pid: 2 });
      const text = await message();
      expect(text).toContain('jpserver-1.json was passed over');
      expect(text).toContain('JUPYTER_TOKEN');
      expect(text).toContain('jpserver-2.json was passed over');
      expect(text).toContain('unix socket');
    });

    it('says that a file is readable by others', async () => {
      folder.server({ url: 'http://x/' }, { pid: 1, mode: 0o644 });
      expect(await message()).toContain('0600');
    });

    it('says that a server does not answer', async () => {
      const { relay } = await jupyter();
      const { url } = relay;
      await stop(relay);
      expect(await message()).toContain(`Nothing answers at ${url}`);
    });

    it('says which side is to be updated', async () => {
      const { relay } = await jupyter();
      relay.openTab(new FakeTab({ version: 9 }));
      expect(await message()).toMatch(/update jupyterlab-mcp-bridge \(npm\)/);
    });

    it('finds the extension once it is installed, at the next call', async () => {
      const { relay } = await jupyter({ status: 404 });
      const bridge = await start();
      await bridge.call('get_context');
      const { port } = relay;
      await stop(relay);
      const again = await FakeRelay.start({ port });
      relays.push(again);
      again.openTab(new FakeTab());
      expect((await bridge.call('get_context')).isError).toBeUndefined();
    });
  });

  describe('what a tab is told', () => {
    it('gets a hello with who asks, and its scope', async () => {
      const { tab, bridge } = await all({}, { scope: 'write' });
      await bridge.call('get_context');
      expect(tab.hellos).toEqual([
        {
          type: 'hello',
          version: 1,
          client: {
            id: 'test client-00000000000000000000',
            name: 'test client',
            version: '3.1'
          },
          scope: 'write'
        }
      ]);
    });

    it('gets the arguments as they were sent, with any name', async () => {
      const { tab, bridge } = await all();
      const receive = jest.spyOn(tab, 'receive');
      const args = JSON.parse('{"cellId": "a", "__proto__": {"b": 1}}');
      await bridge.call('run_cell', args);
      const heard = receive.mock.calls.map(([, body]) => JSON.stringify(body));
      expect(heard).toContainEqual(
        expect.stringContaining(JSON.stringify(args))
      );
    });

    it('gets a goodbye', async () => {
      const { relay, tab, bridge } = await all();
      await bridge.call('get_context');
      await bridge.close();
      await until(() => tab.byes === 1);
      await until(() => relay.clients === 0);
    });

    it('is told of a client as soon as it is there, without a call', async () => {
      const { tab } = await all();
      await until(() => tab.hellos.length === 1);
    });
  });

  describe('scope', () => {
    it('refuses before the tab is asked, and says how to widen', async () => {
      const { tab, bridge } = await all({}, { scope: 'read' });
      const { structuredContent } = await bridge.call('run_cell');
      expect(structuredContent).toMatchObject({
        code: 'permission_denied',
        message: expect.stringContaining('--scope run')
      });
      expect((await bridge.call('list_audit')).structuredContent.code).toBe(
        'permission_denied'
      );
      expect((await bridge.call('get_context')).isError).toBeUndefined();
      expect((await bridge.call('wait_for_result')).isError).toBeUndefined();
      expect(tab.calls).toEqual(['get_context', 'wait_for_result']);
    });
  });

  describe('results', () => {
    it('come as the tab made them', async () => {
      const made = {
        ...envelope({ n: 1 }),
        isError: true,
        _meta: { 'jupyterlab-mcp-bridge/state': 's', other: 1 }
      };
      const { bridge } = await all({ call: () => made });
      expect(await bridge.call('get_context')).toEqual({
        ...made,
        _meta: { other: 1 }
      });
    });

    it('a protocol error of the tab about the request is one here', async () => {
      const { bridge } = await all({
        call: () => {
          throw Object.assign(new Error('no such'), { code: -32602 });
        }
      });
      await expect(bridge.call('get_context')).rejects.toMatchObject({
        code: -32602,
        message: 'MCP error -32602: no such'
      });
    });

    it('any other failure of the tab is an internal error', async () => {
      const { bridge } = await all({
        call: () => {
          throw new Error('secret of an exception');
        }
      });
      const { structuredContent } = await bridge.call('get_context');
      expect(structuredContent.code).toBe('internal_error');
      expect(structuredContent.message).not.toContain('secret');
    });

    it('of several megabytes come whole', async () => {
      const text = 'ü'.repeat(1_900_000);
      const { bridge } = await all({
        call: () => ({ content: [{ type: 'text', text }] })
      });
      expect((await bridge.call('get_context')).content[0].text).toBe(text);
    });

    it('arguments above 4 MiB are refused and sent nowhere', async () => {
      const { tab, bridge } = await all();
      const text = 'x'.repeat(4 * 1024 * 1024);
      const { structuredContent } = await bridge.call('edit_cell', { text });
      expect(structuredContent).toMatchObject({
        code: 'too_large',
        retryable: false
      });
      expect(tab.calls).toEqual([]);
      expect((await bridge.call('get_context')).isError).toBeUndefined();
    });
  });

  describe('progress and cancelling', () => {
    it('all progress comes, in order, before the result', async () => {
      const { bridge } = await all({
        call: async (request, extra) => {
          const token = request.params._meta!.progressToken!;
          for (let progress = 1; progress <= 50; progress++) {
            // Not waited for: the last comes in one burst with the result.
            void extra.sendNotification({
              method: 'notifications/progress',
              params: {
                progressToken: token,
                progress,
                message: `m${progress}`
              }
            });
          }
          return envelope({});
        }
      });
      const seen: (number | string | undefined)[] = [];
      await bridge.call(
        'run_cell',
        {},
        { onprogress: ({ progress, message }) => seen.push(progress, message) }
      );
      expect(seen).toEqual(
        Array.from({ length: 50 }, (_, i) => [i + 1, `m${i + 1}`]).flat()
      );
    });

    it('asks for no progress that nobody asked for', async () => {
      const { bridge } = await all();
      const { structuredContent } = await bridge.call('get_context');
      expect(structuredContent.data).not.toHaveProperty('meta');
    });

    it('hands a cancel on to the tab', async () => {
      let aborted = false;
      const { tab, bridge } = await all({
        call: async (_request, extra) => {
          await new Promise<void>(resolve =>
            extra.signal.addEventListener('abort', () => resolve())
          );
          aborted = true;
          return envelope({});
        }
      });
      const stop = new AbortController();
      const calling = bridge.call('run_cell', {}, { signal: stop.signal });
      calling.catch(() => undefined);
      await until(() => tab.calls.length === 1);
      stop.abort('enough');
      await expect(calling).rejects.toBeDefined();
      await until(() => aborted);
      expect(tab.cancelled).toBe(1);
    });

    it('cancels what is at work when the client goes', async () => {
      const { tab, bridge } = await all({
        call: () => new Promise(() => undefined)
      });
      bridge.call('run_cell').catch(() => undefined);
      await until(() => tab.calls.length === 1);
      await bridge.close();
      await until(() => tab.cancelled + tab.byes > 0);
    });

    it('does not mix up calls that are at work together', async () => {
      const { bridge } = await all({
        call: async request => {
          const { n } = request.params.arguments!;
          await new Promise(resolve => setTimeout(resolve, 20 - Number(n)));
          return envelope({ n });
        }
      });
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, n) => bridge.call('run_cell', { n }))
      );
      expect(results.map(each => each.structuredContent.data.n)).toEqual(
        Array.from({ length: 20 }, (_, n) => n)
      );
    });
  });

  describe('questions of the tab', () => {
    const asking: IFakeTabOptions = {
      call: async (request, extra) => {
        const answer = await extra
          .sendRequest(
            {
              method: 'elicitation/create',
              params: {
                message: `Really ${request.params.arguments!.what}?`,
                requestedSchema: {
                  type: 'object',
                  properties: { confirm: { type: 'boolean' } }
                }
              }
            },
            // The answer as it comes.
            (await import('@modelcontextprotocol/sdk/types.js')).ResultSchema
          )
          .catch((error: unknown) => ({ error: Object(error).code }));
        return envelope({ answer });
      }
    };

    it('reach the person of the client that called, and only them', async () => {
      const { bridge } = await (async () => {
        const { relay } = await jupyter();
        relay.openTab(new FakeTab(asking));
        return {
          bridge: await prepare({ capabilities: { elicitation: {} } })
        };
      })();
      const other = await prepare({
        name: 'other',
        capabilities: { elicitation: {} }
      });
      const asked: string[] = [];
      for (const each of [bridge, other]) {
        each.client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
          asked.push(params.message);
          return { action: 'accept', content: { confirm: each === bridge } };
        });
        await each.connect();
      }
      const [first, second] = await Promise.all([
        bridge.call('run_cell', { what: 'this' }),
        other.call('run_cell', { what: 'that' })
      ]);
      expect(first.structuredContent.data.answer).toMatchObject({
        action: 'accept',
        content: { confirm: true }
      });
      expect(second.structuredContent.data.answer).toMatchObject({
        content: { confirm: false }
      });
      expect(asked.sort()).toEqual(['Really that?', 'Really this?']);
    });

    it('are not put to a client that cannot ask', async () => {
      const { bridge } = await all(asking);
      const { structuredContent } = await bridge.call('run_cell', {
        what: 'x'
      });
      expect(structuredContent.data.answer).toEqual({ error: -32601 });
    });
  });

  describe('a tab that goes', () => {
    const slow: IFakeTabOptions = { call: () => new Promise(() => undefined) };

    it.each([
      ['is closed', (relay: FakeRelay, peer: string) => relay.closeTab(peer)],
      ['goes with its server', (relay: FakeRelay) => stop(relay)]
    ])('that %s leaves an unknown outcome', async (_how, goes) => {
      const { relay, tab, peer, bridge } = await all(slow);
      const calling = bridge.call('run_cell');
      await until(() => tab.calls.length === 1);
      await goes(relay, peer);
      const { structuredContent } = await calling;
      expect(structuredContent).toMatchObject({
        code: 'internal_error',
        message: expect.stringMatching(
          /outcome is unknown.*not been sent again/
        ),
        retryable: false
      });
      expect(tab.calls).toEqual(['run_cell']);
    });

    it('its answer counts when it came just before', async () => {
      const { relay, peer, bridge } = await all({
        call: () => {
          queueMicrotask(() => queueMicrotask(() => undefined));
          setImmediate(() => undefined);
          void Promise.resolve().then(() => undefined);
          setTimeout(() => relay.closeTab(peer), 0);
          return envelope({ done: true });
        }
      });
      const result = await bridge.call('run_cell');
      expect(result.structuredContent.data).toMatchObject({ done: true });
    });

    it('reloads: a call meanwhile waits for it, with a new hello', async () => {
      const { relay, tab, peer, bridge } = await all();
      await bridge.call('get_context');
      relay.closeTab(peer);
      await passed();
      const calling = bridge.call('get_context');
      setTimeout(() => relay.openTab(tab), 300);
      expect((await calling).isError).toBeUndefined();
      expect(tab.hellos).toHaveLength(2);
    });

    it.each([
      [
        { notebookPath: 'a.ipynb', cellId: 'one' },
        /cell "one" of "a.ipynb" may be missing: read_cell/
      ],
      [{ notebookPath: 'a.ipynb', all: true }, /in "a.ipynb" may be missing/],
      [{ kernelId: 'k', code: '1' }, /get_context says/]
    ])(
      'reloads: of a call pending in it the outcome is unknown (b38)',
      async (args, says) => {
        const notFound = {
          isError: true,
          structuredContent: { code: 'not_found', message: 'no' },
          content: []
        };
        let isReloaded = false;
        const { relay, tab, peer, bridge } = await all({
          call: () =>
            isReloaded
              ? notFound
              : envelope({ pendingId: 'call-5', tool: 'run_cell' })
        });
        await bridge.call('run_cell', args);
        relay.closeTab(peer);
        await passed();
        isReloaded = true;
        relay.openTab(tab);
        const wait = (pendingId: string) =>
          bridge.call('wait_for_result', { pendingId });
        const { structuredContent } = await wait('call-5');
        expect(structuredContent).toMatchObject({
          code: 'internal_error',
          message: expect.stringMatching(
            /call-5 \(run_cell\).*outcome is unknown/
          ),
          retryable: false
        });
        expect(structuredContent.message).toMatch(says);
        expect((await wait('call-6')).structuredContent.code).toBe('not_found');
      }
    );

    it('is lost sight of for a while, and still has its calls', async () => {
      const { relay, tab, peer, bridge } = await all({
        call: ({ params: { name } }) =>
          envelope(name === 'run_cell' ? { pendingId: 'call-5' } : { done: 1 })
      });
      await bridge.call('run_cell');
      relay.closeTab(peer);
      await passed();
      relay.openTab(tab);
      const { structuredContent } = await bridge.call('wait_for_result', {
        pendingId: 'call-5'
      });
      expect(structuredContent.data).toEqual({ done: 1 });
    });

    it('goes with its server, which comes back at another port', async () => {
      const { relay, file, tab, bridge } = await all();
      await bridge.call('get_context');
      await stop(relay);
      await passed();
      unlinkSync(file);
      const { relay: again } = await jupyter(
        { token: 'new' },
        { pid: 2, info: { token: 'new' } }
      );
      again.openTab(tab);
      expect((await bridge.call('get_context')).isError).toBeUndefined();
      expect(tab.hellos).toHaveLength(2);
    });

    it('goes with its server, which comes back under the same file name', async () => {
      const { relay, tab, bridge } = await all();
      await bridge.call('get_context');
      await stop(relay);
      await passed();
      const { relay: again } = await jupyter(
        { token: 'new' },
        { info: { token: 'new' } }
      );
      again.openTab(tab);
      expect((await bridge.call('get_context')).isError).toBeUndefined();
    });

    it('of two with one id the newer is called', async () => {
      const { relay, bridge } = await all();
      await bridge.call('get_context');
      const reloaded = new FakeTab();
      relay.openTab(reloaded);
      // Until the bridge has its greeting, the older one is called.
      let structuredContent: object = {};
      await until(async () => {
        ({ structuredContent } = await bridge.call('get_context'));
        return reloaded.calls.length > 0;
      });
      expect(reloaded.calls).toEqual(['get_context']);
      expect(structuredContent).not.toHaveProperty('data.tab');
    });
  });

  describe('a tab that is asleep', () => {
    it('is told apart, and nothing is sent to it', async () => {
      const clock = new FakeClock();
      const { tab, bridge } = await all({}, { clock });
      await until(() => tab.hellos.length === 1);
      await bridge.call('get_context');
      tab.frozen = true;
      await clock.advance(10_000);
      const calling = bridge.call('run_cell');
      await running(clock, calling);
      const { structuredContent } = await calling;
      expect(structuredContent).toMatchObject({
        code: 'operation_refused',
        message: expect.stringContaining('bring that tab to the front')
      });
      tab.thaw();
      await clock.advance(0);
      expect((await bridge.call('get_context')).isError).toBeUndefined();
      expect(tab.calls).toEqual(['get_context', 'get_context']);
    });

    it('while a call is at work leaves an unknown outcome', async () => {
      const clock = new FakeClock();
      const { tab, bridge } = await all(
        { call: () => new Promise(() => undefined) },
        { clock }
      );
      await until(() => tab.hellos.length === 1);
      const calling = bridge.call('run_cell');
      await until(() => tab.calls.length === 1);
      tab.frozen = true;
      await running(clock, calling);
      const { structuredContent } = await calling;
      expect(structuredContent).toMatchObject({
        code: 'internal_error',
        message: expect.stringContaining('froze it')
      });
    });

    it('before it ever answered is named, and not waited for long', async () => {
      const clock = new FakeClock();
      const { relay } = await jupyter();
      const tab = new FakeTab();
      tab.frozen = true;
      relay.openTab(tab);
      const bridge = await start({ clock });
      const calling = bridge.call('get_context');
      await running(clock, calling);
      const { structuredContent } = await calling;
      expect(structuredContent.message).toContain('does not answer');
    });

    it('a dead connection is dialled anew', async () => {
      const clock = new FakeClock();
      const { relay, tab, bridge } = await all({}, { clock });
      await until(() => tab.hellos.length === 1);
      await bridge.call('get_context');
      relay.hang();
      await clock.advance(10_000);
      const calling = bridge.call('get_context');
      await running(clock, calling);
      expect((await calling).isError).toBeUndefined();
      expect(tab.calls).toHaveLength(2);
    });
  });

  describe('several tabs', () => {
    const open = (path: string) => ({
      notebooks: [{ path, dirty: false, shared: false }]
    });
    const two = async (options: Partial<IBridgeOptions> = {}) => {
      const first = await jupyter({}, { pid: 1, info: { root_dir: '/w/a' } });
      const second = await jupyter({}, { pid: 2, info: { root_dir: '/w/b' } });
      const a = new FakeTab({
        state: { id: 'tab-a', title: 'A', ...open('a.ipynb') }
      });
      const b = new FakeTab({
        state: { id: 'tab-b', title: 'B', ...open('b.ipynb') },
        call: () => envelope({ pendingId: 'call-5' })
      });
      first.relay.openTab(a);
      second.relay.openTab(b);
      return { a, b, first, second, bridge: await start(options) };
    };

    it('are chosen by what the call names, and named in the result', async () => {
      const { b, second, bridge } = await two();
      const result = await bridge.call('run_cell', { notebookPath: 'b.ipynb' });
      expect(b.calls).toEqual(['run_cell']);
      const tab = { id: 'tab-b', title: 'B', server: second.relay.url };
      expect(result.structuredContent.data.tab).toEqual(tab);
      expect(JSON.parse(result.content.at(-1)!.text)).toEqual(
        result.structuredContent
      );
    });

    it('a handle goes to the tab that gave it', async () => {
      const { b, bridge } = await two();
      await bridge.call('run_cell', { notebookPath: 'b.ipynb' });
      await bridge.call('wait_for_result', { pendingId: 'call-5' });
      expect(b.calls).toEqual(['run_cell', 'wait_for_result']);
    });

    it('are listed where none can be told', async () => {
      const { first, second, bridge } = await two();
      const { structuredContent } = await bridge.call('get_context');
      expect(structuredContent.code).toBe('operation_refused');
      expect(structuredContent.message).toContain(
        `tab-a "A" at ${first.relay.url}`
      );
      expect(structuredContent.message).toContain(
        `tab-b "B" at ${second.relay.url}`
      );
    });

    it('are chosen by the working folder', async () => {
      const { a, bridge } = await two({ folder: '/w/a/project' });
      await bridge.call('get_context');
      expect(a.calls).toEqual(['get_context']);
    });

    it("are chosen by the client's roots before that", async () => {
      const { b } = await (async () => {
        const prepared = await two({ folder: '/w/a' });
        return prepared;
      })();
      const bridge = await prepare({
        name: 'rooted',
        folder: '/w/a',
        capabilities: { roots: {} }
      });
      let asked = 0;
      bridge.client.setRequestHandler(ListRootsRequestSchema, () => {
        asked++;
        return { roots: [{ uri: 'file://other/w' }, { uri: 'file:///w/b/x' }] };
      });
      await bridge.connect();
      await until(() => asked === 1);
      await bridge.call('get_context');
      expect(b.calls).toEqual(['get_context']);
    });

    it('follow what the tabs announce', async () => {
      const { a, b, bridge } = await two();
      await bridge.call('run_cell', { notebookPath: 'a.ipynb' });
      b.announce(open('c.ipynb'));
      await until(async () => {
        await bridge.call('run_cell', { notebookPath: 'c.ipynb' });
        return b.calls.length === 1;
      });
      expect(a.calls).toEqual(['run_cell']);
    });
  });

  describe('the list of tools', () => {
    const listed = (...names: string[]) =>
      names.map(name => ({ name, inputSchema: { type: 'object' as const } }));

    it('follows what the tab lists, and says so', async () => {
      const { relay } = await jupyter();
      const tab = new FakeTab({
        tools: listed('mine', 'run_cell', 'get_context')
      });
      const bridge = await prepare();
      let changes = 0;
      bridge.client.setNotificationHandler(
        ToolListChangedNotificationSchema,
        () => {
          changes++;
        }
      );
      await bridge.connect();
      const names = async () =>
        (await bridge.client.listTools()).tools.map(tool => tool.name);
      expect(await names()).toHaveLength(6);
      const peer = relay.openTab(tab);
      await until(() => changes === 1);
      expect(await names()).toEqual(['get_context', 'run_cell', 'mine']);
      expect((await bridge.call('mine')).structuredContent.data.name).toBe(
        'mine'
      );
      await tab.setTools(listed('get_context'));
      await until(() => changes === 2);
      expect(await names()).toEqual(['get_context']);
      relay.closeTab(peer);
      relay.openTab(tab);
      await until(() => tab.hellos.length === 2);
      expect(await names()).toEqual(['get_context']);
      expect(changes).toBe(2);
    });

    it('lets the tab say why a tool is refused that it lists no more', async () => {
      const { tab, bridge } = await all({ tools: listed('mine') });
      await until(async () =>
        (await bridge.client.listTools()).tools.some(
          ({ name }) => name === 'mine'
        )
      );
      await tab.setTools(listed('get_context'));
      await until(async () =>
        (await bridge.client.listTools()).tools.every(
          ({ name }) => name !== 'mine'
        )
      );
      await bridge.call('mine');
      expect(tab.calls).toEqual(['mine']);
    });

    it("takes a tool of the person's own that no catalogue holds", async () => {
      const { tab, bridge } = await all(
        { tools: listed('mine') },
        { scope: 'write' }
      );
      // What scope it needs the tab did not say: then it may run anything.
      const { structuredContent } = await bridge.call('mine');
      expect(structuredContent.code).toBe('permission_denied');
      expect(tab.calls).toEqual([]);
    });
  });

  describe('a page whose person turns the bridge off', () => {
    const turnOff = (relay: FakeRelay, peer: string, tab: FakeTab) => {
      tab.turnOff();
      relay.closeTab(peer);
    };

    it('is named as such, and so is the setting', async () => {
      const { relay, peer, tab, bridge } = await all();
      await bridge.call('get_context');
      turnOff(relay, peer, tab);
      const began = performance.now();
      const refused = await until(async () => {
        // One that is on its way just then is lost.
        const { structuredContent } = await bridge.call('get_context');
        return structuredContent.code === 'operation_refused'
          ? structuredContent
          : null;
      });
      // It is not waited for as one that reloads.
      expect(performance.now() - began).toBeLessThan(4000);
      expect(refused?.message).toMatch(
        /turned the bridge off .*setting bridge/
      );
      relay.openTab(new FakeTab());
      await until(
        async () => (await bridge.call('get_context')).isError !== true
      );
    });

    it('leaves what was at work with that reason', async () => {
      const { relay, peer, tab, bridge } = await all({
        call: () => new Promise<never>(() => {})
      });
      const call = bridge.call('run_cell');
      await until(() => tab.calls.length === 1);
      turnOff(relay, peer, tab);
      const { code, message } = (await call).structuredContent;
      expect(code).toBe('internal_error');
      expect(message).toMatch(/turned the bridge off.*outcome is unknown/);
    });

    it('may be there though none is connected', async () => {
      await jupyter();
      const bridge = await start();
      const { message } = (await bridge.call('get_context')).structuredContent;
      expect(message).toMatch(/no page of it is connected.*setting bridge/);
    });
  });

  it('serves two clients in one tab', async () => {
    const { relay, tab, bridge } = await all();
    const other = await start({ name: 'other' });
    await Promise.all([bridge.call('get_context'), other.call('get_context')]);
    expect(relay.clients).toBe(2);
    expect(new Set(tab.hellos.map(each => Object(each.client).name))).toEqual(
      new Set(['test client', 'other'])
    );
    await bridge.close();
    await until(() => relay.clients === 1);
    expect((await other.call('get_context')).isError).toBeUndefined();
  });
});

/** Lets what was just sent arrive: a call before that has an unknown outcome. */
const passed = () => new Promise(resolve => setTimeout(resolve, 30));

/** Lets a clock run until something has ended. */
async function running(
  clock: FakeClock & IClock,
  promise: Promise<unknown>
): Promise<void> {
  let ended = false;
  promise.then(
    () => (ended = true),
    () => (ended = true)
  );
  await until(async () => {
    await clock.advance(500);
    return ended;
  });
}
