import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT, VENV_BIN } from './paths.mjs';
import { Trouble } from './trouble.mjs';

const GUARD = join(ROOT, 'scripts', 'lib', 'guard.mjs');
const running = new Set();

/** The environment that builds and servers run in: the venv's programs first. */
export function environment(extra = {}) {
  const separator = process.platform === 'win32' ? ';' : ':';
  const env = { ...process.env, ...extra };
  // A person's active venv must not reach into ours.
  delete env.VIRTUAL_ENV;
  delete env.PYTHONHOME;
  env.PATH = `${VENV_BIN}${separator}${process.env.PATH ?? ''}`;
  return env;
}

/**
 * Starts a command that never outlives this process.
 *
 * Returns its output streams (for those given as 'pipe'), `done` (its exit
 * code), and `end()`, which asks it to end, waits `grace` milliseconds, and
 * then ends it and all that it started.
 */
export function start(command, args, options = {}) {
  const { cwd = ROOT, env = environment(), stdio = 'inherit' } = options;
  const grace = options.grace ?? 8000;
  const guard = spawn(
    process.execPath,
    [GUARD, String(grace), command, ...args],
    {
      cwd,
      env,
      stdio: ['ignore', stdio, stdio, 'ipc'],
      // Ctrl-C in a terminal goes to us alone, and we end the rest in order.
      detached: process.platform !== 'win32'
    }
  );
  const done = new Promise(resolve => {
    // What was written last is read in the next turns.
    guard.once('exit', code => setTimeout(() => resolve(code ?? 1), 50));
    guard.once('error', () => resolve(127));
  });
  const job = {
    stdout: guard.stdout,
    stderr: guard.stderr,
    done,
    end: () => {
      if (guard.connected) {
        guard.disconnect();
      }
      return done;
    }
  };
  running.add(job);
  void done.then(() => running.delete(job));
  return job;
}

/** Ends everything that `start` started and that still runs. */
export async function endAll() {
  await Promise.all([...running].map(job => job.end()));
}

/** Runs a command to its end; its output is shown only when it fails. */
export async function run(command, args, options = {}) {
  const job = start(command, args, { ...options, stdio: 'pipe' });
  let output = '';
  for (const stream of [job.stdout, job.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', text => {
      output += text;
    });
  }
  const code = await job.done;
  if (code !== 0) {
    const tail = output.trimEnd().split('\n').slice(-40).join('\n');
    throw new Trouble(
      `${tail}\n\n${options.failure ?? `This failed: ${command} ${args.join(' ')}`}`
    );
  }
  return output;
}

/** The npm that runs us, else the one on the path. */
export function npm(args, options = {}) {
  const script = process.env.npm_execpath;
  if (script !== undefined && /npm-cli\.c?js$/.test(script)) {
    return run(process.execPath, [script, ...args], options);
  }
  return process.platform === 'win32'
    ? run('cmd', ['/c', 'npm', ...args], options)
    : run('npm', args, options);
}

/**
 * Calls `stop` once when a person, the system or the end of our parent ends
 * us. No event tells of a parent's end, so that is looked at once a second.
 */
export function onEnd(stop) {
  let asked = false;
  const once = reason => {
    if (!asked) {
      asked = true;
      stop(reason);
    }
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(name, () => once(name));
  }
  const parent = process.ppid;
  if (parent > 1) {
    setInterval(() => {
      if (process.ppid !== parent) {
        once('parent');
      }
    }, 1000).unref();
  }
}
