import { delimiter, join } from 'node:path';
import type { ILabOptions } from './lab';
import { ROOT } from './processes';

const VENV = join(ROOT, '.venv');
const RTC = join(ROOT, '.cache', 'venv-rtc');

/**
 * JupyterLab with jupyter-collaboration: an environment of its own on top of
 * `.venv`, whose JupyterLab, labextensions and settings it takes.
 */
export function collaborative(options: ILabOptions = {}): ILabOptions {
  return {
    ...options,
    python: join(RTC, 'bin', 'python'),
    env: {
      JUPYTER_PATH: [RTC, VENV]
        .map(venv => join(venv, 'share', 'jupyter'))
        .join(delimiter),
      JUPYTER_CONFIG_PATH: join(VENV, 'etc', 'jupyter'),
      JUPYTERLAB_DIR: join(VENV, 'share', 'jupyter', 'lab'),
      ...options.env
    }
  };
}
