import {
  ILabShell,
  type JupyterFrontEnd,
  type JupyterFrontEndPlugin
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
import { PasswordFields } from './dialogs/passwords';
import toolCommands from './generated/commands.json';
import { WorkerClock } from './jupyter/clock';
import { BridgePage } from './jupyter/page';
import { SettingsSource } from './jupyter/settings';
import { registerToolCommands } from './jupyter/toolCommands';
import { IAgentActivity, IBridgePage } from './tokens';
import { tellFaults } from './ui/settingsText';
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
    ILabShell,
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
    labShell: ILabShell | null,
    documents: IDocumentManager | null,
    notebooks: INotebookTracker | null,
    executor: INotebookCellExecutor | null,
    editors: IEditorTracker | null,
    consoles: IConsoleTracker | null,
    fileBrowser: IDefaultFileBrowser | null
  ): IBridgePage => {
    const settings = new SettingsSource();
    // What is typed before the tools are loaded is as secret as all else.
    const passwords = new PasswordFields();
    passwords.watch(document);
    const words = translator ?? nullTranslator;
    const trans = words.load(DOMAIN);
    const bridge = new BridgePage({
      settings,
      clock: new WorkerClock(),
      ready: settings.load(registry, page.id),
      loadFailed: trans.__(
        'The tools for agents could not be loaded. Reload this page.'
      ),
      load: async bridge => {
        const { createEngine } = await import('./jupyter/engine');
        return createEngine(bridge, {
          app,
          translator: words,
          trans,
          labShell,
          documents,
          notebooks,
          executor,
          editors,
          consoles,
          fileBrowser,
          passwords
        });
      }
    });
    tellFaults(bridge, trans);
    return bridge;
  }
};

/** What the tools run through. */
const commands: JupyterFrontEndPlugin<void> = {
  id: `${PREFIX}:commands`,
  description: 'Registers the commands that the tools run.',
  autoStart: true,
  requires: [IBridgePage],
  activate: (app: JupyterFrontEnd, bridge: IBridgePage): void => {
    registerToolCommands(
      app.commands,
      toolCommands,
      bridge.slots,
      async name => {
        const { schemaOf } = await import('./jupyter/schemas');
        return schemaOf(name);
      }
    );
  }
};

/** The tools for agents in the browser. */
const webMcp: JupyterFrontEndPlugin<void> = {
  id: `${PREFIX}:webmcp`,
  description: 'Offers the tools to agents in the browser (WebMCP).',
  autoStart: true,
  requires: [IBridgePage],
  optional: [ITranslator],
  activate: (
    app: JupyterFrontEnd,
    bridge: IBridgePage,
    translator: ITranslator | null
  ): void => {
    // Without the API nothing is loaded, let alone registered.
    if ('modelContext' in document) {
      const trans = (translator ?? nullTranslator).load(DOMAIN);
      const start = (): void => {
        if (bridge.settings.current.webmcp !== 'off') {
          bridge.settings.changed.disconnect(start);
          void import('./jupyter/webMcp').then(module =>
            module.offerTools(bridge, trans)
          );
        }
      };
      void Promise.all([app.restored, bridge.ready]).then(() => {
        bridge.settings.changed.connect(start);
        start();
      });
    }
  }
};

/** The way in for a page that shows this one, or opened it. */
const hostPages: JupyterFrontEndPlugin<void> = {
  id: `${PREFIX}:host-pages`,
  description: 'Speaks MCP with the host pages that the settings name.',
  autoStart: true,
  requires: [IBridgePage],
  activate: (app: JupyterFrontEnd, bridge: IBridgePage): void => {
    const start = (): void => {
      if (bridge.settings.current.postMessageOrigins.length > 0) {
        bridge.settings.changed.disconnect(start);
        void import('./jupyter/hostPages').then(module =>
          module.serveHostPages(bridge)
        );
      }
    };
    void Promise.all([app.restored, bridge.ready]).then(() => {
      bridge.settings.changed.connect(start);
      start();
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
    if (app.name === 'JupyterLite') {
      // No server, no relay; a try would only leave errors in the console.
      bridge.setRelay('absent');
    } else {
      void Promise.all([app.restored, bridge.ready]).then(() => {
        bridge.settings.changed.connect(follow);
        follow();
      });
    }
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

export default [page, commands, relay, webMcp, hostPages, status];
