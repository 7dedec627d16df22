import {
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync
} from 'node:fs';
import { join } from 'node:path';
import {
  BRIDGE_CLI,
  CACHE,
  ON_TOP,
  ROOT,
  VENV,
  VENV_PYTHON
} from './paths.mjs';
import { environment, npm, run } from './processes.mjs';
import { findPython } from './python.mjs';
import { digest, whenChanged } from './stamps.mjs';
import { Trouble } from './trouble.mjs';

const OFFLINE =
  'A package could not be installed. Is there a network, and does it reach the package registry? The lines above say what was asked for. Then start again: what is done is not done twice.';

const NODE = 20;

/** Ends with a sentence on a Node that is too old for the packages. */
export function needNode() {
  if (Number(process.versions.node.split('.')[0]) < NODE) {
    throw new Trouble(
      `Node ${NODE} or newer is needed; this is ${process.versions.node}. Install one from nodejs.org or with your package manager and start again.`
    );
  }
}

/** Whether node_modules holds what the lock file asks for. */
function packagesMatch() {
  const hidden = join(ROOT, 'node_modules', '.package-lock.json');
  if (!existsSync(hidden)) {
    return false;
  }
  const wanted = JSON.parse(
    readFileSync(join(ROOT, 'package-lock.json'), 'utf8')
  ).packages;
  const there = JSON.parse(readFileSync(hidden, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, entry]) =>
      !path.includes('node_modules/') ||
      entry.optional === true ||
      entry.link === true ||
      (there[path]?.version === entry.version &&
        existsSync(join(ROOT, path, 'package.json')))
  );
}

async function installPackages(say) {
  if (packagesMatch()) {
    return;
  }
  say('Installing the npm packages (about a minute) …');
  await npm(['ci', '--no-audit', '--no-fund'], { failure: OFFLINE });
}

const pip = (python, ...args) =>
  run(python, ['-m', 'pip', '--disable-pip-version-check', ...args], {
    failure: OFFLINE
  });

async function installPython(say, requirements) {
  const python = findPython();
  await whenChanged('venv', python.version, [VENV_PYTHON], async () => {
    if (existsSync(VENV_PYTHON)) {
      const version = await run(VENV_PYTHON, [
        '-c',
        'import sys; print("%d.%d" % sys.version_info[:2])'
      ]).catch(() => '');
      if (version.trim() === python.version) {
        return;
      }
    }
    say('Making .venv …');
    rmSync(VENV, { recursive: true, force: true });
    await run(python.executable, ['-m', 'venv', VENV], {
      failure: `Python ${python.version} could not make a virtual environment in ${VENV}. On Debian and Ubuntu: apt install python3-venv.`
    });
  });
  for (const name of requirements) {
    const file = join('scripts', `${name}.txt`);
    await whenChanged(
      name,
      digest([file], python.version),
      [VENV_PYTHON],
      async () => {
        say(`Installing ${file} into .venv …`);
        await pip(VENV_PYTHON, 'install', '--quiet', '-r', file);
      }
    );
  }
}

const sitePackages = async python =>
  (
    await run(python, [
      '-c',
      'import sysconfig; print(sysconfig.get_path("purelib"))'
    ])
  ).trim();

/**
 * Makes the environments that only tests need, each on top of .venv, after
 * `install`: all else comes from there, and .venv stays without.
 */
export async function installOnTop(say) {
  for (const [name, { venv, python }] of Object.entries(ON_TOP)) {
    const file = join('scripts', `requirements-${name}.txt`);
    const state = digest(
      [file, join('scripts', 'requirements.txt')],
      readFileSync(join(VENV, 'pyvenv.cfg'), 'utf8')
    );
    await whenChanged(`requirements-${name}`, state, [python], async () => {
      say(`Installing ${file} on top of .venv …`);
      rmSync(venv, { recursive: true, force: true });
      await run(VENV_PYTHON, ['-m', 'venv', venv]);
      writeFileSync(
        join(await sitePackages(python), 'on-top-of.pth'),
        `${await sitePackages(VENV_PYTHON)}\n`
      );
      await pip(python, 'install', '--quiet', '-r', file);
      // JupyterLab's own pages and schemas beside those that came in.
      const lab = join('share', 'jupyter', 'lab');
      cpSync(join(VENV, lab), join(venv, lab), { recursive: true });
    });
  }
}

/** What the wheel is made of. */
const EXTENSION = [
  'src',
  'protocol',
  'schema',
  'style',
  'jupyterlab_mcp_bridge',
  'jupyter-config',
  'install.json',
  'pyproject.toml',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
  'README.md',
  'LICENSE'
];

export const WHEELS = join(CACHE, 'wheel');

/** Builds the labextension, packs the wheel, and puts it into .venv. */
async function buildExtension(say) {
  const state = digest(EXTENSION);
  const built = join(
    ROOT,
    'jupyterlab_mcp_bridge',
    'labextension',
    'package.json'
  );
  await whenChanged('extension', state, [built], async () => {
    say('Building the JupyterLab extension …');
    await npm(['run', 'build:prod'], {
      failure: 'The JupyterLab extension could not be built.'
    });
  });
  await whenChanged('wheel', state, [WHEELS], async () => {
    say('Packing the wheel …');
    rmSync(WHEELS, { recursive: true, force: true });
    await run(
      VENV_PYTHON,
      ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--no-build-isolation']
        // The extension is built already, and again only when it changed.
        .concat(['--wheel-dir', WHEELS, '.']),
      {
        env: environment({ HATCH_JUPYTER_BUILDER_SKIP_NPM: '1' }),
        failure: 'The wheel could not be packed.'
      }
    );
  });
  const wheel = join(WHEELS, findWheel());
  const installed = digest(
    [],
    `${state} ${readFileSync(join(VENV, 'pyvenv.cfg'), 'utf8')}`
  );
  const there = join(
    VENV,
    'share/jupyter/labextensions/jupyterlab-mcp-bridge-extension/package.json'
  );
  await whenChanged('installed', installed, [there], () =>
    pip(
      VENV_PYTHON,
      'install',
      '--quiet',
      '--no-deps',
      '--force-reinstall',
      wheel
    )
  );
}

function findWheel() {
  const wheels = readdirSync(WHEELS).filter(name => name.endsWith('.whl'));
  if (wheels.length !== 1) {
    throw new Trouble(`One wheel was to be in ${WHEELS}: ${wheels.join(', ')}`);
  }
  return wheels[0];
}

async function buildBridge(say) {
  await whenChanged(
    'bridge',
    digest([
      'bridge/src',
      'bridge/package.json',
      'protocol',
      'package-lock.json'
    ]),
    [BRIDGE_CLI],
    async () => {
      say('Building the bridge …');
      await npm(['run', 'build:bridge'], {
        failure: 'The bridge could not be built.'
      });
    }
  );
}

/**
 * Installs what is missing: the npm packages, .venv with JupyterLab and the
 * named lists of scripts/NAME.txt. A second time only what changed.
 */
export async function install(say, requirements = ['requirements']) {
  needNode();
  await installPython(say, requirements);
  await installPackages(say);
}

/** Builds the extension and the bridge, and puts the wheel into .venv. */
export async function build(say) {
  await buildExtension(say);
  await buildBridge(say);
}

/** The path of the packed wheel, after `build`. */
export function wheelPath() {
  return join(WHEELS, findWheel());
}
