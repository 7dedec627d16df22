import { existsSync, watch as watchFolder, type FSWatcher } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { IClock, IDisposable } from '../clock';
import { errorCode } from '../errorCode';
import { NOT_OWN, readOwnFile } from './ownFile';
import type { IDiscovery, IFound, IPassedOver, IServer } from './server';
import { readServerFile, Unusable } from './serverFile';

/** A server's file has some 400 bytes; what is larger is none. */
const MAX_FILE_BYTES = 64 * 1024;

/** A file is announced when it is made and again when it is written. */
const SETTLE_MS = 100;

/** Whether a process is this person's and running. */
export type ProcessState = 'running' | 'other user' | 'gone';

/** Asks the system about a process. */
export function processState(pid: number): ProcessState {
  try {
    process.kill(pid, 0);
    return 'running';
  } catch (error) {
    return errorCode(error) === 'EPERM' ? 'other user' : 'gone';
  }
}

/**
 * Finds the Jupyter servers that run under this user, by the files they leave
 * in the runtime folder (contract: The pieces, Bridge).
 */
export class RuntimeFolder implements IDiscovery {
  constructor(
    readonly place: string,
    private readonly _clock: IClock,
    private readonly _stateOf: (pid: number) => ProcessState = processState
  ) {}

  /** Reads the folder. A folder that is not there holds nothing. */
  async scan(): Promise<IFound> {
    let names: string[];
    try {
      names = await readdir(this.place);
    } catch {
      names = [];
    }
    const servers: IServer[] = [];
    const passedOver: IPassedOver[] = [];
    for (const name of names.sort()) {
      if (/^jpserver-\d+\.json$/.test(name)) {
        const found = await this._read(name);
        if ('server' in found) {
          servers.push(found.server);
        } else {
          passedOver.push(found);
        }
      }
    }
    return { servers, passedOver };
  }

  /**
   * Watches the folder, or the nearest one above that exists, until the
   * runtime folder appears.
   */
  watch(changed: () => void): IDisposable {
    let watcher: FSWatcher | null = null;
    let settling: IDisposable | null = null;
    const arm = () => {
      watcher?.close();
      watcher = null;
      const folder = nearest(this.place);
      try {
        watcher = watchFolder(folder, { persistent: false }, () => {
          settling?.dispose();
          settling = this._clock.after(SETTLE_MS, () => {
            if (folder !== this.place || !existsSync(folder)) {
              arm();
            }
            changed();
          });
        });
        // Not watched then: each call looks again.
        watcher.on('error', () => watcher?.close());
      } catch {
        watcher = null;
      }
    };
    arm();
    return {
      dispose: () => {
        settling?.dispose();
        watcher?.close();
      }
    };
  }

  private async _read(
    name: string
  ): Promise<{ server: IServer } | IPassedOver> {
    const own = await readOwnFile(join(this.place, name), MAX_FILE_BYTES);
    if ('problem' in own) {
      const { problem } = own;
      return {
        name,
        reason: `it ${NOT_OWN[problem]}`,
        notable: problem === 'readable by others'
      };
    }
    try {
      const { server, pid } = readServerFile(name, own.text);
      const state = this._stateOf(pid);
      if (state !== 'running') {
        return {
          name,
          reason:
            state === 'gone'
              ? `its process ${pid} has ended`
              : `its process ${pid} belongs to another user`,
          notable: false
        };
      }
      return { server: { ...server, root: await resolved(server.root) } };
    } catch (error) {
      // One odd file must not hide the others.
      const reason =
        error instanceof Unusable ? error.message : 'it cannot be understood';
      return { name, reason, notable: true };
    }
  }
}

/** A root as the working folder of a client is told: without symbolic links. */
async function resolved(root: string | null): Promise<string | null> {
  return root === null ? null : realpath(root).catch(() => root);
}

/** The folder itself, or the first one above it that exists. */
function nearest(folder: string): string {
  let at = folder;
  while (!existsSync(at) && dirname(at) !== at) {
    at = dirname(at);
  }
  return at;
}
