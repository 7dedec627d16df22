import type { NotebookPanel } from '@jupyterlab/notebook';
import type { JSHandle } from 'playwright-core';
import type { Tab } from '../test/e2e/support/tab';

/** What a tool of the page is called by, as WebMCP registers it. */
interface IPageTool {
  name: string;
  execute(args: object): Promise<unknown>;
}

/** The folder that JupyterLab serves our extension from. */
const OURS = 'jupyterlab-mcp-bridge-extension';

/**
 * Catches what extensions register, in place of the browser: what is measured
 * then is the page alone. Two may use the same names, so a tool is kept by the
 * extension whose script registers it.
 */
export const CATCH_TOOLS = `
  const tools = new Map();
  Object.defineProperty(window, 'caughtTools', { value: tools });
  Object.defineProperty(document, 'modelContext', {
    value: {
      registerTool: async (tool, options) => {
        const [, extension] =
          /[/]extensions[/](.+?)[/]static[/]/.exec(new Error().stack) ?? [];
        const key = extension + ' ' + tool.name;
        tools.set(key, tool);
        options?.signal?.addEventListener('abort', () => {
          if (tools.get(key) === tool) {
            tools.delete(key);
          }
        });
      }
    }
  });
`;

/** Milliseconds that a tool of an extension takes in the page, and its result. */
export async function callInPage(
  tab: Tab,
  name: string,
  args: Record<string, unknown>,
  extension = OURS
): Promise<{ ms: number; result: Record<string, unknown> }> {
  const tools =
    await tab.page.evaluateHandle<Map<string, IPageTool>>('window.caughtTools');
  const answer = await tools.evaluate(
    async (tools, [key, args]) => {
      const tool = tools.get(key);
      if (!tool) {
        throw new Error(`${key} is not registered`);
      }
      const began = performance.now();
      const result = await tool.execute(args);
      return { ms: performance.now() - began, result: JSON.stringify(result) };
    },
    [`${extension} ${name}`, args] as const
  );
  const result: Record<string, unknown> = JSON.parse(answer.result);
  if (result.success === false) {
    throw new Error(`${name}: ${answer.result}`);
  }
  return { ms: answer.ms, result };
}

/** The other extension that registers a tool of this name. */
export async function otherExtension(tab: Tab, name: string): Promise<string> {
  const key = await tab.page.waitForFunction(
    ([name, ours]) => {
      const tools: unknown = Reflect.get(window, 'caughtTools');
      const keys = tools instanceof Map ? [...tools.keys()] : [];
      return keys.find(
        each =>
          typeof each === 'string' &&
          each.endsWith(` ${name}`) &&
          !each.startsWith(`${ours} `)
      );
    },
    [name, OURS] as const
  );
  return String(await key.jsonValue()).slice(0, -name.length - 1);
}

/** Waits until the pages have done what the call before left them to do. */
export async function settled(...tabs: readonly Tab[]): Promise<void> {
  for (const { page } of tabs) {
    await page.evaluate(
      () =>
        new Promise<void>(resolve => {
          requestIdleCallback(() => resolve(), { timeout: 1000 });
        })
    );
  }
}

/** `kernel.requestExecute` in the page: the floor of every run. */
export function requestExecute(
  panel: JSHandle<NotebookPanel>,
  code: string
): Promise<number> {
  return panel.evaluate(async (panel, code) => {
    const kernel = panel.sessionContext.session?.kernel;
    if (!kernel) {
      throw new Error('no kernel');
    }
    const began = performance.now();
    await kernel.requestExecute({ code }).done;
    return performance.now() - began;
  }, code);
}

/** Waits for the kernel: without one, JupyterLab's command asks in a dialog. */
export async function kernelReady(
  panel: JSHandle<NotebookPanel>
): Promise<void> {
  await panel.evaluate(async panel => {
    await panel.sessionContext.ready;
    await panel.sessionContext.session?.kernel?.info;
  });
}

/** JupyterLab's own command on the cell at `index`. */
export async function runCellCommand(
  tab: Tab,
  panel: JSHandle<NotebookPanel>,
  index: number
): Promise<number> {
  await panel.evaluate((panel, index) => {
    panel.content.activeCellIndex = index;
  }, index);
  const app = await tab.app();
  return app.evaluate(async app => {
    const began = performance.now();
    await app.commands.execute('notebook:run-cell');
    return performance.now() - began;
  });
}

/** A second, bare socket of the page at the relay, that sends all back. */
export function echoFromPage(tab: Tab): Promise<void> {
  return tab.page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const url = new URL('/mcp-bridge/tab', location.href);
        url.protocol = 'ws:';
        const socket = new WebSocket(url);
        socket.onmessage = ({ data }) => {
          if (String(data).includes('"type":"echo"')) {
            socket.send(data);
          }
        };
        socket.onopen = () => resolve();
        socket.onerror = () => reject(new Error('the relay refused'));
      })
  );
}
