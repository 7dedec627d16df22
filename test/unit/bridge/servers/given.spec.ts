import { chownSync, symlinkSync } from 'node:fs';
import {
  givenServer,
  GivenError,
  parseServer,
  readTokenFile
} from '../../../../bridge/src/servers/given';
import { Folder } from '../support/folder';

describe('givenServer', () => {
  const addresses = async (text: string) =>
    (await givenServer(parseServer(text), () => Promise.resolve(null)).scan())
      .servers[0].addresses;

  it.each([
    ['http://localhost:8888', ['http://localhost:8888/']],
    ['https://hub/user/ann', ['https://hub/user/ann/']],
    [
      'http://localhost:8888/lab/tree/n.ipynb?reset#x',
      ['http://localhost:8888/', 'http://localhost:8888/lab/tree/n.ipynb/']
    ],
    ['http://h/lab', ['http://h/', 'http://h/lab/']],
    ['http://h/p/tree', ['http://h/p/', 'http://h/p/tree/']],
    ['http://h/labour/', ['http://h/labour/']]
  ])('of %s are %j', async (text, expected) => {
    expect(await addresses(text)).toEqual(expected);
  });
});

describe('readTokenFile', () => {
  let folder: Folder;
  beforeEach(() => {
    folder = new Folder();
  });
  afterEach(() => folder.remove());

  it('reads a token without the line break behind it', async () => {
    expect(await readTokenFile(folder.file('t', 'abc-1\n'))).toBe('abc-1');
  });

  it('refuses a file that others could read', async () => {
    const path = folder.file('t', 'verysecret', 0o644);
    await expect(readTokenFile(path)).rejects.toThrow(/mode 0600/);
  });

  it('refuses a file of another owner', async () => {
    const path = folder.file('t', 'verysecret');
    chownSync(path, 12345, 12345);
    await expect(readTokenFile(path)).rejects.toThrow(/another user/);
  });

  it('refuses a symbolic link', async () => {
    folder.file('t', 'verysecret');
    symlinkSync(`${folder.path}/t`, `${folder.path}/l`);
    await expect(readTokenFile(`${folder.path}/l`)).rejects.toThrow(
      /symbolic link/
    );
  });

  it.each(['', ' \n', 'two words', 'a\nb', 'x'.repeat(5000)])(
    'refuses what is no token',
    async text => {
      const read = readTokenFile(folder.file('t', text));
      await expect(read).rejects.toBeInstanceOf(GivenError);
      await expect(read).rejects.not.toThrow(/two words/);
    }
  );

  it('says that there is none', async () => {
    await expect(readTokenFile(`${folder.path}/none`)).rejects.toThrow(
      /is not there/
    );
  });
});
