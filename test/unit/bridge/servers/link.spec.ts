import type { IFailure } from '../../../../bridge/src/servers/failure';
import { Link } from '../../../../bridge/src/servers/link';
import type { Dial, IRelayEvents } from '../../../../bridge/src/servers/relay';
import { FakeClock, settle } from '../../transports/fakeClock';

const SERVER = {
  key: 'k',
  stamp: 's',
  addresses: [],
  shown: 'http://x/',
  certificateName: null,
  root: null,
  token: () => Promise.resolve(null)
};

function setUp() {
  const clock = new FakeClock();
  const test = {
    clock,
    dials: 0,
    closes: 0,
    changes: 0,
    /** What the next dials end with; null opens. */
    answer: null as IFailure | null,
    relay: null as IRelayEvents | null
  };
  const dial: Dial = async (_server, _clock, opened) => {
    test.dials++;
    await Promise.resolve();
    if (test.answer === null) {
      test.relay = opened(
        {
          send: () => undefined,
          alive: () => Promise.resolve(true),
          close: () => test.closes++,
          terminate: () => undefined
        },
        []
      );
    }
    return test.answer;
  };
  const link = new Link(SERVER, {
    dial,
    clock,
    random: () => 0.5,
    events: {
      opened: () => ({
        tabOpened: () => undefined,
        tabClosed: () => undefined,
        frame: () => undefined
      }),
      changed: () => test.changes++
    }
  });
  return { link, test };
}

const down = (kind: IFailure['kind']): IFailure => ({ kind, message: kind });

describe('Link', () => {
  it('dials once, however often it is asked to', async () => {
    const { link, test } = setUp();
    link.connect();
    link.connect();
    expect(link.isConnecting).toBe(true);
    await settle();
    link.connect();
    expect(test.dials).toBe(1);
    expect(link.isOpen).toBe(true);
    expect(link.isConnecting).toBe(false);
    expect(link.failure).toBeNull();
  });

  it('dials again ever more slowly while nothing answers', async () => {
    const { link, test } = setUp();
    test.answer = down('unreachable');
    link.connect();
    await settle();
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) {
      const before = test.dials;
      let waited = 0;
      while (test.dials === before) {
        await test.clock.advance(500);
        waited += 500;
      }
      waits.push(waited);
    }
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 15000, 15000, 15000]);
    test.answer = null;
    await test.clock.advance(15000);
    expect(link.isOpen).toBe(true);
  });

  it.each(['no-relay', 'refused', 'certificate', 'outdated'] as const)(
    'does not repeat by itself what stays so: %s',
    async kind => {
      const { link, test } = setUp();
      test.answer = down(kind);
      link.connect();
      await test.clock.advance(3_600_000);
      expect(test.dials).toBe(1);
      expect(link.failure?.kind).toBe(kind);
      // At a call it is tried.
      test.answer = null;
      link.connect();
      await settle();
      expect(link.isOpen).toBe(true);
    }
  );

  it('comes back after an end', async () => {
    const { link, test } = setUp();
    link.connect();
    await settle();
    test.relay?.closed(down('closed'));
    expect(link.isOpen).toBe(false);
    await test.clock.advance(500);
    expect(link.isOpen).toBe(true);
    expect(test.dials).toBe(2);
  });

  it('does not hammer at what takes it and ends it at once', async () => {
    const { link, test } = setUp();
    link.connect();
    await settle();
    for (let i = 0; i < 600; i++) {
      test.relay?.closed(down('closed'));
      test.relay = null;
      await test.clock.advance(1000);
    }
    expect(test.dials).toBeLessThan(50);
  });

  it('dials no more after its end', async () => {
    const { link, test } = setUp();
    test.answer = down('unreachable');
    link.connect();
    await settle();
    link.dispose();
    await test.clock.advance(60_000);
    link.connect();
    await settle();
    expect(test.dials).toBe(1);
  });

  it('closes what opens after its end', async () => {
    const { link, test } = setUp();
    link.connect();
    link.dispose();
    await settle();
    expect(test.closes).toBe(1);
  });

  it('tells a token that cannot be read', async () => {
    const { link, test } = setUp();
    test.answer = null;
    const broken = new Link(
      { ...SERVER, token: () => Promise.reject(new Error('/secret/path')) },
      {
        dial: server => server.token().then(() => null),
        clock: test.clock,
        random: () => 0,
        events: { opened: () => ({}) as never, changed: () => undefined }
      }
    );
    broken.connect();
    await settle();
    expect(broken.failure?.kind).toBe('refused');
    link.dispose();
  });
});
