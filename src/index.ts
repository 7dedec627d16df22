import type {
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { IConsoleTracker } from '@jupyterlab/console';
import { IDocumentManager } from '@jupyterlab/docmanager';
import { IDefaultFileBrowser } from '@jupyterlab/filebrowser';
import { IEditorTracker } from '@jupyterlab/fileeditor';
import { INotebookCellExecutor, INotebookTracker } from '@jupyterlab/notebook';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { IStatusBar } from '@jupyterlab/statusbar';
import { ITranslator, nullTranslator } from '@jupyterlab/translation';
import { AgentActivity } from './jupyter/activity';
import { WorkerClock } from './jupyter/clock';
import { BridgePage } from './jupyter/page';
import { SettingsSource } from './jupyter/settings';
import { IAgentActivity, IBridgePage } from './tokens';
import { StatusItem } from './ui/status';

export * from './tokens';

const PREFIX = 'jupyterlab-mcp-bridge-extension';
const DOMAIN = 'jupyterlab_mcp_bridge';

/** Settings, and what the other plugins share. */
const page: JupyterFrontEndPlugin<IBridgePage> = {
  id: `${PREFIX}:plugin`,
  description: 'Reads the settings and loads the tools when they are needed.',
  autoStart: true,
  provides: IBridgePage,
  optional: [
    ISettingRegistry,
    ITranslator,
    IDocumentManager,
    INotebookTracker,
    INotebookCellExecutor,
    IEditorTracker,
    IConsoleTracker,
    IDefaultFileBrowser
  ],
  activate: (
    app: JupyterFrontEnd,
    registry: ISettingRegistry | null,
    translator: ITranslator | null,
    documents: IDocumentManager | null,
    notebooks: INotebookTracker | null,
    executor: INotebookCellExecutor | null,
    editors: IEditorTracker | null,
    consoles: IConsoleTracker | null,
    fileBrowser: IDefaultFileBrowser | null
  ): IBridgePage => {
    const settings = new SettingsSource();
    const trans = (translator ?? nullTranslator).load(DOMAIN);
    return new BridgePage({
      settings,
      clock: new WorkerClock(),
      ready: settings.load(registry, page.id),
      load: async bridge => {
        const { createEngine } = await import('./jupyter/engine');
        return createEngine(bridge, {
          app,
          trans,
          documents,
          notebooks,
          executor,
          editors,
          consoles,
          fileBrowser
        });
      }
    });
  }
};

/** The way in for MCP clients outside the browser. */
const relay: JupyterFrontEndPlugin<IAgentActivity> = {
  id: `${PREFIX}:relay`,
  description: 'Connects this tab to the relay of its Jupyter server.',
  autoStart: true,
  provides: IAgentActivity,
  requires: [IBridgePage],
  activate: (app: JupyterFrontEnd, bridge: IBridgePage): IAgentActivity => {
    let connection: Promise<{ dispose(): void }> | undefined;
    const follow = (): void => {
      if (bridge.settings.current.bridge) {
        connection ??= import('./jupyter/connect').then(module =>
          module.connectRelay(app, bridge)
        );
      } else {
        void connection?.then(connected => connected.dispose());
        connection = undefined;
      }
    };
    void Promise.all([app.restored, bridge.ready]).then(() => {
      bridge.settings.changed.connect(follow);
      follow();
    });
    return new AgentActivity(bridge);
  }
};

/** Who is connected, at the bottom of the window. */
const status: JupyterFrontEndPlugin<void> = {
  id: `${PREFIX}:status`,
  description: 'Shows the connected agents in the status bar.',
  autoStart: true,
  requires: [IBridgePage],
  optional: [IStatusBar, ITranslator],
  activate: (
    _app: JupyterFrontEnd,
    bridge: IBridgePage,
    statusBar: IStatusBar | null,
    translator: ITranslator | null
  ): void => {
    if (statusBar) {
      const item = new StatusItem((translator ?? nullTranslator).load(DOMAIN));
      item.follow(bridge);
      statusBar.registerStatusItem(status.id, {
        item,
        align: 'right',
        rank: 20
      });
    }
  }
};

export default [page, relay, status];
