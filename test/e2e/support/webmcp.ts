import type { Page } from 'playwright-core';

/** A tool as the browser lists it (WebMCP draft). */
export interface IPageTool {
  name: string;
  description: string;
  annotations: Record<string, boolean>;
}

/** `document.modelContext`, as far as agents in the browser use it. */
interface IAgentSide {
  getTools(): Promise<IPageTool[]>;
  executeTool(
    tool: IPageTool,
    input: object,
    options?: { signal: AbortSignal }
  ): Promise<string | null>;
}

/** What turns WebMCP on in Chromium. */
export const WEBMCP = ['--enable-features=WebMCP'];

/** An agent in the browser: it lists and calls the tools of a page. */
export class PageAgent {
  constructor(private readonly _page: Page) {}

  tools(): Promise<IPageTool[]> {
    return this._page.evaluate(async () => {
      const side = Reflect.get(document, 'modelContext') as IAgentSide;
      const tools = await side.getTools();
      return tools.map(({ name, description, annotations }) => ({
        name,
        description,
        annotations: JSON.parse(JSON.stringify(annotations ?? {}))
      }));
    });
  }

  async names(): Promise<string[]> {
    return (await this.tools()).map(({ name }) => name).sort();
  }

  /** Waits until the listed names are as wanted; the names they came to. */
  async until(wanted: (names: string[]) => boolean): Promise<string[]> {
    const end = Date.now() + 10_000;
    for (;;) {
      const names = await this.names();
      if (wanted(names) || Date.now() > end) {
        return names;
      }
      await this._page.waitForTimeout(50);
    }
  }

  /** The result, as the browser hands it over: JSON, parsed. */
  async call(
    name: string,
    args: Record<string, unknown> = {}
  ): Promise<Record<string, unknown>> {
    const text = await this._page.evaluate(
      async ([name, args]) => {
        const side = Reflect.get(document, 'modelContext') as IAgentSide;
        const tools = await side.getTools();
        const tool = tools.find(each => each.name === name);
        if (!tool) {
          throw new Error(`no tool ${name}`);
        }
        return side.executeTool(tool, args);
      },
      [name, args] as const
    );
    return JSON.parse(text ?? 'null');
  }

  /** Calls a tool and gives up after `ms`; what the browser then answers. */
  async callAndAbort(
    name: string,
    args: Record<string, unknown>,
    ms: number
  ): Promise<string> {
    return this._page.evaluate(
      async ([name, args, ms]) => {
        const side = Reflect.get(document, 'modelContext') as IAgentSide;
        const tools = await side.getTools();
        const tool = tools.find(each => each.name === name);
        if (!tool) {
          throw new Error(`no tool ${name}`);
        }
        const controller = new AbortController();
        setTimeout(() => controller.abort('given up'), ms);
        return side
          .executeTool(tool, args, { signal: controller.signal })
          .then(() => 'answered', String);
      },
      [name, args, ms] as const
    );
  }
}
