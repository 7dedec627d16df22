import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE, ROOT, VENV_PYTHON } from './paths.mjs';
import { environment, start } from './processes.mjs';

const REPORTS = join(CACHE, 'reports');

/** A stage that takes longer hangs; the others are to be seen all the same. */
const LIMIT_MINUTES = process.env.CI ? 25 : 60;

/** What a stage has to say: at once, or when it has ended. */
export class Voice {
  constructor(live) {
    this.live = live;
    this._kept = [];
  }

  say = text => {
    if (this.live) {
      console.log(text);
    } else {
      this._kept.push(text, '\n');
    }
  };

  /** Listens to a program whose output is not shown at once. */
  hear(job) {
    for (const stream of [job.stdout, job.stderr]) {
      stream?.setEncoding('utf8').on('data', text => this._kept.push(text));
    }
  }

  /** Shows what was kept. */
  end() {
    process.stdout.write(this._kept.join(''));
    this._kept = [];
  }
}

async function shown(voice, command, args, env = {}) {
  const job = start(command, args, {
    env: environment(env),
    stdio: voice.live ? 'inherit' : 'pipe'
  });
  voice.hear(job);
  const limit = setTimeout(() => {
    voice.say(`Ended after ${LIMIT_MINUTES} minutes.`);
    void job.end();
  }, LIMIT_MINUTES * 60_000);
  const code = await job.done;
  clearTimeout(limit);
  return code;
}

/** A command whose exit code is the whole result: one check. */
export async function check(voice, ...args) {
  const npm = process.env.npm_execpath;
  const code = await (npm !== undefined && /npm-cli\.c?js$/.test(npm)
    ? shown(voice, process.execPath, [npm, 'run', '--silent', ...args])
    : shown(voice, 'npm', ['run', '--silent', ...args]));
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/**
 * What a test runner reports. A runner that ended badly without a failed
 * test, or that ran no test at all, has failed once.
 */
function counted(voice, code, passed, failed) {
  const silent = failed === 0 && (code !== 0 || passed === 0);
  if (silent) {
    voice.say(
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

/** Runs a project of jest.config.js: its exit code and what it reports. */
async function runJest(voice, project, args, env) {
  const path = freshReport(`jest-${project}.json`);
  const code = await shown(
    voice,
    process.execPath,
    [
      join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js'),
      ...args,
      '--selectProjects',
      project,
      '--json',
      `--outputFile=${path}`,
      // JupyterLab's own packages fill pages with warnings; failures are shown.
      '--silent'
    ],
    env
  );
  const text = read(path);
  const result = text === '' ? {} : JSON.parse(text);
  return {
    code,
    passed: result.numPassedTests ?? 0,
    failed:
      (result.numFailedTests ?? 0) + (result.numRuntimeErrorTestSuites ?? 0),
    files: result.testResults ?? []
  };
}

/** A project of jest.config.js. */
export async function jest(voice, project, args = [], env = {}) {
  const { code, passed, failed } = await runJest(voice, project, args, env);
  return counted(voice, code, passed, failed);
}

const failures = files =>
  files.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed')
  );

/**
 * A project whose tests drive a browser, a server and kernels, where time is
 * real. A file that fails is run once more, alone: what fails again has
 * failed, what passes then is named, so that nobody takes it for steady.
 */
export async function steadyJest(voice, project, args = [], env = {}) {
  const first = await runJest(voice, project, args, env);
  const bad = first.files.filter(({ status }) => status === 'failed');
  if (first.code === 0 || bad.length === 0) {
    return counted(voice, first.code, first.passed, first.failed);
  }
  voice.say('Once more, what failed:');
  const second = await runJest(
    voice,
    project,
    [...bad.map(({ name }) => name), '--runInBand'],
    env
  );
  for (const { fullName } of failures(bad)) {
    voice.say(`   failed at first: ${fullName}`);
  }
  const passedInBad = bad
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed').length;
  return counted(
    voice,
    second.code,
    first.passed - passedInBad + second.passed,
    second.failed
  );
}

/** The Python tests, where pyproject.toml says they are. */
export async function pytest(voice) {
  const report = freshReport('pytest.xml');
  const code = await shown(voice, VENV_PYTHON, [
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
  return counted(
    voice,
    code,
    number('tests') - number('skipped') - failed,
    failed
  );
}
