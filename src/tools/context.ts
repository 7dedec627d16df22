import type { IClock, IOrigin } from '../calls/types';
import type { IChanges } from '../calls/changes';
import type { ICallsView } from '../calls/callsView';
import type { IRevisions } from '../calls/revision';
import type { ISettings } from '../calls/settings';
import type { IDialogs } from '../dialogs/types';
import type { IPictures } from '../jupyter/pictureTypes';
import type { IApp, ICommands, IContents, IKernels } from '../jupyter/types';
import type { INotebooks } from '../jupyter/notebookTypes';
import type { IRuns } from '../jupyter/runTypes';
import type { IKept, Redact } from '../results/index';

/**
 * Everything a tool may reach. Only what a tool uses is listed here, and each
 * part is a narrow interface, so that a test's fake stays a few lines long.
 */
export interface IToolContext {
  readonly clock: IClock;
  readonly settings: ISettings;
  readonly app: IApp;
  readonly commands: ICommands;
  readonly contents: IContents;
  readonly kernels: IKernels;
  readonly notebooks: INotebooks;
  readonly runs: IRuns;
  readonly calls: ICallsView;
  readonly dialogs: IDialogs;
  readonly revisions: IRevisions;
  readonly changes: IChanges;
  readonly kept: IKept<IOrigin>;
  readonly pictures: IPictures;
  /** A text as agents are shown it: without the secrets of this page. */
  readonly redact: Redact;
}
