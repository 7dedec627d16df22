import { Heartbeat } from '../../../../bridge/src/tabs/heartbeat';
import { FakeClock, settle } from '../../transports/fakeClock';

function setUp() {
  const clock = new FakeClock();
  const test = {
    clock,
    pings: 0,
    /** Whether the tab answers pings. */
    answers: true,
    serverAlive: true,
    stopped: [] as string[]
  };
  const heartbeat: Heartbeat = new Heartbeat({
    clock,
    ping: () => {
      test.pings++;
      if (test.answers) {
        heartbeat.heard();
      }
    },
    serverAlive: async ms => {
      if (test.serverAlive) {
        return true;
      }
      await new Promise<void>(resolve => clock.after(ms, resolve));
      return false;
    },
    stopped: pulse => test.stopped.push(pulse)
  });
  return { heartbeat, test };
}

describe('Heartbeat', () => {
  it('asks nothing while no call is at work', async () => {
    const { test } = setUp();
    await test.clock.advance(3_600_000);
    expect(test.pings).toBe(0);
  });

  it('asks every 15 s while a call is at work, and no longer', async () => {
    const { heartbeat, test } = setUp();
    const first = heartbeat.begin();
    const second = heartbeat.begin();
    await test.clock.advance(45_000);
    expect(test.pings).toBe(3);
    first.dispose();
    first.dispose();
    await test.clock.advance(15_000);
    expect(test.pings).toBe(4);
    second.dispose();
    await test.clock.advance(60_000);
    expect(test.pings).toBe(4);
    expect(test.stopped).toEqual([]);
  });

  it('tells a frozen tab 20 s after a ping', async () => {
    const { heartbeat, test } = setUp();
    heartbeat.begin();
    test.answers = false;
    await test.clock.advance(34_999);
    expect(test.stopped).toEqual([]);
    await test.clock.advance(1);
    expect(test.stopped).toEqual(['frozen']);
    expect(heartbeat.isFrozen).toBe(true);
    heartbeat.heard();
    expect(heartbeat.isFrozen).toBe(false);
  });

  it('tells a dead connection apart, and sooner', async () => {
    const { heartbeat, test } = setUp();
    heartbeat.begin();
    test.answers = false;
    test.serverAlive = false;
    await test.clock.advance(18_000);
    expect(test.stopped).toEqual(['lost']);
    expect(heartbeat.isFrozen).toBe(false);
  });

  describe('#pulse()', () => {
    it('asks no tab that was heard lately', async () => {
      const { heartbeat, test } = setUp();
      await test.clock.advance(9999);
      expect(await heartbeat.pulse()).toBe('awake');
      expect(test.pings).toBe(0);
    });

    it('asks a tab that was silent', async () => {
      const { heartbeat, test } = setUp();
      await test.clock.advance(10_000);
      expect(await heartbeat.pulse()).toBe('awake');
      expect(test.pings).toBe(1);
    });

    it('tells a frozen tab after 10 s, and asks it again next time', async () => {
      const { heartbeat, test } = setUp();
      test.answers = false;
      await test.clock.advance(10_000);
      const first = heartbeat.pulse();
      await test.clock.advance(10_000);
      expect(await first).toBe('frozen');
      test.answers = true;
      expect(await heartbeat.pulse()).toBe('awake');
      expect(heartbeat.isFrozen).toBe(false);
      expect(test.pings).toBe(2);
    });

    it('tells a dead connection after 3 s', async () => {
      const { heartbeat, test } = setUp();
      test.answers = false;
      test.serverAlive = false;
      await test.clock.advance(10_000);
      const pulse = heartbeat.pulse();
      await test.clock.advance(3000);
      expect(await pulse).toBe('lost');
    });

    it('waits for nobody who is gone', async () => {
      const { heartbeat, test } = setUp();
      test.answers = false;
      await test.clock.advance(10_000);
      const pulse = heartbeat.pulse();
      await settle();
      heartbeat.dispose();
      expect(await pulse).toBe('awake');
      expect(test.clock.waiting).toBe(0);
    });
  });
});
