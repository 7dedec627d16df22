import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { NotebookPanel } from '@jupyterlab/notebook';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type JSHandle,
  type Page
} from 'playwright-core';
import type { Lab } from './lab';

/** What playwright adds so that hidden pages are not slowed down. */
const UNTHROTTLED = [
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding'
];

/** Starts the browser; with `throttled`, hidden pages are slowed as in real life. */
export function startBrowser(
  options: { throttled?: boolean; args?: string[] } = {}
): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--no-first-run',
      ...(options.args ?? [])
    ],
    ignoreDefaultArgs: options.throttled ? UNTHROTTLED : []
  });
}

/**
 * JupyterLab's own question to each kernel it connects to: it leaves the
 * rejection unhandled when that kernel goes before it has answered.
 */
const OF_JUPYTERLAB = /^Canceled future for kernel_info_request message/;

/** Where a JupyterLab is reached. */
type IPlace = Pick<Lab, 'url' | 'token'>;

/** A browser tab with JupyterLab in it. */
export class Tab {
  private constructor(
    readonly page: Page,
    readonly context: BrowserContext,
    readonly errors: string[],
    private readonly _lab: IPlace
  ) {}

  /** Opens JupyterLab in a browser session of its own. */
  static async open(
    browser: Browser,
    lab: IPlace,
    path = 'lab',
    script = ''
  ): Promise<Tab> {
    const context = await browser.newContext({
      viewport: { width: 1200, height: 800 }
    });
    // Runs before anything of the page does.
    await context.addInitScript(script);
    return Tab.openIn(context, lab, path);
  }

  /** Opens another tab of the same session; `host` is another name of the server's. */
  static async openIn(
    context: BrowserContext,
    lab: IPlace,
    path = 'lab',
    host = '127.0.0.1'
  ): Promise<Tab> {
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => {
      if (!OF_JUPYTERLAB.test(message)) {
        errors.push(message);
      }
    });
    const tab = new Tab(page, context, errors, lab);
    const url = new URL(`${path}?token=${lab.token}`, lab.url);
    url.hostname = host;
    await page.goto(url.href);
    await tab.restored();
    return tab;
  }

  /** Waits until JupyterLab has laid out its page. */
  async restored(): Promise<void> {
    await this.page.waitForFunction('window.jupyterapp !== undefined');
    await this.page.evaluate('window.jupyterapp.restored');
  }

  async reload(): Promise<void> {
    await this.page.goto(`${this._lab.url}lab`);
    await this.restored();
  }

  app(): Promise<JSHandle<JupyterFrontEnd>> {
    return this.page.evaluateHandle<JupyterFrontEnd>('window.jupyterapp');
  }

  /** Runs a command as a click of the person does. */
  async command(id: string, args: Record<string, string> = {}): Promise<void> {
    const app = await this.app();
    await app.evaluate(
      async (app, [id, args]) => {
        await app.commands.execute(id, args);
      },
      [id, args] as const
    );
  }

  /** Opens a notebook in the page and waits until its cells are there. */
  async openNotebook(path: string): Promise<JSHandle<NotebookPanel>> {
    await this.command('docmanager:open', { path });
    const panel = await this.panel(path);
    await panel.evaluate(async panel => {
      await panel.context.ready;
      await panel.revealed;
    });
    return panel;
  }

  /** The notebook's widget, as JupyterLab holds it. */
  async panel(path: string): Promise<JSHandle<NotebookPanel>> {
    const app = await this.app();
    return app.evaluateHandle((app, path) => {
      for (const widget of app.shell.widgets('main')) {
        if ('context' in widget && 'content' in widget) {
          const panel = widget as NotebookPanel;
          if (panel.context.path === path) {
            return panel;
          }
        }
      }
      throw new Error(`${path} is not open`);
    }, path);
  }

  /** Sources of a notebook's cells, as the page holds them now. */
  async sources(path: string): Promise<string[]> {
    const panel = await this.panel(path);
    return panel.evaluate(panel =>
      [...(panel.content.model?.cells ?? [])].map(cell =>
        cell.sharedModel.getSource()
      )
    );
  }

  /** Paths of the documents that are open, in the order of their tabs. */
  async openPaths(): Promise<string[]> {
    const app = await this.app();
    return app.evaluate(app =>
      [...app.shell.widgets('main')].flatMap(widget =>
        'context' in widget ? [(widget as NotebookPanel).context.path] : []
      )
    );
  }

  /** What the dialogs that stand on the page say. */
  dialogs(): Promise<string[]> {
    return this.page.locator('.jp-Dialog').allInnerTexts();
  }

  async close(): Promise<void> {
    await this.context.close();
  }
}
