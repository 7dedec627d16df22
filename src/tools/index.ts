import { cellTools } from './cells';
import { commandTools } from './commands';
import type { AnyTool } from './define';
import { dialogTools } from './dialogs';
import { fileTools } from './files';
import { notebookTools } from './notebooks';
import { pageTools } from './page';
import { kernelTools } from './kernels';
import { pictureTools } from './pictures';
import { resultTools } from './results';
import { runningTools } from './running';
import { waitingTools } from './waiting';

/** Every tool of the tab, sorted by name: the table. */
export const TOOLS: readonly AnyTool[] = [
  ...cellTools,
  ...commandTools,
  ...dialogTools,
  ...fileTools,
  ...notebookTools,
  ...pageTools,
  ...kernelTools,
  ...pictureTools,
  ...resultTools,
  ...runningTools,
  ...waitingTools
].sort((a, b) => (a.name < b.name ? -1 : 1));

/** The same by name. */
export const toolByName: ReadonlyMap<string, AnyTool> = new Map(
  TOOLS.map(tool => [tool.name, tool])
);
