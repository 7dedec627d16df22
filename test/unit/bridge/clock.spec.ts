import { patientClock } from '../../../bridge/src/clock';

function setUp() {
  let now = 0;
  let timers: { at: number; callback: () => void }[] = [];
  const clock = patientClock({
    now: () => now,
    set: (callback, ms) => {
      const timer = { at: now + ms, callback };
      timers.push(timer);
      return timer;
    },
    clear: timer => {
      timers = timers.filter(each => each !== timer);
    }
  });
  /** Goes on by so much at once, as a process does that was stopped. */
  const leap = (ms: number) => {
    now += ms;
    const due = timers.filter(({ at }) => at <= now);
    timers = timers.filter(({ at }) => at > now);
    due.forEach(({ callback }) => callback());
  };
  return { clock, leap };
}

describe('patientClock', () => {
  it('calls in time, and a little late', () => {
    const { clock, leap } = setUp();
    const called = jest.fn();
    clock.after(1000, called);
    leap(999);
    expect(called).not.toHaveBeenCalled();
    leap(1500);
    expect(called).toHaveBeenCalledTimes(1);
  });

  it('gives what came during a sleep a moment, and no more than one', () => {
    const { clock, leap } = setUp();
    const called = jest.fn();
    clock.after(10_000, called);
    leap(90_000);
    expect(called).not.toHaveBeenCalled();
    leap(2999);
    expect(called).not.toHaveBeenCalled();
    leap(90_000);
    expect(called).toHaveBeenCalledTimes(1);
  });

  it('gives no more than the time itself', () => {
    const { clock, leap } = setUp();
    const called = jest.fn();
    clock.after(50, called);
    leap(90_000);
    leap(50);
    expect(called).toHaveBeenCalledTimes(1);
  });

  it('takes a timer back, also in that moment', () => {
    const { clock, leap } = setUp();
    const called = jest.fn();
    const first = clock.after(10_000, called);
    const second = clock.after(10_000, called);
    first.dispose();
    leap(90_000);
    second.dispose();
    leap(10_000);
    expect(called).not.toHaveBeenCalled();
  });
});
