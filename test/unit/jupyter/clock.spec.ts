import { WorkerClock } from '../../../src/jupyter/clock';

/** A Worker as far as the clock uses it. */
class FakeWorker {
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onerror: ((event: { preventDefault(): void }) => void) | null = null;
  readonly posted: number[][] = [];
  terminated = false;

  postMessage(message: number[]): void {
    this.posted.push(message);
  }

  terminate(): void {
    this.terminated = true;
  }
}

function setUp() {
  const worker = new FakeWorker();
  const clock = new WorkerClock(() => worker as unknown as Worker);
  return { worker, clock };
}

describe('WorkerClock', () => {
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

  it('calls back when the Worker says so, once', () => {
    const { worker, clock } = setUp();
    const callback = jest.fn();
    clock.after(50, callback);
    expect(worker.posted).toEqual([[1, 50]]);
    worker.onmessage?.({ data: 1 });
    worker.onmessage?.({ data: 1 });
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it('does not call back what was taken back, in the Worker either', () => {
    const { worker, clock } = setUp();
    const callback = jest.fn();
    const timer = clock.after(50, callback);
    timer.dispose();
    timer.dispose();
    worker.onmessage?.({ data: 1 });
    expect(worker.posted).toEqual([[1, 50], [1]]);
    expect(callback).not.toHaveBeenCalled();
  });

  it('goes on with the page’s timers when the Worker is refused later', () => {
    jest.useFakeTimers();
    const { worker, clock } = setUp();
    const callback = jest.fn();
    clock.after(50, callback);
    worker.onerror?.({ preventDefault: () => undefined });
    expect(worker.terminated).toBe(true);
    clock.after(60, callback);
    jest.advanceTimersByTime(70);
    expect(callback).toHaveBeenCalledTimes(2);
    expect(worker.posted).toEqual([[1, 50]]);
  });

  it('goes on with the page’s timers where no Worker can be made', () => {
    jest.useFakeTimers();
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
    worker.onmessage?.({ data: 1 });
    expect(callback).not.toHaveBeenCalled();
    expect(worker.terminated).toBe(true);
  });
});
