import { fork, spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

/** The clone's root folder. */
export const ROOT = join(__dirname, '..', '..', '..');

const GUARD = join(ROOT, 'scripts', 'lib', 'guard.mjs');

/** Resolves after `ms` milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms));
}

/** A program that ends with the test, however the test ends. */
export interface IProgram {
  /** All it wrote so far, both streams. */
  output(): string;
  /** Resolves when the output matches; rejects with it when the program ends before. */
  until(pattern: RegExp): Promise<RegExpMatchArray>;
  readonly ended: Promise<number>;
  /** SIGTERM, then SIGKILL, to it and all that it started. */
  end(): Promise<void>;
}

/** Starts a program under the same guard that `npm start` uses. */
export function startProgram(
  command: string,
  args: readonly string[],
  options: { env: NodeJS.ProcessEnv; cwd: string; graceMs?: number }
): IProgram {
  const guard = fork(
    GUARD,
    [String(options.graceMs ?? 3000), command, ...args],
    { cwd: options.cwd, env: options.env, silent: true, detached: true }
  );
  return watch(guard, () => guard.connected && guard.disconnect());
}

/** Runs a program without a guard, for what is tested on its own ending. */
export function startBare(
  command: string,
  args: readonly string[],
  options: { env: NodeJS.ProcessEnv; cwd: string }
): IProgram & { readonly process: ChildProcess } {
  const child = spawn(command, args, {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe']
  });
  return { ...watch(child, () => child.kill('SIGTERM')), process: child };
}

function watch(child: ChildProcess, askToEnd: () => unknown): IProgram {
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      listeners.forEach(listener => listener());
    });
  }
  const ended = new Promise<number>(resolve => {
    // Not `close`: with an IPC channel that we closed it never comes. What was
    // written last is read in the next turns.
    child.once('exit', code => setTimeout(() => resolve(code ?? -1), 100));
  });
  return {
    output: () => output,
    ended,
    until: pattern =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = output.match(pattern);
          if (match) {
            listeners.delete(look);
            resolve(match);
          }
        };
        listeners.add(look);
        look();
        void ended.then(code => {
          look();
          reject(new Error(`Ended with ${code}:\n${output}`));
        });
      }),
    end: async () => {
      askToEnd();
      await ended;
    }
  };
}
