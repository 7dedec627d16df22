import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE, ROOT, VENV_PYTHON } from './paths.mjs';
import { environment, start } from './processes.mjs';

const REPORTS = join(CACHE, 'reports');

/** A stage that takes longer hangs; the others are to be seen all the same. */
const LIMIT_MINUTES = process.env.CI ? 25 : 60;

async function shown(command, args, env = {}) {
  const job = start(command, args, { env: environment(env) });
  const limit = setTimeout(() => {
    console.log(`Ended after ${LIMIT_MINUTES} minutes.`);
    void job.end();
  }, LIMIT_MINUTES * 60_000);
  const code = await job.done;
  clearTimeout(limit);
  return code;
}

/** A command whose exit code is the whole result: one check. */
export async function check(...args) {
  const npm = process.env.npm_execpath;
  const code = await (npm !== undefined && /npm-cli\.c?js$/.test(npm)
    ? shown(process.execPath, [npm, 'run', '--silent', ...args])
    : shown('npm', ['run', '--silent', ...args]));
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/**
 * What a test runner reports. A runner that ended badly without a failed
 * test, or that ran no test at all, has failed once.
 */
function counted(code, passed, failed) {
  const silent = failed === 0 && (code !== 0 || passed === 0);
  if (silent) {
    console.log(
      passed === 0 ? 'No test ran.' : `The test runner ended with ${code}.`
    );
  }
  return { passed, failed: failed + (silent ? 1 : 0) };
}

function freshReport(name) {
  mkdirSync(REPORTS, { recursive: true });
  const path = join(REPORTS, name);
  rmSync(path, { force: true });
  return path;
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Projects of jest.config.js, in one process where `args` say so. */
export async function jest(projects, args = [], env = {}) {
  const report = freshReport(`jest-${projects.join('-')}.json`);
  const code = await shown(
    process.execPath,
    [
      join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js'),
      '--selectProjects',
      ...projects,
      '--json',
      `--outputFile=${report}`,
      // JupyterLab's own packages fill pages with warnings; failures are shown.
      '--silent',
      ...args
    ],
    env
  );
  const text = read(report);
  const result = text === '' ? {} : JSON.parse(text);
  return counted(
    code,
    result.numPassedTests ?? 0,
    (result.numFailedTests ?? 0) + (result.numRuntimeErrorTestSuites ?? 0)
  );
}

/** The Python tests, where pyproject.toml says they are. */
export async function pytest() {
  const report = freshReport('pytest.xml');
  const code = await shown(VENV_PYTHON, [
    '-m',
    'pytest',
    '-q',
    `--junitxml=${report}`
  ]);
  const text = read(report);
  const number = name =>
    Number(
      new RegExp(`<testsuite [^>]*\\b${name}="(\\d+)"`).exec(text)?.[1] ?? 0
    );
  const failed = number('errors') + number('failures');
  return counted(code, number('tests') - number('skipped') - failed, failed);
}
