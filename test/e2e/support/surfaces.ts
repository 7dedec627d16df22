import type { Agent } from './agent';
import type { PageAgent } from './webmcp';

/** What a tool answered, as one of the surfaces presents it. */
export interface IPresented {
  /** R's object: the whole on WebMCP, `data` on MCP. */
  readonly data: Record<string, unknown>;
  /** All of it, as it stands in golden files. */
  readonly whole: Record<string, unknown>;
  /** Of an error; the same on both surfaces. */
  readonly error: string | undefined;
  /** Where reading on begins, when the result was cut. */
  readonly resultId: unknown;
}

/** One way to the tools. */
export interface ISurface {
  readonly name: 'webmcp' | 'mcp';
  call(tool: string, args?: Record<string, unknown>): Promise<IPresented>;
}

/** The tools as the page's own agent calls them. */
export function webMcpSurface(page: PageAgent): ISurface {
  return {
    name: 'webmcp',
    call: async (tool, args) => {
      const data = await page.call(tool, args);
      const { error, resultId } = data;
      return {
        data,
        whole: data,
        error: data.success === false ? String(error) : undefined,
        resultId
      };
    }
  };
}

/** The tools as a client over stdio calls them. */
export function mcpSurface(agent: Agent): ISurface {
  return {
    name: 'mcp',
    call: async (tool, args) => {
      const reply = await agent.call(tool, args);
      const { isError, code, message, content } = reply;
      const last = content.at(-1);
      const text = last?.type === 'text' ? last.text : '';
      if (code !== undefined) {
        expect(text).toBe(message);
        return {
          data: {},
          whole: { isError, structuredContent: reply.structured },
          error: message,
          resultId: undefined
        };
      }
      // The same JSON again, for clients that read only text; beside a
      // picture it stands alone.
      const structured: {
        data?: Record<string, unknown>;
        truncation?: { resultId?: unknown } | null;
      } = JSON.parse(text);
      if (content.every(({ type }) => type === 'text')) {
        expect(reply.structured).toEqual(structured);
      }
      return {
        data: structured.data ?? {},
        whole: { isError, structuredContent: structured },
        error: undefined,
        resultId: structured.truncation?.resultId
      };
    }
  };
}
