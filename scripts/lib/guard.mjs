/**
 * Runs one command in a process group of its own and ends it, with all that
 * it started, as soon as the process that asked for it is gone or says so.
 *
 *   node guard.mjs GRACE_MS COMMAND [ARGUMENT…]
 *
 * The IPC channel to that process is the lifeline: the operating system
 * closes it however that process ends, by SIGKILL too.
 */
import { spawn, spawnSync } from 'node:child_process';
import { endFamily, family } from './family.mjs';

const [, , graceMs, command, ...args] = process.argv;
const windows = process.platform === 'win32';
const child = spawn(command, args, { stdio: 'inherit', detached: !windows });
let ending = false;

function end() {
  if (ending || child.pid === undefined) {
    return;
  }
  ending = true;
  if (windows) {
    spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F']);
    return;
  }
  // Noted before anything ends: later nobody can tell whose children they were.
  let members = family(child.pid);
  signal(-child.pid, 'SIGTERM');
  const grace = setTimeout(() => {
    members = [...members, ...family(child.pid)];
    endFamily(members);
    signal(-child.pid, 'SIGKILL');
  }, Number(graceMs));
  child.once('exit', () => {
    clearTimeout(grace);
    endFamily(members);
    signal(-child.pid, 'SIGKILL');
  });
}

function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // Already gone.
  }
}

process.on('disconnect', end);
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(name, end);
}
child.once('error', reason => {
  console.error(`${command}: ${reason.message}`);
  process.exit(127);
});
child.once('exit', (code, signalName) => {
  process.exitCode = code ?? (signalName ? 143 : 1);
  if (process.connected) {
    process.disconnect();
  }
});
