import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

/** What the place of the runtime folder depends on. */
export interface IPlatform {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** This process's own. */
export function thisPlatform(): IPlatform {
  return { platform: process.platform, env: process.env, home: homedir() };
}

/** The folder where running Jupyter servers leave their files, as jupyter_core finds it. */
export function runtimeFolder(on: IPlatform): string {
  const { env } = on;
  const path = on.platform === 'win32' ? win32 : posix;
  return env.JUPYTER_RUNTIME_DIR || path.join(dataFolder(on), 'runtime');
}

function dataFolder({ platform, env, home }: IPlatform): string {
  if (env.JUPYTER_DATA_DIR) {
    return env.JUPYTER_DATA_DIR;
  }
  const platformDirs = isSet(env.JUPYTER_PLATFORM_DIRS);
  if (platform === 'darwin') {
    return platformDirs
      ? posix.join(home, 'Library', 'Application Support', 'Jupyter')
      : posix.join(home, 'Library', 'Jupyter');
  }
  if (platform === 'win32') {
    if (platformDirs) {
      const local = env.LOCALAPPDATA || win32.join(home, 'AppData', 'Local');
      return win32.join(local, 'Jupyter');
    }
    return env.APPDATA
      ? win32.join(env.APPDATA, 'jupyter')
      : win32.join(
          env.JUPYTER_CONFIG_DIR || win32.join(home, '.jupyter'),
          'data'
        );
  }
  const xdg = env.XDG_DATA_HOME || posix.join(home, '.local', 'share');
  return posix.join(xdg, 'jupyter');
}

/** jupyter_core's reading of a switch in the environment. */
function isSet(value: string | undefined): boolean {
  return (
    value !== undefined &&
    !['no', 'n', 'false', 'off', '0', '0.0'].includes(value.toLowerCase())
  );
}
