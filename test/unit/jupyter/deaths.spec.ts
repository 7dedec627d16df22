import {
  hasEnded,
  type KernelEnd,
  KernelWatch,
  noteEnd,
  type WatchedKernel
} from '../../../src/jupyter/deaths';
import { FakeKernel, message } from './fakeKernel';

function watch(): {
  kernel: FakeKernel;
  watch: KernelWatch;
  ends: KernelEnd[];
} {
  const kernel = new FakeKernel();
  const ends: KernelEnd[] = [];
  return {
    kernel,
    ends,
    watch: new KernelWatch(kernel as unknown as WatchedKernel, end =>
      ends.push(end)
    )
  };
}

const status = (state: string, session?: string) =>
  message('status', { execution_state: state }, { session });

describe('KernelWatch', () => {
  it('should tell a kernel that died and is started again', () => {
    const { kernel, ends } = watch();
    kernel.autoRestart();
    expect(ends).toEqual([{ kind: 'died', restarts: true }]);
  });

  it('should tell a restart that somebody asked for in this page', () => {
    const { kernel, ends } = watch();
    kernel.setStatus('restarting');
    expect(ends).toEqual([{ kind: 'restarted' }]);
  });

  it.each([
    [true, 'restarted'],
    [false, 'shutDown']
  ])(
    'should tell what another program asked for (restart: %s)',
    (restart, kind) => {
      const { kernel, ends } = watch();
      kernel.receive(message('shutdown_reply', { status: 'ok', restart }));
      expect(ends).toEqual([{ kind }]);
    }
  );

  it('should tell a new process behind the same id, of which nobody told', () => {
    const { kernel, ends } = watch();
    kernel.receive(status('busy', 'old'));
    kernel.receive(status('starting', 'new'));
    expect(ends).toEqual([{ kind: 'restarted' }]);
  });

  it('should not take the start of the kernel for a restart', () => {
    const { kernel, ends } = watch();
    kernel.receive(status('starting', 'new'));
    kernel.receive(status('busy', 'new'));
    kernel.receive(status('idle', 'new'));
    expect(ends).toEqual([]);
  });

  it('should tell a death without a restart from a kernel the server forgot', () => {
    const died = watch();
    died.kernel.anyMessage.emit({
      msg: status('dead'),
      direction: 'recv'
    } as never);
    died.kernel.setStatus('dead');
    expect(died.ends).toEqual([{ kind: 'died', restarts: false }]);

    const culled = watch();
    culled.kernel.setStatus('dead');
    expect(culled.ends).toEqual([{ kind: 'gone' }]);
  });

  it('should tell a connection that was let go', () => {
    const { kernel, ends } = watch();
    kernel.dispose();
    expect(ends).toEqual([{ kind: 'closed' }]);
  });

  it('should go on over a connection that was lost and is back', async () => {
    const { kernel, ends, watch: watched } = watch();
    kernel.setConnection('connecting');
    kernel.setConnection('connected');
    await Promise.resolve();
    expect(ends).toEqual([]);
    expect(watched.wasLost).toBe(true);
  });

  it('should tell a result that was missed while the connection was lost', async () => {
    const { kernel, ends } = watch();
    kernel.setConnection('connecting');
    kernel.setConnection('connected');
    kernel.infoRequests[0].resolve();
    await Promise.resolve();
    expect(ends).toEqual([{ kind: 'missed' }]);
  });

  it('should ask again when the connection is lost while it asks', async () => {
    const { kernel, ends } = watch();
    kernel.setConnection('connecting');
    kernel.setConnection('connected');
    kernel.infoRequests[0].reject(new Error('Canceled'));
    kernel.setConnection('connecting');
    kernel.setConnection('connected');
    kernel.infoRequests[1].resolve();
    await new Promise(resolve => setImmediate(resolve));
    expect(ends).toEqual([{ kind: 'missed' }]);
  });

  it('should tell a connection that is lost for good', () => {
    const { kernel, ends } = watch();
    kernel.setConnection('connecting');
    kernel.setConnection('disconnected');
    expect(ends).toEqual([{ kind: 'disconnected' }]);
  });

  it('should tell one end, once, and nothing after dispose', () => {
    const first = watch();
    first.kernel.autoRestart();
    first.kernel.setStatus('dead');
    first.kernel.dispose();
    expect(first.ends).toHaveLength(1);
    expect(first.watch.isDisposed).toBe(true);

    const second = watch();
    second.watch.dispose();
    second.kernel.autoRestart();
    second.kernel.dispose();
    expect(second.ends).toEqual([]);
  });
});

describe('a kernel that says that it ends', () => {
  const shutdown = (restart: boolean) =>
    message('shutdown_reply', { status: 'ok', restart });
  const status = (session?: string) =>
    message('status', { execution_state: 'idle' }, { session });

  it('has ended, until another process speaks', () => {
    const kernel = {};
    noteEnd(kernel, status());
    expect(hasEnded(kernel)).toBe(false);
    noteEnd(kernel, shutdown(false));
    noteEnd(kernel, status());
    expect(hasEnded(kernel)).toBe(true);
    expect(hasEnded({})).toBe(false);
    noteEnd(kernel, status('kernel-2'));
    expect(hasEnded(kernel)).toBe(false);
  });

  it('has not where it is restarted', () => {
    const kernel = {};
    noteEnd(kernel, shutdown(true));
    expect(hasEnded(kernel)).toBe(false);
  });
});
