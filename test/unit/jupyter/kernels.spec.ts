import { ServerConnection } from '@jupyterlab/services';
import { Signal } from '@lumino/signaling';
import { KernelStatuses } from '../../../src/jupyter/kernelStatus';
import { KEPT_MS } from '../../../src/jupyter/heldKernel';
import { type IKernelsOptions, Kernels } from '../../../src/jupyter/kernels';
import { RunBook } from '../../../src/jupyter/runBook';
import { FakeClock } from '../transports/fakeClock';
import { FakeKernel, FakeReport, message } from './fakeKernel';

jest.mock('@jupyterlab/services', () => ({
  ServerConnection: {
    ResponseError: class extends Error {
      constructor(
        readonly response: { status: number },
        message: string
      ) {
        super(message);
      }
    },
    NetworkError: class extends Error {}
  }
}));

const me = { id: 'a', name: 'me', number: 1 };
const other = { id: 'b', name: 'other', number: 2 };

/** A document's session as JupyterLab restarts its kernel. */
class FakeContext {
  constructor(private readonly _kernel: FakeKernel) {
    this.session = { kernel: _kernel };
  }

  readonly session: { kernel: FakeKernel };
  readonly statusChanged = new Signal<this, string>(this);
  readonly disposed = new Signal<this, void>(this);
  isRestarting = false;

  async restartKernel(): Promise<void> {
    if (!this.isRestarting) {
      this.setRestarting(true);
      await this._kernel.restart().catch(() => undefined);
      this.setRestarting(false);
    }
  }

  setRestarting(value: boolean): void {
    this.isRestarting = value;
    this.statusChanged.emit('restarting');
  }
}

function setUp() {
  const clock = new FakeClock();
  const made: FakeKernel[] = [];
  const page: FakeKernel[] = [];
  const contexts = new Map<FakeKernel, FakeContext>();
  const contextOf = (kernel: FakeKernel): FakeContext => {
    const context = contexts.get(kernel) ?? new FakeContext(kernel);
    contexts.set(kernel, context);
    return context;
  };
  const asked: string[] = [];
  const followed: FakeKernel[] = [];
  const looked: FakeKernel[] = [];
  let refreshes = 0;
  let isGone = false;
  const book = new RunBook();
  const models = new Map([['k-1', { id: 'k-1', name: 'python3' }]]);
  const statuses = new KernelStatuses(() => models.values());
  const kernels = new Kernels({
    manager: {
      running: () => models.values(),
      findById: async (id: string) => {
        asked.push(id);
        return models.get(id);
      },
      connectTo: () => {
        const kernel = new FakeKernel();
        kernel.status = 'unknown';
        made.push(kernel);
        return kernel;
      },
      refreshRunning: async () => {
        refreshes++;
        if (isGone) {
          models.clear();
          made.forEach(kernel => {
            kernel.setStatus('dead');
            kernel.dispose();
          });
        }
      }
    },
    specs: {
      specs: {
        default: 'python3',
        kernelspecs: { julia: {}, ir: {}, python3: {} }
      }
    },
    sessions: () => page.map(contextOf),
    load: {
      follow: (kernel: FakeKernel) => followed.push(kernel),
      before: (kernel: FakeKernel) => {
        looked.push(kernel);
        return statuses.of(kernel as never) === 'busy'
          ? 'a cell of the person'
          : undefined;
      }
    },
    statuses,
    book,
    box: { show: () => ({ dispose: () => undefined }) },
    clock
  } as unknown as IKernelsOptions);
  const run = (client = me) =>
    kernels.run('k-1', '1+1', { stopOnError: false, client }, new FakeReport());
  const shutDown = () => (isGone = true);
  const seen = { made, asked, followed, looked, refreshes: () => refreshes };
  return { kernels, clock, page, contextOf, book, run, shutDown, ...seen };
}

function answerOf(status: number): Error {
  return new ServerConnection.ResponseError(
    { status } as Response,
    'Unhandled error'
  );
}

const settled = () => new Promise(resolve => setImmediate(resolve));
const ok = { content: { status: 'ok', execution_count: 1 } };

describe('Kernels', () => {
  it('should use one connection for all runs in a kernel', async () => {
    const { made, run } = setUp();
    const runs = [run(), run()];
    await settled();
    expect(made).toHaveLength(1);
    made[0].futures.forEach(future => future.resolve(ok));
    await Promise.all(runs);
    const third = run();
    await settled();
    expect(made).toHaveLength(1);
    made[0].futures[2].resolve(ok);
    expect((await third).status).toBe('ok');
  });

  it('should close it 60 seconds after the last run ended', async () => {
    const { made, clock, run } = setUp();
    const first = run();
    await settled();
    await clock.advance(KEPT_MS * 5);
    expect(made[0].isDisposed).toBe(false);
    made[0].futures[0].resolve(ok);
    await first;
    await clock.advance(KEPT_MS - 1);
    expect(made[0].isDisposed).toBe(false);
    await clock.advance(1);
    expect(made[0].isDisposed).toBe(true);
  });

  it('should connect again where the connection was given up, and refuse where that fails', async () => {
    const { made, run } = setUp();
    const first = run();
    await settled();
    made[0].setConnection('connecting');
    made[0].setConnection('disconnected');
    expect(await first).toMatchObject({
      errorName: 'KernelConnectionLost',
      outputsMayBeMissing: true
    });
    const second = run();
    await settled();
    expect(made).toHaveLength(1);
    expect(made[0].reconnects).toBe(1);
    made[0].futures[1].resolve(ok);
    expect(await second).toMatchObject({ status: 'ok' });
    made[0].setConnection('disconnected');
    made[0].isReachable = false;
    await expect(run()).rejects.toMatchObject({
      code: 'operation_refused',
      message: expect.stringContaining('nothing ran')
    });
    expect(made[0].futures).toHaveLength(2);
  });

  it('should make every connection anew where the way was dead, and none that is being made', async () => {
    const { kernels, made, page, run } = setUp();
    page.push(new FakeKernel('k-2'), new FakeKernel('k-3'));
    page[1].setConnection('connecting');
    const first = run();
    await settled();
    kernels.renewConnections();
    expect(made[0].reconnects).toBe(1);
    expect(page.map(({ reconnects }) => reconnects)).toEqual([1, 0]);
    // Nothing is given up: the answer may still come.
    made[0].futures[0].resolve(ok);
    expect(await first).toMatchObject({
      status: 'ok',
      outputsMayBeMissing: true
    });
  });

  it('should make a new one where the kernel closed the first', async () => {
    const { made, run } = setUp();
    const first = run();
    await settled();
    made[0].dispose();
    expect(await first).toMatchObject({ errorName: 'KernelConnectionClosed' });
    void run();
    await settled();
    expect(made).toHaveLength(2);
  });

  it.each([
    [true, 'KernelRestarted'],
    [false, 'KernelShutDown']
  ])(
    'should let go of a kernel that others end or restart, with what it holds back (%s)',
    async (restart, errorName) => {
      const { made, run } = setUp();
      const first = run();
      await settled();
      made[0].receive(message('shutdown_reply', { restart }));
      expect(await first).toMatchObject({ errorName });
      expect(made[0].isDisposed).toBe(true);
    }
  );

  it('should keep the connection that it restarts a kernel on', async () => {
    const { kernels, made, run } = setUp();
    const first = run();
    await settled();
    const restart = made[0].restart.bind(made[0]);
    made[0].restart = async () => {
      made[0].receive(message('shutdown_reply', { restart: true }));
      await restart();
    };
    const restarts = [kernels.restart('k-1'), kernels.restart('k-1')];
    expect(await first).toMatchObject({ errorName: 'KernelRestarted' });
    await settled();
    made[0].infoRequests[0].resolve();
    await Promise.all(restarts);
    expect(made).toHaveLength(1);
    expect(made[0]).toMatchObject({ isDisposed: false, restarts: 1 });
  });

  it('should ask no server for a kernel it knows, and name what there is otherwise', async () => {
    const { kernels, asked, run } = setUp();
    void run();
    await settled();
    expect(asked).toEqual([]);
    await expect(
      kernels.run(
        'none',
        '',
        { stopOnError: false, client: me },
        new FakeReport()
      )
    ).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('k-1 (python3)')
    });
  });

  it('should list the default kernel first', async () => {
    const { kernels } = setUp();
    expect(await kernels.specs()).toEqual(['python3', 'ir', 'julia']);
  });

  it('should look at the page’s own connection for what goes before, which knows more', async () => {
    const { made, page, followed, looked, run } = setUp();
    const shown = new FakeKernel();
    shown.status = 'busy';
    page.push(shown);
    const queued = run();
    await settled();
    made[0].futures[0].resolve(ok);
    expect((await queued).queuedBehind).toBe('a cell of the person');
    expect(looked).toEqual([shown]);
    expect(followed).toEqual(made);
  });

  it('should tell who runs code, and whether the kernel has begun with it', async () => {
    const { kernels, made, run } = setUp();
    const runs = [run(other)];
    await settled();
    runs.push(run(me));
    await settled();
    const [first, second] = made[0].futures;
    first.onIOPub(message('execute_input', { code: '1+1' }));
    expect(kernels.runs()).toEqual([
      { kernelId: 'k-1', state: 'running', startedBy: other },
      { kernelId: 'k-1', state: 'queued', startedBy: me }
    ]);
    [first, second].forEach(future => future.resolve(ok));
    await Promise.all(runs);
    expect(kernels.runs()).toEqual([]);
  });

  it('should tell what goes before until the kernel begins', async () => {
    const { kernels, made, page } = setUp();
    const shown = new FakeKernel();
    shown.status = 'busy';
    page.push(shown);
    const report = new FakeReport();
    const queued = kernels.run(
      'k-1',
      '1+1',
      { stopOnError: false, client: me },
      report
    );
    await settled();
    expect(report.queuedBehind).toBe('a cell of the person');
    const [future] = made[0].futures;
    future.onIOPub(message('execute_input', { code: '1+1' }));
    expect(report.queuedBehind).toBeNull();
    future.resolve(ok);
    expect((await queued).queuedBehind).toBe('a cell of the person');
  });

  it('should note its requests as this tab’s own', async () => {
    const { made, book, run } = setUp();
    void run();
    await settled();
    expect(book.isOwn(made[0].futures[0].msg.header.msg_id)).toBe(true);
    expect(book.isOwn('another')).toBe(false);
  });

  it('should interrupt through the page’s own connection, which holds its prompts', async () => {
    const { kernels, made, page } = setUp();
    page.push(new FakeKernel());
    await kernels.interrupt('k-1', me);
    expect(page[0].interrupts).toBe(1);
    expect(made).toEqual([]);
  });

  it('should tell whether what it was to run may still begin after an interrupt', async () => {
    const { kernels, made, run } = setUp();
    expect(await kernels.interrupt('k-1', me)).toBe(false);
    const runs = [run(), run()];
    await settled();
    expect(await kernels.interrupt('k-1', me)).toBe(true);
    const [first, second] = made[0].futures;
    first.onIOPub(message('execute_input', { code: '…' }));
    expect(await kernels.interrupt('k-1', me)).toBe(false);
    [first, second].forEach(future => future.resolve(ok));
    await Promise.all(runs);
    expect(await kernels.interrupt('k-1', me)).toBe(false);
  });

  it('should point to a restart where a kernel supports no interrupts (Pyodide)', async () => {
    const { kernels, page } = setUp();
    const kernel = new FakeKernel();
    kernel.interrupt = () => Promise.reject(new Error('not implemented'));
    page.push(kernel);
    await expect(kernels.interrupt('k-1', me)).rejects.toMatchObject({
      code: 'operation_refused',
      message: expect.stringMatching(/restart_kernel/)
    });
  });

  it.each([
    [me, undefined],
    [other, expect.stringContaining('other, client 2')],
    [undefined, expect.stringContaining('not by you')]
  ])('should say who interrupted a run (%#)', async (by, text) => {
    const { clock, kernels, made, run } = setUp();
    const running = run();
    await settled();
    if (by) {
      await kernels.interrupt('k-1', by);
    }
    made[0].futures[0].resolve({
      content: { status: 'error', ename: 'KeyboardInterrupt', evalue: '' }
    });
    await clock.advance(1000);
    expect((await running).message).toEqual(text);
  });

  it('should wait until a restarted kernel answers', async () => {
    const { kernels, page } = setUp();
    page.push(new FakeKernel());
    let done = false;
    const restart = kernels.restart('k-1').then(() => (done = true));
    await settled();
    expect(done).toBe(false);
    page[0].infoRequests[0].resolve();
    await restart;
    expect(done).toBe(true);
  });

  it('should restart once for all who ask while it does', async () => {
    const { kernels, page } = setUp();
    page.push(new FakeKernel());
    const restarts = [1, 2, 3].map(() => kernels.restart('k-1'));
    await settled();
    const late = kernels.restart('k-1');
    expect(page[0].infoRequests).toHaveLength(1);
    page[0].infoRequests[0].resolve();
    await Promise.all([...restarts, late]);
    expect(page[0].restarts).toBe(1);
    const next = kernels.restart('k-1');
    await settled();
    page[0].infoRequests[1].resolve();
    await next;
    expect(page[0].restarts).toBe(2);
  });

  it('should join a restart of the person’s', async () => {
    const { kernels, page, contextOf } = setUp();
    page.push(new FakeKernel());
    contextOf(page[0]).setRestarting(true);
    const restart = kernels.restart('k-1');
    await settled();
    expect(page[0].infoRequests).toHaveLength(0);
    contextOf(page[0]).setRestarting(false);
    await settled();
    page[0].infoRequests[0].resolve();
    await restart;
    expect(page[0].restarts).toBe(0);
  });

  it('should send nothing after a restart that was to be sent before it', async () => {
    const { kernels, made, page, run } = setUp();
    page.push(new FakeKernel());
    const before = run();
    await settled();
    let wasDropped = false;
    const restart = page[0].restart.bind(page[0]);
    page[0].restart = () => {
      // What a connection holds back goes with it.
      wasDropped = made[0].isDisposed;
      return restart();
    };
    const restarted = kernels.restart('k-1');
    const during = run();
    expect(await before).toMatchObject({
      errorName: 'KernelRestarted',
      errorValue: expect.stringContaining('before it reported that this began')
    });
    await settled();
    expect(wasDropped).toBe(true);
    expect(made).toHaveLength(1);
    page[0].infoRequests[0].resolve();
    await restarted;
    await settled();
    expect(made).toHaveLength(2);
    made[1].futures[0].resolve(ok);
    expect(await during).toMatchObject({ status: 'ok' });
  });

  it('should ask again on the next connection, where the answer was lost', async () => {
    const { kernels, page } = setUp();
    page.push(new FakeKernel());
    const restarted = kernels.restart('k-1');
    await settled();
    page[0].setConnection('connecting');
    page[0].setConnection('connected');
    page[0].infoRequests[1].resolve();
    await restarted;
  });

  it('should not wait for a connection that was exchanged, nor for ever', async () => {
    const { clock, kernels, page, refreshes } = setUp();
    page.push(new FakeKernel(), new FakeKernel('k-2'));
    const exchanged = kernels.restart('k-1').catch(String);
    const silent = kernels.restart('k-2').catch(String);
    await settled();
    page[0].dispose();
    expect(await exchanged).toContain('exchanged for another');
    await clock.advance(1000);
    expect(refreshes()).toBe(1);
    await clock.advance(60_000);
    expect(await silent).toContain('change_kernel');
    expect(clock.waiting).toBe(0);
  });

  it('should say so where the server did not restart it', async () => {
    const { kernels, page, refreshes } = setUp();
    page.push(new FakeKernel());
    page[0].restart = () => Promise.reject(new Error('refused'));
    await expect(kernels.restart('k-1')).rejects.toMatchObject({
      code: 'operation_refused',
      message: expect.stringContaining('Try again')
    });
    expect(refreshes()).toBe(1);
  });

  it('should refuse where a restart left the kernel dead', async () => {
    const { kernels, page } = setUp();
    const kernel = new FakeKernel();
    kernel.restart = async () => {
      kernel.status = 'dead';
    };
    page.push(kernel);
    await expect(kernels.restart('k-1')).rejects.toMatchObject({
      code: 'operation_refused',
      message: expect.stringContaining('change_kernel')
    });
  });

  it('should interrupt none that is being restarted, by us or the person', async () => {
    const { kernels, page, contextOf } = setUp();
    page.push(new FakeKernel());
    const inProgress = {
      code: 'operation_in_progress',
      message: expect.stringContaining('call again')
    };
    const restarted = kernels.restart('k-1');
    await expect(kernels.interrupt('k-1', me)).rejects.toMatchObject(
      inProgress
    );
    await settled();
    page[0].infoRequests[0].resolve();
    await restarted;
    contextOf(page[0]).setRestarting(true);
    await expect(kernels.interrupt('k-1', me)).rejects.toMatchObject(
      inProgress
    );
    contextOf(page[0]).setRestarting(false);
    await kernels.interrupt('k-1', me);
    expect(page[0].interrupts).toBe(1);
  });

  it.each([
    ['that is known to be gone', undefined],
    ['that the server does not know', answerOf(404)]
  ])('should lead on from an interrupt of a kernel %s', async (_, answer) => {
    const { kernels, page } = setUp();
    page.push(new FakeKernel());
    if (answer) {
      page[0].interrupt = () => Promise.reject(answer);
    } else {
      page[0].setStatus('dead');
    }
    const refused = kernels.interrupt('k-1', me);
    await expect(refused).rejects.toMatchObject({
      code: 'operation_refused',
      message: expect.stringContaining('change_kernel gives')
    });
    await expect(refused).rejects.not.toMatchObject({
      message: expect.stringContaining('restart_kernel')
    });
  });

  it('should say what to do when the server fails, as it does while another program restarts the kernel', async () => {
    const { kernels, page } = setUp();
    page.push(new FakeKernel());
    page[0].interrupt = () => Promise.reject(answerOf(500));
    await expect(kernels.interrupt('k-1', me)).rejects.toMatchObject({
      code: 'operation_refused',
      message: expect.stringMatching(/answered 500.*call again/)
    });
  });
});

describe('a kernel that another program shut down', () => {
  it('is not found, a second after nothing is heard of it', async () => {
    const { clock, made, run, shutDown, refreshes } = setUp();
    shutDown();
    const refused = run().catch((reason: unknown) => reason);
    await settled();
    await clock.advance(999);
    expect(refreshes()).toBe(0);
    await clock.advance(1);
    expect(await refused).toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('No kernel is running')
    });
    expect(made).toHaveLength(1);
  });

  it('ends what was queued in it, which may have run', async () => {
    const { clock, run, shutDown } = setUp();
    const first = run(other).catch((reason: unknown) => reason);
    await settled();
    const second = run();
    await settled();
    shutDown();
    await clock.advance(1000);
    expect(await first).toMatchObject({ code: 'not_found' });
    expect(await second).toMatchObject({
      errorName: 'KernelGone',
      errorValue: expect.stringContaining('change_kernel')
    });
  });

  it('is not asked for while something is heard, nor twice', async () => {
    const { clock, made, run, refreshes } = setUp();
    const heard = run();
    await settled();
    const [kernel] = made;
    kernel.receive(message('execute_input', {}));
    await clock.advance(5000);
    expect(refreshes()).toBe(0);
    kernel.futures[0].resolve(ok);
    await heard;
    const silent = run();
    await settled();
    await clock.advance(60_000);
    expect(refreshes()).toBe(1);
    kernel.futures[1].resolve(ok);
    expect(await silent).toMatchObject({ status: 'ok' });
  });
});
