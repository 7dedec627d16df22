import { createServer, type Server } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { Home, Lab } from './support/lab';
import { startBrowser } from './support/tab';

jest.setTimeout(60_000);

/**
 * What a host page does to speak MCP with the JupyterLab it shows.
 *
 * @param waitMs - how long it waits for a word after the frame has loaded
 */
async function connect(
  page: Page,
  lab: string,
  waitMs: number
): Promise<
  | { tools: string[]; context: unknown; run: unknown; odd: unknown[] }
  | 'no port'
> {
  return page.evaluate(
    async ([lab, waitMs]) => {
      const frame = document.createElement('iframe');
      frame.src = lab;
      frame.style.cssText = 'width: 1200px; height: 700px';
      const ready = new Promise<string | null>(resolve => {
        addEventListener('message', event => {
          if (event.data?.type === 'jupyterlab-mcp-bridge:ready') {
            resolve(event.origin);
          }
        });
        frame.addEventListener('load', () =>
          setTimeout(() => resolve(null), waitMs)
        );
      });
      document.body.append(frame);
      const said = await ready;
      const { port1, port2 } = new MessageChannel();
      const waiting = new Map<number, (message: unknown) => void>();
      port1.onmessage = event => waiting.get(event.data.id)?.(event.data);
      let last = 0;
      const ask = (method: string, params: object): Promise<never> =>
        new Promise(resolve => {
          waiting.set(++last, resolve as (message: unknown) => void);
          port1.postMessage({ jsonrpc: '2.0', id: last, method, params });
        });
      // Without the page's word it is tried all the same: nobody may listen.
      frame.contentWindow?.postMessage(
        { type: 'jupyterlab-mcp-bridge:connect' },
        new URL(lab).origin,
        [port2]
      );
      const first = await Promise.race([
        ask('initialize', {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo: { name: 'host', version: '1' }
        }),
        new Promise<null>(resolve =>
          setTimeout(() => resolve(null), waitMs / 2)
        )
      ]);
      if (first === null || said === null) {
        return 'no port';
      }
      const list: { result: { tools: { name: string }[] } } = await ask(
        'tools/list',
        {}
      );
      const call = async (
        name: string,
        args: object
      ): Promise<Record<string, unknown>> => {
        const answer: {
          result: { structuredContent: Record<string, unknown> };
        } = await ask('tools/call', { name, arguments: args });
        return answer.result.structuredContent;
      };
      const post = (message: object): Promise<{ error?: { code: number } }> =>
        new Promise(resolve => {
          waiting.set(++last, resolve as (message: unknown) => void);
          port1.postMessage({ id: last, ...message });
        });
      const circle: Record<string, unknown> = {};
      circle.circle = circle;
      let deep: object = {};
      // Of more levels a browser delivers nothing, not even the id.
      for (let i = 0; i < 1500; i++) {
        deep = { deep };
      }
      const odd: unknown[] = [];
      for (const args of [circle, deep, { map: new Map() }, { big: 1n }]) {
        const found = await call('execute_command', {
          command_id: 'zz:none',
          args
        });
        odd.push(found.code);
      }
      for (const message of [
        { jsonrpc: '2.0', method: 5 },
        { jsonrpc: '2.0', method: 'tools/list', params: { deep } },
        { jsonrpc: '2.0', method: 'tools/list', params: circle }
      ]) {
        odd.push((await post(message)).error?.code);
      }
      return {
        odd,
        tools: list.result.tools.map(({ name }) => name),
        context: (await call('get_context', {})).data,
        run: await call('run_code', { kernelId: 'k', code: '1' })
      };
    },
    [lab, waitMs] as const
  );
}

describe('a page that shows JupyterLab in a frame', () => {
  let home: Home;
  let lab: Lab;
  let browser: Browser;
  let friend: Server;
  let stranger: Server;

  const origin = (server: Server): string => {
    const address = server.address();
    return typeof address === 'object' && address !== null
      ? `http://127.0.0.1:${address.port}`
      : '';
  };
  const serve = (): Promise<Server> =>
    new Promise(resolve => {
      const server = createServer((_request, response) => {
        response.setHeader('content-type', 'text/html');
        response.end('<!doctype html><title>Host</title>');
      });
      server.listen(0, '127.0.0.1', () => resolve(server));
    });

  beforeAll(async () => {
    [home, friend, stranger] = await Promise.all([
      Home.make(),
      serve(),
      serve()
    ]);
    [lab, browser] = await Promise.all([
      Lab.start(home, {
        settings: {
          postMessageOrigins: [{ origin: origin(friend), scope: 'read' }]
        },
        args: [
          '--ServerApp.tornado_settings={"headers": {"Content-Security-Policy": "frame-ancestors http://127.0.0.1:*"}}'
        ]
      }),
      startBrowser()
    ]);
  });

  afterAll(async () => {
    await browser?.close();
    await lab?.stop();
    await home?.remove();
    friend?.close();
    stranger?.close();
  });

  const visit = async (server: Server, waitMs: number) => {
    const page = await browser.newPage();
    await page.goto(origin(server));
    return connect(page, `${lab.url}lab?token=${lab.token}`, waitMs);
  };

  it('speaks MCP on a port of its own, within its scope, when the settings name it', async () => {
    const answer = await visit(friend, 20_000);
    expect(answer).toMatchObject({
      tools: expect.arrayContaining(['get_context', 'run_code']),
      context: { success: true, app: { name: 'JupyterLab' } },
      run: { code: 'permission_denied', retryable: false },
      // Whatever a browser can send between pages is answered, at once.
      odd: [
        ...Array.from({ length: 4 }, () => 'validation_failed'),
        ...Array.from({ length: 3 }, () => -32600)
      ]
    });
  });

  it('reaches nothing when they do not', async () => {
    expect(await visit(stranger, 6000)).toBe('no port');
  });
});
