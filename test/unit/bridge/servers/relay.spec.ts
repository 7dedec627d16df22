import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { MAX_FRAME_BYTES } from '../../../../protocol/frames';
import { systemClock } from '../../../../bridge/src/clock';
import type { IFailure } from '../../../../bridge/src/servers/failure';
import {
  dialRelay,
  FrameTooLarge,
  type IRelaySocket
} from '../../../../bridge/src/servers/relay';
import type { IServer } from '../../../../bridge/src/servers/server';
import { FakeTab } from '../support/fakeTab';
import { FakeRelay, type IFakeRelayOptions } from '../support/fakeRelay';
import { Folder } from '../support/folder';

describe('dialRelay', () => {
  let relay: FakeRelay | null = null;
  let socket: IRelaySocket | null = null;
  let said: unknown[][] = [];
  beforeEach(() => {
    said = [];
  });
  afterEach(async () => {
    socket?.terminate();
    socket = null;
    await relay?.stop();
    relay = null;
  });

  const serve = async (options: IFakeRelayOptions = {}) =>
    (relay = await FakeRelay.start(options));

  const dial = (
    addresses: readonly string[],
    {
      token = 'secret-token' as string | null,
      name = null as string | null
    } = {}
  ): Promise<IFailure | null> => {
    const server: IServer = {
      key: 'k',
      stamp: 's',
      addresses,
      shown: addresses[0],
      certificateName: name,
      root: null,
      token: () => Promise.resolve(token)
    };
    // The end of an earlier test's socket may still be on its way.
    const mine = said;
    return dialRelay(server, systemClock, (opened, tabs) => {
      socket = opened;
      mine.push(['opened', tabs]);
      return {
        tabOpened: peer => mine.push(['tabOpened', peer]),
        tabClosed: peer => mine.push(['tabClosed', peer]),
        frame: (peer, body) => mine.push(['frame', peer, body]),
        closed: failure => mine.push(['closed', failure.kind])
      };
    });
  };
  const heard = async (count: number) => {
    while (said.length < count) {
      await new Promise(resolve => setTimeout(resolve, 5));
    }
    return said;
  };

  it('brings the token in the header only, and no Origin', async () => {
    const { url, requests } = await serve({ base: '/user/ann/' });
    expect(await dial([url])).toBeNull();
    const [{ headers, url: path }] = requests;
    expect(path).toBe('/user/ann/mcp-bridge/client');
    expect(headers.authorization).toBe('token secret-token');
    expect(headers).not.toHaveProperty('origin');
    expect(headers).not.toHaveProperty('sec-websocket-origin');
    expect(headers).not.toHaveProperty('cookie');
    expect(headers).not.toHaveProperty('sec-websocket-extensions');
  });

  it('asks without a token where there is none', async () => {
    const { url, requests } = await serve({ token: null });
    expect(await dial([url], { token: null })).toBeNull();
    expect(requests[0].headers).not.toHaveProperty('authorization');
  });

  it('tells of tabs and their frames in order, then of the end', async () => {
    const { url } = await serve();
    const first = relay!.openTab(new FakeTab());
    expect(await dial([url])).toBeNull();
    const second = relay!.openTab(new FakeTab());
    relay!.raw(`${second}\n{"type":"pong","n":7}`);
    relay!.closeTab(first);
    await heard(4);
    await relay!.stop();
    relay = null;
    expect(await heard(5)).toEqual([
      ['opened', [first]],
      ['tabOpened', second],
      ['frame', second, { type: 'pong', n: 7 }],
      ['tabClosed', first],
      ['closed', 'closed']
    ]);
  });

  it('passes over what is no frame', async () => {
    const { url } = await serve();
    await dial([url]);
    relay!.raw('no line');
    relay!.raw('\nnot json');
    relay!.raw('x\n[]');
    relay!.raw('\n{"type":"tab-opened","peer":"p"}');
    expect(await heard(2)).toEqual([
      ['opened', []],
      ['tabOpened', 'p']
    ]);
  });

  it('tries the addresses in turn', async () => {
    const { url } = await serve();
    expect(await dial(['http://127.0.0.1:1/', url])).toBeNull();
  });

  it.each([
    [404, 'no-relay', 'pip install'],
    [403, 'refused', 'JUPYTER_TOKEN'],
    [401, 'refused', 'JUPYTER_TOKEN'],
    [302, 'refused', 'redirect'],
    // A hub sends to its own page what is for a server that is not running.
    [302, 'refused', 'on a JupyterHub, that the user'],
    [503, 'unexpected', '503']
  ])('says what HTTP %i means', async (status, kind, words) => {
    const { url } = await serve({ status });
    const failure = await dial([url]);
    expect(failure).toMatchObject({
      kind,
      message: expect.stringContaining(words)
    });
    expect(JSON.stringify(failure)).not.toContain('secret-token');
  });

  it('follows no redirect with the token', async () => {
    const { url, requests } = await serve({ status: 302 });
    await dial([url]);
    expect(requests).toHaveLength(1);
  });

  it('tells that a sign-in is wanted where it has no token', async () => {
    const { url } = await serve();
    expect(await dial([url], { token: null })).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('wants a sign-in')
    });
  });

  it('tells a wrong token, at one address only', async () => {
    const { url, requests } = await serve();
    const failure = await dial([url, url], { token: 'other' });
    expect(failure?.kind).toBe('refused');
    expect(requests).toHaveLength(1);
  });

  it('tells a token that fits no header, and sends nothing', async () => {
    const { url, requests } = await serve();
    const failure = await dial([url], { token: 'a\nb' });
    expect(failure?.kind).toBe('unreachable');
    expect(requests).toHaveLength(0);
    expect(failure?.message).not.toContain('a\nb');
  });

  it('tells that nothing answers', async () => {
    const failure = await dial(['http://127.0.0.1:1/']);
    expect(failure).toEqual({
      kind: 'unreachable',
      message: 'nothing answers at http://127.0.0.1:1/ (ECONNREFUSED)'
    });
  });

  it('prefers what a server said to what nobody said', async () => {
    const { url } = await serve({ status: 404 });
    const failure = await dial([url, 'http://127.0.0.1:1/']);
    expect(failure?.kind).toBe('no-relay');
    const other = await dial(['http://127.0.0.1:1/', url]);
    expect(other?.kind).toBe('no-relay');
  });

  it('says which side to update', async () => {
    const { url } = await serve({ version: 9 });
    expect(await dial([url])).toMatchObject({
      kind: 'outdated',
      message: expect.stringContaining('npm')
    });
    await relay!.stop();
    await serve({ version: -1 });
    expect(await dial([relay!.url])).toMatchObject({
      kind: 'outdated',
      message: expect.stringContaining('pip')
    });
  });

  it('works with a neighbour version', async () => {
    const { url } = await serve({ version: 2 });
    expect(await dial([url])).toBeNull();
  });

  it('tells a relay that is full', async () => {
    const { url } = await serve({ closeWith: 1013 });
    await dial([url]);
    expect(await heard(2)).toContainEqual(['closed', 'busy']);
  });

  it('tells a server that is no https server', async () => {
    const { url } = await serve();
    const failure = await dial([url.replace('http:', 'https:')]);
    expect(failure?.kind).toBe('unexpected');
  });

  it('sends nothing above 4 MiB, and all that is below', async () => {
    const { url } = await serve();
    await dial([url]);
    const body = (characters: number) => ({
      type: 'mcp' as const,
      message: { text: 'ü'.repeat(characters) }
    });
    const around = JSON.stringify(body(0)).length + 'tab1\n'.length;
    const most = Math.floor((MAX_FRAME_BYTES - around) / 2);
    expect(() => socket!.send('tab1', body(most + 1))).toThrow(FrameTooLarge);
    socket!.send('tab1', body(most));
    // What reached the relay is answered: no such tab.
    expect(await heard(2)).toContainEqual(['tabClosed', 'tab1']);
  });

  it('asks the server itself whether it is there', async () => {
    const { url } = await serve();
    await dial([url]);
    expect(await socket!.alive(1000)).toBe(true);
    relay!.hang();
    expect(await socket!.alive(50)).toBe(false);
    socket!.terminate();
    expect(await socket!.alive(1000)).toBe(false);
  });

  it('gives up on what accepts and says nothing', async () => {
    const silent = createServer();
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const dialled = dial([`http://127.0.0.1:${port}/`]);
    silent.on('connection', connection =>
      setTimeout(() => connection.destroy(), 50)
    );
    expect((await dialled)?.kind).toBe('unreachable');
    silent.close();
  });

  describe('with a certificate of its own', () => {
    let folder: Folder;
    beforeAll(() => {
      folder = new Folder();
      execFileSync(
        'openssl',
        [
          ...['req', '-x509', '-newkey', 'ec', '-nodes', '-days', '2'],
          ...['-keyout', 'key.pem', '-out', 'cert.pem', '-subj', '/CN=box'],
          ...['-pkeyopt', 'ec_paramgen_curve:prime256v1'],
          ...['-addext', 'subjectAltName=DNS:box.lan']
        ],
        { cwd: folder.path, stdio: 'ignore' }
      );
    });
    afterAll(() => folder.remove());

    it('says that it is not trusted, and what to do', async () => {
      const tls = {
        key: readFileSync(join(folder.path, 'key.pem')),
        cert: readFileSync(join(folder.path, 'cert.pem'))
      };
      const { url, requests } = await serve({ tls });
      expect(await dial([url], { name: 'box.lan' })).toMatchObject({
        kind: 'certificate',
        message: expect.stringContaining('NODE_EXTRA_CA_CERTS')
      });
      expect(requests).toHaveLength(0);
    });
  });
});
