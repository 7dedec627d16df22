import type { CodeCell } from '@jupyterlab/cells';
import type { Notebook } from '@jupyterlab/notebook';

type Shows = (cell: CodeCell) => boolean;

/** What a notebook does when a cell that is out of view asks for input. */
const ON_INPUT = '_onInputRequested';

/**
 * Keeps a notebook where the person scrolled it to when a cell asks for input
 * that another than the person runs. Dispose it when the run has ended.
 *
 * @param shows - whether a cell shows the run.
 */
export function stillScroll(
  notebook: Notebook,
  shows: Shows
): { dispose(): void } {
  const runs = still.get(notebook) ?? new Set();
  still.set(notebook, runs.add(shows));
  const scroll: unknown = Reflect.get(notebook, ON_INPUT);
  if (runs.size === 1 && typeof scroll === 'function') {
    Reflect.set(notebook, ON_INPUT, async (asking: CodeCell) => {
      if (![...runs].some(each => each(asking))) {
        await Reflect.apply(scroll, notebook, [asking]);
      }
    });
  }
  return {
    dispose: () => {
      if (runs.delete(shows) && runs.size === 0) {
        Reflect.deleteProperty(notebook, ON_INPUT);
      }
    }
  };
}

const still = new WeakMap<Notebook, Set<Shows>>();
