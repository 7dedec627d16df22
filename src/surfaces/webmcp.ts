import { hints, type IDescribedTool } from '../../protocol/listing';
import { covers, type Scope } from '../../protocol/scopes';
import { ToolError, toToolError } from '../calls/errors';
import type { IClient, Outcome } from '../calls/types';
import { presentWebMcp } from './plain';
import type { IEngine } from './types';

/** What a tool is to the browser (WebMCP draft, `registerTool`). */
export interface IModelContextTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Record<string, unknown>;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly untrustedContentHint: boolean;
    readonly consequentialHint: boolean;
  };
  /** Older browsers pass no second argument. */
  execute(
    input: unknown,
    options?: { readonly signal?: AbortSignal }
  ): Promise<Record<string, unknown>>;
}

/** `document.modelContext`, as far as it is used. */
export interface IModelContext {
  registerTool(
    tool: IModelContextTool,
    options: { signal: AbortSignal }
  ): Promise<void> | void;
}

/** The browser's API, or null where there is none (or no secure context). */
export function modelContextOf(document: object): IModelContext | null {
  const context: unknown = Reflect.get(document, 'modelContext');
  return isModelContext(context) ? context : null;
}

function isModelContext(value: unknown): value is IModelContext {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof Reflect.get(value, 'registerTool') === 'function'
  );
}

export interface IWebMcpOptions {
  readonly context: IModelContext;
  readonly engine: IEngine;
  /** The page's WebMCP is one client, whoever asks through it. */
  readonly client: IClient;
  /** Names of tools that could not be registered, with the browser's reason. */
  onFailures(failures: ReadonlyMap<string, string>): void;
}

interface IRegistered {
  /** The tool as it was registered, as JSON. */
  readonly facts: string;
  readonly controller: AbortController;
}

/**
 * The tools in the page's model context (contract: Results on the WebMCP
 * surface). They are registered again as they change; results are R's objects
 * as they are, and nothing is thrown, because browsers drop the message.
 */
export class WebMcp {
  constructor(private readonly _options: IWebMcpOptions) {
    this._subscription = _options.engine.toolsChanged.subscribe(
      () => void this.update()
    );
  }

  /**
   * Brings what is registered up to date. What is not offered any more is
   * taken back at once, the rest is one update after the other.
   */
  update(): Promise<void> {
    this._withdraw(this._wanted());
    this._updating = this._updating.then(() => this._update());
    return this._updating;
  }

  dispose(): void {
    this._disposed = true;
    this._subscription.dispose();
    for (const { controller } of this._registered.values()) {
      controller.abort();
    }
    this._registered.clear();
  }

  private _wanted(): ReadonlyMap<string, IDescribedTool> {
    return new Map(this._tools().map(tool => [tool.name, tool]));
  }

  /** Takes back what is wanted no more or otherwise, also while it is on its way. */
  private _withdraw(wanted: ReadonlyMap<string, IDescribedTool>): void {
    for (const [name, { facts, controller }] of this._registered) {
      const tool = wanted.get(name);
      if (!tool || JSON.stringify(tool) !== facts) {
        controller.abort();
        this._registered.delete(name);
      }
    }
  }

  private async _update(): Promise<void> {
    const wanted = this._wanted();
    // The update before this one may have registered what it began with.
    this._withdraw(wanted);
    const failures = new Map<string, string>();
    for (const tool of wanted.values()) {
      if (this._disposed) {
        return;
      }
      if (!this._registered.has(tool.name)) {
        const failure = await this._register(tool);
        if (failure !== null) {
          failures.set(tool.name, failure);
        }
      }
    }
    if (!this._disposed) {
      this._options.onFailures(failures);
    }
  }

  /** @returns null, or why it could not be registered. */
  private async _register(tool: IDescribedTool): Promise<string | null> {
    const controller = new AbortController();
    const { readOnlyHint, untrustedContentHint, consequentialHint } =
      hints(tool);
    // Before it is awaited, so that a dispose meanwhile takes it back too.
    this._registered.set(tool.name, {
      facts: JSON.stringify(tool),
      controller
    });
    try {
      await this._options.context.registerTool(
        {
          name: tool.name,
          title: tool.title,
          description: tool.description,
          inputSchema: tool.inputSchema,
          annotations: {
            readOnlyHint,
            untrustedContentHint,
            consequentialHint
          },
          execute: (input, options) =>
            this._execute(tool, input, signalOf(options))
        },
        { signal: controller.signal }
      );
      return null;
    } catch (reason) {
      if (controller.signal.aborted) {
        // Taken back meanwhile, which is no failure.
        return null;
      }
      this._registered.delete(tool.name);
      return nameOf(reason);
    }
  }

  private async _execute(
    tool: IDescribedTool,
    input: unknown,
    signal: AbortSignal | undefined
  ): Promise<Record<string, unknown>> {
    const { engine, client } = this._options;
    if (engine.settings.webmcp === 'off') {
      // Browsers that know no signal keep what was registered.
      return presentWebMcp({ kind: 'refused', error: OFF }, { client, engine });
    }
    const outcome = await engine
      .call(tool.name, input, {
        client,
        surface: 'webmcp',
        scope: this._scope(),
        demandsRevisions: false,
        auditId: null,
        signal
      })
      .catch((reason: unknown): Outcome => ({
        kind: 'refused',
        error: toToolError(reason)
      }));
    return presentWebMcp(outcome, { client, engine });
  }

  private _tools(): readonly IDescribedTool[] {
    const { engine } = this._options;
    if (engine.settings.webmcp === 'off') {
      return [];
    }
    const scope = this._scope();
    return engine
      .tools()
      .filter(tool => tool.scope === 'call' || covers(scope, tool.scope));
  }

  private _scope(): Scope {
    return this._options.engine.settings.webmcp === 'all' ? 'run' : 'read';
  }

  private _disposed = false;
  private _updating: Promise<void> = Promise.resolve();
  private readonly _subscription: { dispose(): void };
  private readonly _registered = new Map<string, IRegistered>();
}

const OFF = new ToolError(
  'operation_refused',
  'The tools are off for agents in the browser (setting webmcp of this JupyterLab): nothing was done. Only the person can turn them on again.'
);

/** The page's own objects can be anything, and what a tool throws is lost. */
function signalOf(options: unknown): AbortSignal | undefined {
  try {
    const { signal }: { signal?: unknown } = Object(options);
    return signal instanceof AbortSignal ? signal : undefined;
  } catch {
    return undefined;
  }
}

/** The name tells a taken name (InvalidStateError) from a policy's refusal. */
function nameOf(reason: unknown): string {
  try {
    const name: unknown = Object(reason).name;
    return typeof name === 'string' ? name : 'Error';
  } catch {
    return 'Error';
  }
}
