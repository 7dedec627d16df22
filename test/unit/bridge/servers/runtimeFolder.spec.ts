import { runtimeFolder } from '../../../../bridge/src/servers/runtimeFolder';

describe('runtimeFolder', () => {
  const linux = { platform: 'linux' as const, home: '/home/ann' };
  const mac = { platform: 'darwin' as const, home: '/Users/ann' };
  const windows = { platform: 'win32' as const, home: 'C:\\Users\\ann' };

  it.each([
    [linux, { JUPYTER_RUNTIME_DIR: '/r', JUPYTER_DATA_DIR: '/d' }, '/r'],
    [linux, { JUPYTER_DATA_DIR: '/d' }, '/d/runtime'],
    [
      linux,
      { JUPYTER_RUNTIME_DIR: '' },
      '/home/ann/.local/share/jupyter/runtime'
    ],
    [linux, { XDG_DATA_HOME: '/x' }, '/x/jupyter/runtime'],
    [
      linux,
      { XDG_DATA_HOME: '/x', JUPYTER_PLATFORM_DIRS: '1' },
      '/x/jupyter/runtime'
    ],
    [mac, {}, '/Users/ann/Library/Jupyter/runtime'],
    [
      mac,
      { JUPYTER_PLATFORM_DIRS: '1' },
      '/Users/ann/Library/Application Support/Jupyter/runtime'
    ],
    [
      mac,
      { JUPYTER_PLATFORM_DIRS: 'False' },
      '/Users/ann/Library/Jupyter/runtime'
    ],
    [windows, { APPDATA: 'C:\\A' }, 'C:\\A\\jupyter\\runtime'],
    [windows, {}, 'C:\\Users\\ann\\.jupyter\\data\\runtime'],
    [windows, { JUPYTER_CONFIG_DIR: 'C:\\C' }, 'C:\\C\\data\\runtime'],
    [
      windows,
      { JUPYTER_PLATFORM_DIRS: '1', LOCALAPPDATA: 'C:\\L', APPDATA: 'C:\\A' },
      'C:\\L\\Jupyter\\runtime'
    ]
  ])('on %j with %j is %s', (on, env, folder) => {
    expect(runtimeFolder({ ...on, env })).toBe(folder);
  });
});
