import { Signal } from '@lumino/signaling';
import { LostRequest } from '../../../src/jupyter/lostRequest';
import { FakeKernel, message } from './fakeKernel';

const settled = () => new Promise(resolve => setImmediate(resolve));

class Answering extends FakeKernel {
  answer!: () => void;
  readonly info = new Promise<void>(resolve => (this.answer = resolve));
}

/** A notebook of after a reload; its kernel was sent `request-1` before. */
function setUp(queued = false, kernelId = 'k-1') {
  const kernel = new Answering(kernelId);
  const session: Record<string, unknown> = { session: { kernel } };
  const iopubMessage = new Signal<object, never>(session);
  const kernelChanged = new Signal<object, void>(session);
  Object.assign(session, { iopubMessage, kernelChanged });
  const lost = new LostRequest(
    { kernelId: 'k-1', request: 'request-1', queued },
    session as never
  );
  const says = (type: string, content: object, parent?: string) =>
    iopubMessage.emit(message(type, { ...content }, { parent }));
  const idle = (parent?: string) =>
    says('status', { execution_state: 'idle' }, parent);
  return { kernel, lost, session, kernelChanged, says, idle };
}

describe('LostRequest', () => {
  it('should be running until the kernel says that it is done', () => {
    const { lost, says, idle } = setUp();
    expect(lost.state).toBe('running');
    says('stream', { text: 'x' });
    idle('another');
    expect(lost.state).toBe('running');
    expect(lost.isUnderWay).toBe(true);
    idle();
    expect(lost.state).toBe('done');
    expect(lost.isUnderWay).toBe(false);
  });

  it('should have failed where the kernel told an error', () => {
    const { lost, says, idle } = setUp();
    says('error', {}, 'another');
    idle('another');
    says('error', {});
    expect(lost.state).toBe('running');
    idle();
    expect(lost.state).toBe('error');
  });

  it('should be queued until it begins, where it was', () => {
    const { lost, says } = setUp(true);
    expect(lost.state).toBe('queued');
    says('execute_input', {}, 'another');
    expect(lost.state).toBe('queued');
    says('execute_input', {});
    expect(lost.state).toBe('running');
  });

  it('should be unknown where the kernel answers a later question first', async () => {
    const { lost, kernel } = setUp();
    kernel.answer();
    await settled();
    expect(lost.state).toBe('unknown');
    expect(lost.isUnderWay).toBe(false);
  });

  it('should keep what the kernel said, whatever it answers after', async () => {
    const { lost, kernel, idle } = setUp();
    idle();
    kernel.answer();
    await settled();
    expect(lost.state).toBe('done');
  });

  it('should be unknown where the kernel is another, dead or not there', () => {
    expect(setUp(false, 'k-2').lost.state).toBe('unknown');
    const { lost, kernel, session } = setUp();
    kernel.status = 'dead';
    expect(lost.state).toBe('unknown');
    session.session = null;
    expect(lost.state).toBe('unknown');
  });

  it('should follow a kernel that is connected later', async () => {
    const { lost, kernel, session, kernelChanged } = setUp(false, 'k-2');
    const later = new Answering('k-1');
    session.session = { kernel: later };
    kernelChanged.emit();
    expect(lost.state).toBe('running');
    kernel.answer();
    await settled();
    expect(lost.state).toBe('running');
    later.answer();
    await settled();
    expect(lost.state).toBe('unknown');
  });
});
