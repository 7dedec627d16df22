import {
  chownSync,
  mkdirSync,
  renameSync,
  symlinkSync,
  unlinkSync
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { systemClock } from '../../../../bridge/src/clock';
import {
  processState,
  RuntimeFolder
} from '../../../../bridge/src/servers/discovery';
import { Folder } from '../support/folder';

const URL = 'http://localhost:8888/';

describe('RuntimeFolder', () => {
  let folder: Folder;
  beforeEach(() => {
    folder = new Folder();
  });
  afterEach(() => folder.remove());

  const look = (stateOf = processState) =>
    new RuntimeFolder(folder.path, systemClock, stateOf).scan();
  const reasons = async () =>
    (await look()).passedOver.map(({ reason }) => reason);

  describe('#scan()', () => {
    it('finds a running server, its loopback address before its name', async () => {
      folder.server({ url: URL, root_dir: folder.path });
      const { servers, passedOver } = await look();
      expect(passedOver).toEqual([]);
      expect(servers).toHaveLength(1);
      expect(servers[0]).toMatchObject({
        addresses: [
          'http://127.0.0.1:8888/',
          'http://[::1]:8888/',
          'http://localhost:8888/'
        ],
        shown: URL,
        root: folder.path
      });
      expect(await servers[0].token()).toBe('secret-token');
    });

    it('tries loopback only where the server listens on it', async () => {
      folder.server({ url: 'http://10.1.2.3:80/', hostname: '10.1.2.3' });
      const { servers } = await look();
      expect(servers[0].addresses).toEqual(['http://10.1.2.3/']);
    });

    it.each([
      ['0.0.0.0', ['http://127.0.0.1:8888/', 'http://box:8888/']],
      ['', ['http://127.0.0.1:8888/', 'http://box:8888/']],
      [
        '::',
        ['http://[::1]:8888/', 'http://127.0.0.1:8888/', 'http://box:8888/']
      ]
    ])(
      'a server on every address (%j) is tried here first',
      async (ip, all) => {
        folder.server({ url: 'http://box:8888/', hostname: ip });
        expect((await look()).servers[0].addresses).toEqual(all);
      }
    );

    it.each([
      ['/user/ann/', 'http://localhost:8888/user/ann/'],
      ['/a b/ü', 'http://localhost:8888/a%20b/%C3%BC/'],
      ['/@x/..%2f/', 'http://localhost:8888/@x/..%2f/'],
      ['//evil.example/', 'http://localhost:8888//evil.example/']
    ])('keeps the prefix %s on the same host', async (base, shown) => {
      folder.server({ url: URL, base_url: base });
      expect((await look()).servers[0].shown).toBe(shown);
    });

    it('keeps the certificate name of a secure server', async () => {
      folder.server({ url: 'https://box.lan:8888/', hostname: '0.0.0.0' });
      expect((await look()).servers[0]).toMatchObject({
        certificateName: 'box.lan',
        addresses: ['https://127.0.0.1:8888/', 'https://box.lan:8888/']
      });
    });

    it('takes a server without any sign-in, and asks it without a token', async () => {
      folder.server({ url: URL, token: '' });
      expect(await (await look()).servers[0].token()).toBeNull();
    });

    it('finds nothing where there is no folder', async () => {
      const found = await new RuntimeFolder(
        join(folder.path, 'missing'),
        systemClock
      ).scan();
      expect(found).toEqual({ servers: [], passedOver: [] });
    });

    it('reads no other files', async () => {
      folder.file('kernel-1.json', '{}');
      folder.file('jpserver-1.html', '');
      folder.file('jpserver-1.json.tmp', '');
      expect(await look()).toEqual({ servers: [], passedOver: [] });
    });

    it.each([0o644, 0o640, 0o604, 0o620, 0o666])(
      'passes over a file of mode %o',
      async mode => {
        folder.server({ url: URL }, { mode });
        expect((await look()).servers).toEqual([]);
        expect(await reasons()).toEqual([
          expect.stringContaining('other users of this machine')
        ]);
      }
    );

    it('passes over a file of another owner', async () => {
      if (process.getuid?.() !== 0) {
        throw new Error('this test needs root to give a file away');
      }
      chownSync(folder.server({ url: URL }), 12345, 12345);
      expect((await look()).servers).toEqual([]);
      expect(await reasons()).toEqual([
        expect.stringContaining('another user')
      ]);
    });

    it('passes over a symbolic link, wherever it leads', async () => {
      const path = folder.server({ url: URL });
      renameSync(path, `${path}.away`);
      symlinkSync(`${path}.away`, path);
      expect((await look()).servers).toEqual([]);
      expect(await reasons()).toEqual([
        expect.stringContaining('symbolic link')
      ]);
    });

    it('passes over what is no file, and does not wait for a pipe', async () => {
      mkdirSync(join(folder.path, 'jpserver-1.json'));
      spawnSync('mkfifo', ['-m', '600', join(folder.path, 'jpserver-2.json')]);
      expect(await reasons()).toEqual([
        expect.stringContaining('not a regular file'),
        expect.stringContaining('not a regular file')
      ]);
    });

    it('passes over the file of a process that has ended', async () => {
      const { pid } = spawnSync('true');
      folder.server({ url: URL }, { pid });
      expect((await look()).servers).toEqual([]);
      expect(await reasons()).toEqual([expect.stringContaining('has ended')]);
    });

    it('passes over the file of a process of another user', async () => {
      folder.server({ url: URL });
      const { servers, passedOver } = await look(() => 'other user');
      expect(servers).toEqual([]);
      expect(passedOver[0].reason).toContain('another user');
    });

    it.each([
      ['', 'not JSON'],
      ['{"pid": 1', 'not JSON'],
      ['[]', 'not a JSON object'],
      ['null', 'not a JSON object'],
      ['{}', 'process id'],
      ['{"pid": 77}', 'process id'],
      ['{"pid": "1"}', 'process id'],
      ['{"pid": 1}', 'no address'],
      ['{"pid": 1, "url": "http://x/"}', 'no token'],
      ['{"pid": 1, "url": "ftp://x/", "token": ""}', 'no http'],
      ['{"pid": 1, "url": "nonsense", "token": ""}', 'no http']
    ])('passes over malformed content %j', async (text, reason) => {
      folder.file('jpserver-1.json', text);
      expect(await reasons()).toEqual([expect.stringContaining(reason)]);
    });

    it.each(['jpserver-0.json'])('takes no process id below 1', async name => {
      folder.file(name, '{"pid": 0, "url": "http://x/", "token": ""}');
      expect(await reasons()).toEqual([expect.stringContaining('process id')]);
    });

    it('passes over a huge file without reading it', async () => {
      folder.file('jpserver-1.json', ' '.repeat(10_000_000));
      expect(await reasons()).toEqual([expect.stringContaining('too large')]);
    });

    it('names a server on a unix socket as not supported', async () => {
      folder.server({
        url: 'http://localhost:0/',
        sock: '/tmp/s',
        port: 0
      });
      const { passedOver } = await look();
      expect(passedOver).toEqual([
        expect.objectContaining({
          reason: expect.stringContaining('unix socket'),
          notable: true
        })
      ]);
    });

    it('says how to start a server that takes a password only', async () => {
      folder.server({ url: URL, token: '', password: true });
      expect(await reasons()).toEqual([
        expect.stringContaining('JUPYTER_TOKEN')
      ]);
    });

    it('finds several, whatever the others are', async () => {
      folder.file('jpserver-3.json', 'broken');
      folder.server({ url: URL }, { pid: 1 });
      folder.server({ url: 'http://localhost:9999/' });
      const { servers, passedOver } = await look(() => 'running');
      expect(servers).toHaveLength(2);
      expect(passedOver).toHaveLength(1);
    });
  });

  describe('#watch()', () => {
    it('tells when a server comes and when it goes', async () => {
      const discovery = new RuntimeFolder(folder.path, systemClock);
      const told = counter();
      const watching = discovery.watch(told.count);
      const path = folder.server({ url: URL });
      await told.next();
      expect((await discovery.scan()).servers).toHaveLength(1);
      unlinkSync(path);
      await told.next();
      expect((await discovery.scan()).servers).toHaveLength(0);
      watching.dispose();
    });

    it('waits for a folder that is not there yet', async () => {
      const place = join(folder.path, 'share', 'jupyter', 'runtime');
      const discovery = new RuntimeFolder(place, systemClock);
      const told = counter();
      const watching = discovery.watch(told.count);
      mkdirSync(place, { recursive: true });
      await told.next();
      const inner = new Folder();
      const path = inner.server({ url: URL });
      renameSync(path, join(place, `jpserver-${process.pid}.json`));
      await told.next();
      expect((await discovery.scan()).servers).toHaveLength(1);
      watching.dispose();
      inner.remove();
    });
  });
});

/** Counts, and lets a test wait for the next count. */
function counter() {
  let waiting: () => void = () => undefined;
  let missed = 0;
  return {
    count: () => {
      missed++;
      waiting();
    },
    next: async () => {
      if (missed === 0) {
        await new Promise<void>(resolve => {
          waiting = resolve;
        });
      }
      missed = 0;
    }
  };
}
