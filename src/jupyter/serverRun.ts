import type { CodeCell } from '@jupyterlab/cells';
import type { IClock } from '../calls/types';
import { fromReply } from './runResult';
import type { IRunResult } from './types';

/** How long the last of what a run wrote may be on its way to the page. */
const ARRIVES_MS = 1000;

/**
 * The result of a run that the page sent to no kernel: an executor had the
 * server run the cell, and what it printed came with the shared document.
 * All there is to tell how it ended is in the cell then.
 *
 * @param success - what the executor said; of code that raised it says that
 * it ran.
 * @returns undefined where the cell went meanwhile.
 */
export async function fromServer(
  cell: CodeCell,
  success: boolean,
  clock: IClock
): Promise<IRunResult | undefined> {
  const { model } = cell;
  if (success && model.executionState === 'running') {
    await idle(cell, clock);
  }
  if (cell.isDisposed) {
    return undefined;
  }
  const outputs = model.outputs.toJSON();
  const error = outputs.find(output => output.output_type === 'error');
  if (!success && !error) {
    return {
      status: 'error',
      executionCount: null,
      outputs,
      errorName: 'NotRun',
      errorValue:
        'this JupyterLab has its server run the cells, and the server did not run this one; its log says why',
      traceback: []
    };
  }
  return fromReply(
    {
      ...error,
      status: error ? 'error' : 'ok',
      execution_count: model.executionCount
    },
    outputs
  );
}

function idle({ model, disposed }: CodeCell, clock: IClock): Promise<void> {
  return new Promise(resolve => {
    const end = (): void => {
      model.stateChanged.disconnect(onState);
      disposed.disconnect(end);
      timer.dispose();
      resolve();
    };
    const onState = (): void => {
      if (model.executionState !== 'running') {
        end();
      }
    };
    const timer = clock.after(ARRIVES_MS, end);
    model.stateChanged.connect(onState);
    disposed.connect(end);
  });
}
