import type { WatchedKernel } from '../../../src/jupyter/deaths';
import { UnheardEnd } from '../../../src/jupyter/unheard';
import { FakeClock } from '../transports/fakeClock';
import { FakeKernel, message } from './fakeKernel';

const REPLY = { status: 'ok', execution_count: 3 };

function watch() {
  const kernel = new FakeKernel();
  const clock = new FakeClock();
  const told: unknown[] = [];
  const unheard = new UnheardEnd(
    kernel as unknown as WatchedKernel,
    'request-1',
    clock,
    reply => told.push(reply)
  );
  return { kernel, clock, told, unheard };
}

const idle = (parent?: string) =>
  message('status', { execution_state: 'idle' }, { parent });
const reply = (parent?: string) =>
  message('execute_reply', REPLY, { channel: 'shell', parent });
const line = () => message('stream', { name: 'stdout', text: 'x' });

describe('UnheardEnd', () => {
  it('should tell the answer of a run whose end was dropped, once the kernel answers another question', async () => {
    const { kernel, clock, told } = watch();
    kernel.receive(reply());
    await clock.advance(2000);
    expect(kernel.infoRequests).toHaveLength(1);
    expect(told).toEqual([]);
    kernel.infoRequests[0].resolve();
    await clock.advance(0);
    expect(told).toEqual([REPLY]);
    expect(clock.waiting).toBe(0);
  });

  it('should ask nothing while the run is not answered', async () => {
    const { kernel, clock } = watch();
    kernel.receive(line());
    await clock.advance(60_000);
    expect(kernel.infoRequests).toEqual([]);
  });

  it('should ask nothing when the end comes, before the answer or after it', async () => {
    for (const order of [
      [idle(), reply()],
      [reply(), idle()]
    ]) {
      const { kernel, clock } = watch();
      order.forEach(each => kernel.receive(each));
      expect(clock.waiting).toBe(0);
      await clock.advance(60_000);
      expect(kernel.infoRequests).toEqual([]);
    }
  });

  it('should wait while outputs still come', async () => {
    const { kernel, clock } = watch();
    kernel.receive(reply());
    for (let i = 0; i < 5; i++) {
      await clock.advance(1500);
      kernel.receive(line());
    }
    expect(kernel.infoRequests).toEqual([]);
    await clock.advance(4000);
    expect(kernel.infoRequests).toHaveLength(1);
  });

  it('should say nothing when the end comes while it asks', async () => {
    const { kernel, clock, told } = watch();
    kernel.receive(reply());
    await clock.advance(2000);
    kernel.receive(idle());
    kernel.infoRequests[0].resolve();
    await clock.advance(0);
    expect(told).toEqual([]);
  });

  it('should take no other run for its own', async () => {
    const { kernel, clock } = watch();
    kernel.receive(reply('request-2'));
    await clock.advance(60_000);
    expect(kernel.infoRequests).toEqual([]);
    kernel.receive(reply());
    kernel.receive(idle('request-2'));
    await clock.advance(2000);
    expect(kernel.infoRequests).toHaveLength(1);
  });

  it('should hold nothing when it is disposed', async () => {
    const { kernel, clock, told, unheard } = watch();
    kernel.receive(reply());
    await clock.advance(2000);
    unheard.dispose();
    kernel.infoRequests[0].resolve();
    await clock.advance(0);
    expect([told, clock.waiting]).toEqual([[], 0]);
  });
});
