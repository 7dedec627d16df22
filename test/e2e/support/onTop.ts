import { delimiter, join } from 'node:path';
import type { ILabOptions } from './lab';
import { ROOT } from './processes';

const VENV = join(ROOT, '.venv');

/** The root of an environment that `npm test` makes on top of `.venv`. */
export const onTopOf = (name: string): string =>
  join(ROOT, '.cache', `venv-${name}`);

/**
 * JupyterLab of an environment on top of `.venv`, whose JupyterLab,
 * labextensions and settings it takes.
 */
function onTop(name: string): ILabOptions {
  const own = onTopOf(name);
  const under = (...parts: string[]) =>
    [own, VENV].map(venv => join(venv, ...parts)).join(delimiter);
  return {
    python: join(own, 'bin', 'python'),
    env: {
      JUPYTER_PATH: under('share', 'jupyter'),
      JUPYTER_CONFIG_PATH: under('etc', 'jupyter'),
      JUPYTERLAB_DIR: join(own, 'share', 'jupyter', 'lab')
    }
  };
}

/** With jupyter-collaboration. */
export const COLLABORATIVE: ILabOptions = onTop('rtc');

/** Notebook 7 in place of JupyterLab. */
export const NOTEBOOK7: ILabOptions = {
  ...onTop('frontends'),
  program: { module: 'notebook', app: 'JupyterNotebookApp' }
};
