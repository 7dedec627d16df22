import { spawnSync } from 'node:child_process';
import { Trouble } from './trouble.mjs';

/** JupyterLab 4.6 asks for this one. */
const OLDEST = [3, 10];

const PROBE =
  'import sys; print("%d.%d" % sys.version_info[:2]); import venv, ensurepip; print(sys.executable)';

/**
 * The person's Python: $PYTHON, else the first on the path that is new
 * enough and can make a virtual environment.
 */
export function findPython() {
  const names = process.env.PYTHON
    ? [process.env.PYTHON]
    : ['python3', 'python', '3.14', '3.13', '3.12', '3.11', '3.10'].map(name =>
        name.startsWith('p') ? name : `python${name}`
      );
  const seen = [];
  for (const name of names) {
    const probe = spawnSync(name, ['-c', PROBE], { encoding: 'utf8' });
    const [version, executable] = (probe.stdout ?? '').trim().split(/\r?\n/);
    if (!version) {
      continue;
    }
    const [major, minor] = version.split('.').map(Number);
    if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
      seen.push(`${name} is ${version}, which is too old`);
    } else if (probe.status !== 0) {
      seen.push(
        `${name} (${version}) cannot make virtual environments (on Debian and Ubuntu: apt install python3-venv)`
      );
    } else {
      return { executable, version };
    }
  }
  const found = seen.length > 0 ? ` Found: ${seen.join('; ')}.` : '';
  throw new Trouble(
    `JupyterLab needs Python ${OLDEST.join('.')} or newer, with its venv module.${found} Install one, or set PYTHON to its path, and start again.`
  );
}
