import { Pulse } from '../../../src/transports/pulse';
import { FakeClock } from './fakeClock';

/** Stands still for a while; what was due then is late. */
class SleepyClock extends FakeClock {
  override now(): number {
    return super.now() + this._slept;
  }

  sleep(ms: number): void {
    this._slept += ms;
  }

  private _slept = 0;
}

function setUp() {
  const clock = new SleepyClock();
  const ask = jest.fn();
  const dead = jest.fn();
  const there = { clients: 1 };
  const pulse = new Pulse({
    clock,
    ask,
    dead,
    isNeeded: () => there.clients > 0
  });
  return { clock, ask, dead, pulse, there };
}

describe('Pulse', () => {
  it('asks nothing while nobody is there', async () => {
    const { clock, ask, pulse, there } = setUp();
    there.clients = 0;
    pulse.heard();
    await clock.advance(3600_000);
    expect(ask).not.toHaveBeenCalled();
    expect(clock.waiting).toBe(0);
  });

  it('ends with the last who was there', async () => {
    const { clock, ask, pulse, there } = setUp();
    pulse.heard();
    there.clients = 0;
    await clock.advance(31_000);
    expect(ask).not.toHaveBeenCalled();
    expect(clock.waiting).toBe(0);
  });

  it('asks when nothing came for half a minute, and again after that', async () => {
    const { clock, ask, dead, pulse } = setUp();
    pulse.heard();
    await clock.advance(20_000);
    pulse.heard();
    await clock.advance(29_000);
    expect(ask).not.toHaveBeenCalled();
    await clock.advance(2000);
    expect(ask).toHaveBeenCalledTimes(1);
    pulse.heard();
    await clock.advance(31_000);
    expect(ask).toHaveBeenCalledTimes(2);
    expect(dead).not.toHaveBeenCalled();
  });

  it('is dead when a question stays unanswered for ten seconds', async () => {
    const { clock, dead, pulse } = setUp();
    pulse.heard();
    await clock.advance(39_000);
    expect(dead).not.toHaveBeenCalled();
    await clock.advance(2000);
    expect(dead).toHaveBeenCalledTimes(1);
  });

  it('asks at once when it is told to, and once at a time', async () => {
    const { clock, ask, dead, pulse, there } = setUp();
    there.clients = 0;
    pulse.check();
    pulse.check();
    expect(ask).toHaveBeenCalledTimes(1);
    await clock.advance(10_000);
    expect(dead).toHaveBeenCalledTimes(1);
  });

  it('takes no sleep for silence: it asks once more', async () => {
    const { clock, ask, dead, pulse } = setUp();
    pulse.check();
    clock.sleep(90_000);
    await clock.advance(10_000);
    expect(dead).not.toHaveBeenCalled();
    expect(ask).toHaveBeenCalledTimes(2);
    pulse.heard();
    await clock.advance(20_000);
    expect(dead).not.toHaveBeenCalled();
  });

  it('is dead when nothing comes after the sleep either', async () => {
    const { clock, dead, pulse } = setUp();
    pulse.check();
    clock.sleep(90_000);
    await clock.advance(20_000);
    expect(dead).toHaveBeenCalledTimes(1);
  });

  it('forgets its question when it is stopped', async () => {
    const { clock, dead, pulse } = setUp();
    pulse.heard();
    pulse.check();
    pulse.stop();
    await clock.advance(100_000);
    expect(dead).not.toHaveBeenCalled();
    expect(clock.waiting).toBe(0);
  });
});
