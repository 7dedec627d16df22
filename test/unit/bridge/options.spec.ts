import { readOptions, UsageError } from '../../../bridge/src/options';

function sentence(...args: string[]): string {
  try {
    readOptions(args);
  } catch (error) {
    if (error instanceof UsageError) {
      return error.message;
    }
    throw error;
  }
  throw new Error('taken');
}

describe('readOptions', () => {
  it('serves on stdio with the scope run, on servers it finds', () => {
    expect(readOptions([])).toEqual({
      command: 'stdio',
      scope: 'run',
      json: false,
      server: null,
      tokenFile: null
    });
  });

  it('takes what it says in its help', () => {
    expect(readOptions(['status', '--json'])).toMatchObject({
      command: 'status',
      json: true
    });
    expect(readOptions(['--scope', 'read']).scope).toBe('read');
    expect(readOptions(['--scope=admin']).scope).toBe('admin');
    expect(readOptions(['--version']).command).toBe('version');
    expect(readOptions(['status', '--help']).command).toBe('help');
    const given = readOptions([
      '--server',
      'https://hub.example/user/ann/',
      '--token-file=/t'
    ]);
    expect(given.server?.href).toBe('https://hub.example/user/ann/');
    expect(given.tokenFile).toBe('/t');
  });

  it.each([
    [['--nonsense'], '--nonsense'],
    [['-x'], '-x'],
    [['nonsense'], 'no such command'],
    [['status', 'more'], 'no such command'],
    [['--scope', 'everything'], 'read, write, run, admin'],
    [['--scope'], '--scope'],
    [['--json'], 'status'],
    [['--token-file', '/t'], '--server'],
    [['--server', 'nonsense'], 'http://localhost:8888/'],
    [['--server', 'ftp://x/'], 'http']
  ])('says what is wrong with %j', (args, words) => {
    expect(sentence(...args)).toContain(words);
  });

  it.each([
    ['--server', 'http://localhost:8888/lab?token=verysecret'],
    ['--server', 'http://localhost:8888/lab?x=1&TOKEN=verysecret'],
    ['--server', 'http://localhost:8888/#token=verysecret'],
    ['--server', 'http://ann:verysecret@localhost:8888/'],
    ['--server', 'http://verysecret@localhost:8888/'],
    ['--token=verysecret'],
    ['--token', 'verysecret'],
    ['verysecret'],
    ['--scope', 'verysecret'],
    ['--json=verysecret']
  ])('does not take, and does not repeat, a secret in %j', (...args) => {
    expect(sentence(...args)).not.toContain('verysecret');
  });
});
