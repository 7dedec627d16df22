import type { ITabState } from '../../protocol/frames';
import type { IDescribedTool } from '../../protocol/listing';
import { Calls } from '../calls/call';
import type { ISettings } from '../calls/settings';
import type {
  ICaller,
  IClient,
  IClock,
  IOrigin,
  Outcome
} from '../calls/types';
import { type IKept, type Redact, toJson } from '../results/index';
import { Changes } from '../surfaces/changes';
import type { IEngine } from '../surfaces/types';
import type { IBridgePage } from '../tokens';
import { type IOfferedTools, offeredTools } from '../tools/offered';
import { panelOf } from './openNotebook';
import { Secrets } from './secrets';
import type { IServices } from './services';
import { type IPageContext, makeToolContext } from './toolContext';
import { StateWatch } from './watch';

/** Makes what surfaces call, on top of this page's JupyterLab. */
export function createEngine(page: IBridgePage, services: IServices): IEngine {
  return new Engine(page, services);
}

class Engine implements IEngine {
  constructor(
    private readonly _page: IBridgePage,
    private readonly _services: IServices
  ) {
    const { app, passwords } = _services;
    const changed = (): void => this.stateChanged.emit();
    this._offered = this._offer();
    this._secrets = new Secrets(
      app.serviceManager.serverSettings.token,
      passwords
    );
    this._inside = makeToolContext({
      redact: this._secrets.redact,
      services: _services,
      clock: _page.clock,
      settings: () => this.settings,
      dialogsChanged: changed
    });
    this._calls = new Calls({
      context: this._inside.context,
      pending: this._inside.pending,
      slots: _page.slots,
      tools: () => this._offered.all,
      toJson
    });
    this._onTools();
    _page.settings.changed.connect(this._onTools, this);
    app.commands.commandChanged.connect(this._onCommand, this);
    new StateWatch(_services, changed);
  }

  get settings(): ISettings {
    return this._page.settings.current;
  }

  get clock(): IClock {
    return this._page.clock;
  }

  get kept(): IKept<IOrigin> {
    return this._inside.context.kept;
  }

  get redact(): Redact {
    return this._secrets.redact;
  }

  readonly toolsChanged = new Changes();
  readonly stateChanged = new Changes();

  tools(): readonly IDescribedTool[] {
    return this._offered.listed;
  }

  find(name: string): IDescribedTool | undefined {
    return this._offered.find(name);
  }

  rangeOf(tool: string): string | undefined {
    return this._offered.all.get(tool)?.range;
  }

  async call(tool: string, args: unknown, caller: ICaller): Promise<Outcome> {
    const outcome = await this._calls.call(tool, args, caller);
    if (
      outcome.kind === 'pending' ||
      this._offered.all.get(tool)?.scope === 'call'
    ) {
      this.stateChanged.emit();
    }
    return outcome;
  }

  describe(
    client: IClient
  ): Pick<ITabState, 'notebooks' | 'kernels' | 'dialogs' | 'pending'> {
    const { notebooks, kernels, dialogs, calls } = this._inside.context;
    return {
      notebooks: notebooks.open().map(notebook => ({
        path: notebook.path,
        dirty: notebook.dirty,
        shared: panelOf(notebook).model?.collaborative ?? false
      })),
      kernels: kernels.running().map(({ id }) => id),
      dialogs: dialogs.list().map(({ id }) => id),
      pending: calls.list(client).map(({ pendingId }) => pendingId)
    };
  }

  revived(): void {
    this._inside.context.kernels.renewConnections();
  }

  /** A tool of the person's own is there while its command is. */
  private _onCommand(
    _registry: unknown,
    { id, type }: { readonly id?: string; readonly type: string }
  ): void {
    if (
      (type === 'added' || type === 'removed') &&
      this.settings.tools.some(tool => tool.command === id)
    ) {
      this._onTools();
    }
  }

  private _onTools(): void {
    const before = JSON.stringify(this._offered.listed);
    this._offered = this._offer();
    const { clashes, refused, unknown, listed } = this._offered;
    const { trans } = this._services;
    const problems = [
      ...(clashes.length === 0
        ? []
        : [
            trans.__(
              'Settings, tools of your own: another tool has this name already, so they are not offered: %1.',
              clashes.join(', ')
            )
          ]),
      ...(refused.length === 0
        ? []
        : [
            trans.__(
              'Settings, tools of your own: their command is blocked or one of this extension, so they are not offered: %1.',
              refused.join(', ')
            )
          ]),
      ...(unknown.length === 0
        ? []
        : [
            trans.__(
              'Settings, disabled tools: there are none with these names, so this disables nothing: %1.',
              unknown.join(', ')
            )
          ])
    ];
    this._page.setProblem('own-tools', problems.join('\n') || null);
    if (JSON.stringify(listed) !== before) {
      this.toolsChanged.emit();
    }
  }

  private _offer(): IOfferedTools {
    return offeredTools(this.settings, id =>
      this._services.app.commands.hasCommand(id)
    );
  }

  private readonly _inside: IPageContext;
  private readonly _calls: Calls;
  private readonly _secrets: Secrets;
  private _offered: IOfferedTools;
}
