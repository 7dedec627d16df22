import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  ElicitResultSchema,
  ErrorCode,
  ListRootsResultSchema,
  ListToolsRequestSchema,
  RequestSchema,
  RootsListChangedNotificationSchema,
  type Progress,
  type Result
} from '@modelcontextprotocol/sdk/types.js';
import { fileURLToPath } from 'node:url';
import type { ICatalogue } from '../../../protocol/catalogue';
import type { Scope } from '../../../protocol/scopes';
import { isRecord } from '../../../protocol/values';
import { checkScope } from '../gate/scope';
import type { Log } from '../log';
import { errorResult, Refusal } from '../refusal';
import {
  joinTools,
  servedFromCatalogue,
  type IServedTool
} from '../tabs/served';
import type { Router } from '../tabs/router';
import type { IClientIdentity } from '../tabs/tab';

export interface IOutwardOptions {
  readonly transport: Transport;
  readonly catalogue: ICatalogue;
  readonly version: string;
  readonly scope: Scope;
  /** 128 random bits in hex, for this client alone. */
  readonly clientId: string;
  /** The working folder of the client's process, where that is known. */
  readonly folder: string | null;
  /** Makes the way to the tabs; loaded when the first answers are out. */
  readonly inward: (
    client: IClientIdentity,
    folders: () => readonly string[],
    changed: () => void
  ) => Promise<Router>;
  readonly log: Log;
  /** The client is gone. */
  readonly closed: () => void;
}

/**
 * The MCP server that one external client meets. It answers `initialize` and
 * `tools/list` by itself and hands calls on.
 */
export class Outward {
  constructor(private readonly _options: IOutwardOptions) {
    const { catalogue, version } = _options;
    this._catalogue = catalogue.tools.map(servedFromCatalogue);
    this._served = this._catalogue;
    this._server = new Server(
      { name: 'jupyterlab', title: 'JupyterLab', version },
      {
        capabilities: { tools: { listChanged: true } },
        instructions: catalogue.instructions,
        debouncedNotificationMethods: ['notifications/tools/list_changed']
      }
    );
    this._server.onclose = () => void this._closed();
    this._server.onerror = () => undefined;
    this._server.oninitialized = () => this._initialized();
    this._server.setNotificationHandler(
      RootsListChangedNotificationSchema,
      () => this._askRoots()
    );
    this._server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: this._served.map(tool => tool.listing)
    }));
    this._server.setRequestHandler(ANY_CALL, (request, extra) => {
      // The SDK has checked it by now, and answered what is malformed.
      const { params } = CallToolRequestSchema.parse(request);
      const { name, _meta: meta } = params;
      // As they were sent: the SDK's own copy drops names.
      const sent = request.params?.arguments;
      const args = isRecord(sent) ? sent : {};
      const token = meta?.progressToken;
      // Each is written before the next, and all before the result.
      let progress = Promise.resolve();
      const onprogress =
        token === undefined
          ? undefined
          : (params: Progress) => {
              progress = progress.then(() =>
                extra.sendNotification({
                  method: 'notifications/progress',
                  params: { ...params, progressToken: token }
                })
              );
            };
      return this._call(name, args, {
        signal: extra.signal,
        requestId: extra.requestId,
        onprogress
      }).finally(() => progress);
    });
  }

  start(): Promise<void> {
    return this._server.connect(this._options.transport);
  }

  /** Ends it: calls are cancelled, tabs and servers told. */
  close(): Promise<void> {
    return this._server.close();
  }

  private async _call(
    name: string,
    args: Record<string, unknown>,
    options: Parameters<Router['call']>[2]
  ): Promise<Result> {
    try {
      const tool = await this._find(name);
      checkScope(name, tool.scope ?? 'run', this._options.scope);
      await this._rootsAsked;
      return await (await this._inward()).call(name, args, options);
    } catch (error) {
      if (error instanceof Refusal) {
        return errorResult(error);
      }
      throw error;
    }
  }

  /** @throws a protocol error for a tool that nobody has. */
  private async _find(name: string): Promise<IServedTool> {
    const known = () => this._served.find(tool => tool.name === name);
    const inCatalogue = this._catalogue.find(tool => tool.name === name);
    // One that is listed no more was taken away, or is not known: the tab says which.
    const tool = known() ?? inCatalogue ?? this._once.get(name);
    if (tool) {
      return { ...tool, scope: inCatalogue?.scope ?? tool.scope };
    }
    // It may be one of the person's own, of a tab that is just connecting.
    await (await this._inward()).settle();
    this._refreshTools();
    const late = known();
    if (late) {
      return late;
    }
    throw Object.assign(new Error(`Unknown tool: ${name}`), {
      code: ErrorCode.InvalidParams
    });
  }

  private _initialized(): void {
    // What the client asks next is answered before modules are loaded.
    setImmediate(() => {
      if (!this._isClosed) {
        void this._inward();
        this._askRoots();
      }
    });
  }

  private _inward(): Promise<Router> {
    this._router ??= this._connect();
    return this._router;
  }

  private async _connect(): Promise<Router> {
    const { clientId, scope, inward } = this._options;
    const asks = this._server.getClientCapabilities()?.elicitation?.form;
    const router = await inward(
      {
        id: clientId,
        info: this._server.getClientVersion() ?? UNNAMED,
        scope,
        elicit: asks
          ? (params, options) =>
              this._server.request(
                { method: 'elicitation/create', params },
                ElicitResultSchema,
                options
              )
          : null
      },
      () => this._folders,
      () => this._refreshTools()
    );
    this._present = router;
    if (this._isClosed) {
      router.dispose();
    } else {
      router.start();
    }
    return router;
  }

  private _refreshTools(): void {
    const lists = this._present?.toolLists ?? [];
    // Tabs tell of every dialog and notebook: their lists are mostly the same.
    if (
      lists.length === this._lists.length &&
      lists.every((list, index) => list === this._lists[index])
    ) {
      return;
    }
    this._lists = lists;
    const joined = joinTools(this._catalogue, lists);
    // While no tab is connected the list stays as it was last.
    if (joined && JSON.stringify(joined) !== JSON.stringify(this._served)) {
      this._served = joined;
      joined.forEach(tool => this._once.set(tool.name, tool));
      this._server.sendToolListChanged().catch(() => undefined);
    }
  }

  private _askRoots(): void {
    if (!this._server.getClientCapabilities()?.roots) {
      return;
    }
    this._rootsAsked = this._server
      .request({ method: 'roots/list' }, ListRootsResultSchema, {
        timeout: ROOTS_MS
      })
      .then(({ roots }) => {
        this._roots = roots.flatMap(({ uri }) => folderOf(uri));
      })
      .catch(() => undefined);
  }

  private get _folders(): string[] {
    const { folder } = this._options;
    return folder === null ? this._roots : [...this._roots, folder];
  }

  private _closed(): void {
    if (!this._isClosed) {
      this._isClosed = true;
      this._present?.dispose();
      this._options.closed();
    }
  }

  private readonly _server: Server;
  private readonly _catalogue: readonly IServedTool[];
  private _served: readonly IServedTool[];
  /** Every tool that a tab has listed. */
  private readonly _once = new Map<string, IServedTool>();
  private _lists: readonly (readonly IServedTool[])[] = [];
  private _router: Promise<Router> | null = null;
  private _present: Router | null = null;
  private _roots: string[] = [];
  private _rootsAsked: Promise<void> = Promise.resolve();
  private _isClosed = false;
}

/**
 * A call whatever its parameters: the SDK answers malformed ones with
 * `invalid params` only after its handler's own schema let them pass.
 */
const ANY_CALL = RequestSchema.extend({
  method: CallToolRequestSchema.shape.method
});

/** How long a call waits for the client's roots. */
const ROOTS_MS = 2000;

const UNNAMED = { name: 'unnamed client', version: '0' };

function folderOf(uri: string): string[] {
  try {
    return [fileURLToPath(uri)];
  } catch {
    return [];
  }
}
