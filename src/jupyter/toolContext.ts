import { Dialog } from '@jupyterlab/apputils';
import { PageConfig } from '@jupyterlab/coreutils';
import type { DocumentRegistry } from '@jupyterlab/docregistry';
import { Changes } from '../calls/changes';
import { PendingCalls } from '../calls/pending';
import { Revisions, tabKey } from '../calls/revision';
import type { ISettings } from '../calls/settings';
import type { IClock } from '../calls/types';
import { DialogBook } from '../dialogs/book';
import { followDialogs } from '../dialogs/tracker';
import { Kept, type Redact } from '../results/index';
import type { IToolContext } from '../tools/context';
import { PromptBox } from '../ui/promptBox';
import { App } from './app';
import { KernelLoad, pageSessions } from './busy';
import { Commands } from './commands';
import { Files } from './contents';
import { Disk } from './disk';
import { Kernels } from './kernels';
import { KernelStatuses } from './kernelStatus';
import { Notebooks } from './notebooks';
import { panelOf, widgetOf } from './openNotebook';
import { PathHistory } from './pathHistory';
import { Pictures } from './pictures';
import { Rooms, roomTitles } from './rooms';
import { RunBook } from './runBook';
import { Runs } from './runs';
import type { IServices } from './services';

export interface IToolContextOptions {
  readonly services: IServices;
  readonly clock: IClock;
  readonly settings: () => ISettings;
  /** Replaces the secrets of this page. */
  readonly redact: Redact;
  /** Told when dialogs open and close. */
  readonly dialogsChanged: () => void;
}

/** What tools reach, and what stands behind it in this page. */
export interface IPageContext {
  readonly context: IToolContext;
  readonly pending: PendingCalls;
  dispose(): void;
}

/** Puts JupyterLab behind the interfaces that tools see. */
export function makeToolContext(options: IToolContextOptions): IPageContext {
  const { services, clock, settings, dialogsChanged } = options;
  const { app, notebooks: tracker, documents, executor, translator } = services;
  const { serviceManager: manager } = app;

  const rules = {
    allowHidden: PageConfig.getOption('allow_hidden_files') === 'true'
  };
  // Notebook 7 shows one document a page and opens others in new tabs.
  const oneDocument = services.labShell === null;
  // In the words of the page's language, as JupyterLab itself titles its dialogs.
  const trans = translator.load('jupyterlab');
  const titles = roomTitles(translator);
  const dialogs = new DialogBook({
    clock,
    firstId: firstId(),
    changed: dialogsChanged
  });
  const following = followDialogs({
    tracker: Dialog.tracker,
    book: dialogs,
    passwords: options.services.passwords,
    notices: new Set([trans.__('Kernel Restarting'), ...titles])
  });
  const rooms = new Rooms({
    dialogs: () => dialogs.list(),
    titles,
    documents: () => openDocuments(services)
  });
  const pending = new PendingCalls({
    clock,
    dialogs,
    firstId: firstId(),
    timeout: () => settings().executionTimeout * 1000,
    redact: options.redact
  });

  const book = new RunBook();
  const statuses = new KernelStatuses(() => manager.kernels.running());
  const load = new KernelLoad(book, tracker, statuses);
  const kernels = new Kernels({
    manager: manager.kernels,
    specs: manager.kernelspecs,
    sessions: () => pageSessions(app),
    load,
    statuses,
    book,
    box: new PromptBox(services.trans),
    clock
  });
  const { contents } = manager;
  const disk = new Disk(contents, clock);
  const history = new PathHistory(sessionStorage());
  history.follow(contents);
  const notebooks = new Notebooks({
    tracker,
    documents,
    services: manager,
    rules,
    oneDocument,
    disk,
    history,
    book,
    statuses,
    storage: window.sessionStorage,
    onLeave: leave => window.addEventListener('pagehide', leave),
    rooms
  });
  const runs = new Runs({
    executor,
    book,
    clock,
    locate: (notebook, cellId) => ({
      panel: panelOf(notebook),
      cell: widgetOf(notebook, cellId)
    }),
    panel: panelOf,
    specs: () => kernels.specs(),
    load,
    refreshSessions: () => manager.sessions.refreshRunning()
  });

  const context: IToolContext = {
    // Read at each use: they change while calls run.
    get settings() {
      return settings();
    },
    clock,
    app: new App({
      app,
      notebooks,
      documents,
      disk,
      statuses,
      tracker,
      editors: services.editors,
      consoles: services.consoles,
      fileBrowser: services.fileBrowser,
      redact: options.redact
    }),
    commands: new Commands(app.commands),
    contents: new Files({
      app,
      contents,
      specs: manager.kernelspecs,
      documents,
      rules,
      oneDocument,
      rooms,
      disk,
      history,
      clock
    }),
    kernels,
    notebooks,
    runs,
    calls: pending,
    dialogs,
    revisions: new Revisions(
      tabKey(sessionStorage(), bytes => crypto.getRandomValues(bytes))
    ),
    changes: new Changes(firstId()),
    kept: new Kept({
      now: () => clock.now(),
      random: Math.random,
      redact: options.redact
    }),
    pictures: new Pictures(),
    redact: options.redact
  };
  return {
    context,
    pending,
    dispose: () => {
      following.dispose();
      notebooks.dispose();
      history.unfollow(contents);
      pending.dispose();
      kernels.dispose();
    }
  };
}

function* openDocuments({
  app,
  documents
}: IServices): Iterable<DocumentRegistry.Context> {
  for (const widget of app.shell.widgets('main')) {
    const context = documents?.contextForWidget(widget);
    if (context) {
      yield context;
    }
  }
}

/** Ids of another tab, or of before a reload, find nothing. */
function firstId(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] % 1e9;
}

function sessionStorage(): Storage | undefined {
  try {
    return window.sessionStorage;
  } catch {
    return undefined;
  }
}
