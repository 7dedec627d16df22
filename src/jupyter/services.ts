import type { ILabShell, JupyterFrontEnd } from '@jupyterlab/application';
import type { IConsoleTracker } from '@jupyterlab/console';
import type { IDocumentManager } from '@jupyterlab/docmanager';
import type { IDefaultFileBrowser } from '@jupyterlab/filebrowser';
import type { IEditorTracker } from '@jupyterlab/fileeditor';
import type {
  INotebookCellExecutor,
  INotebookTracker
} from '@jupyterlab/notebook';
import type { ITranslator, TranslationBundle } from '@jupyterlab/translation';
import type { PasswordFields } from '../dialogs/passwords';

/**
 * What the application offers. All but the application itself can be missing:
 * a Notebook page has one document, JupyterLite no server.
 */
export interface IServices {
  readonly app: JupyterFrontEnd;
  readonly translator: ITranslator;
  /** This extension's own texts. */
  readonly trans: TranslationBundle;
  /** null where a page shows one document. */
  readonly labShell: ILabShell | null;
  readonly documents: IDocumentManager | null;
  readonly notebooks: INotebookTracker | null;
  readonly executor: INotebookCellExecutor | null;
  readonly editors: IEditorTracker | null;
  readonly consoles: IConsoleTracker | null;
  readonly fileBrowser: IDefaultFileBrowser | null;
  /** Which fields of the page hold passwords; watched from the start of the page. */
  readonly passwords: PasswordFields;
}
