import { WorkerClock } from '../../../src/jupyter/clock';

/** A Worker as far as the clock uses it: it rings by jest's timers. */
class FakeWorker {
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onerror: ((event: { preventDefault(): void }) => void) | null = null;
  readonly posted: unknown[] = [];
  terminated = false;

  postMessage(message: number): void {
    this.posted.push(message);
    clearTimeout(this._alarm);
    this._alarm = setTimeout(() => this.ring(), message);
  }

  ring(): void {
    this.onmessage?.({ data: null });
  }

  terminate(): void {
    this.terminated = true;
    clearTimeout(this._alarm);
  }

  private _alarm: ReturnType<typeof setTimeout> | undefined;
}

function setUp() {
  const worker = new FakeWorker();
  const clock = new WorkerClock(() => worker as unknown as Worker);
  return { worker, clock };
}

describe('WorkerClock', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('makes no Worker before the first timer', () => {
    const make = jest.fn(() => new FakeWorker() as unknown as Worker);
    const clock = new WorkerClock(make);
    clock.now();
    expect(make).not.toHaveBeenCalled();
    clock.after(1, () => undefined);
    clock.after(1, () => undefined);
    expect(make).toHaveBeenCalledTimes(1);
  });

  it('calls back when the time has come, once', () => {
    const { worker, clock } = setUp();
    const callback = jest.fn();
    clock.after(50, callback);
    jest.advanceTimersByTime(49);
    expect(callback).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    worker.ring();
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it('calls back in the order of times, not of setting', () => {
    const { clock } = setUp();
    const rung: string[] = [];
    clock.after(50, () => rung.push('50'));
    clock.after(20, () => rung.push('20'));
    clock.after(90, () => rung.push('90'));
    clock.after(50, () => rung.push('50 again'));
    jest.advanceTimersByTime(60);
    expect(rung).toEqual(['20', '50', '50 again']);
    jest.advanceTimersByTime(30);
    expect(rung).toEqual(['20', '50', '50 again', '90']);
  });

  it('does not call back what was taken back', () => {
    const { clock } = setUp();
    const [first, second] = [jest.fn(), jest.fn()];
    const timer = clock.after(50, first);
    clock.after(70, second);
    timer.dispose();
    timer.dispose();
    jest.advanceTimersByTime(69);
    expect(second).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(first).not.toHaveBeenCalled();
    expect(second).toHaveBeenCalledTimes(1);
  });

  it('asks the Worker nothing while its alarm is early enough', () => {
    const { worker, clock } = setUp();
    for (let call = 0; call < 100; call++) {
      clock.after(20_000, () => undefined).dispose();
    }
    expect(worker.posted).toEqual([20_000]);
    jest.advanceTimersByTime(60_000);
    expect(worker.posted).toEqual([20_000]);
  });

  it('rings again when the Worker was early', () => {
    const { worker, clock } = setUp();
    const callback = jest.fn();
    clock.after(50.5, callback);
    worker.ring();
    expect(callback).not.toHaveBeenCalled();
    jest.advanceTimersByTime(51);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it('calls back the others when one throws', () => {
    const { clock } = setUp();
    const callback = jest.fn();
    clock.after(50, () => {
      throw new Error('of a callback');
    });
    clock.after(50, callback);
    expect(() => jest.advanceTimersByTime(60)).toThrow('of a callback');
    jest.advanceTimersByTime(1);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it('takes a timer that a callback sets', () => {
    const { clock } = setUp();
    const callback = jest.fn();
    clock.after(50, () => clock.after(0, callback));
    jest.advanceTimersByTime(50);
    jest.advanceTimersByTime(1);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it('goes on with the page’s timers when the Worker is refused later', () => {
    const { worker, clock } = setUp();
    const callback = jest.fn();
    clock.after(50, callback);
    worker.onerror?.({ preventDefault: () => undefined });
    expect(worker.terminated).toBe(true);
    clock.after(60, callback);
    jest.advanceTimersByTime(70);
    expect(callback).toHaveBeenCalledTimes(2);
    expect(worker.posted).toEqual([50]);
  });

  it('goes on with the page’s timers where no Worker can be made', () => {
    const clock = new WorkerClock(() => {
      throw new Error('blocked');
    });
    const callback = jest.fn();
    clock.after(50, callback);
    clock.after(50, callback).dispose();
    jest.advanceTimersByTime(60);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it('takes every timer back when disposed', () => {
    const { worker, clock } = setUp();
    const callback = jest.fn();
    clock.after(50, callback);
    clock.dispose();
    worker.ring();
    jest.advanceTimersByTime(60);
    expect(callback).not.toHaveBeenCalled();
    expect(worker.terminated).toBe(true);
  });
});
