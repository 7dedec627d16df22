import { KernelLoad } from '../../../src/jupyter/busy';
import { KernelStatuses } from '../../../src/jupyter/kernelStatus';
import { RunBook } from '../../../src/jupyter/runBook';
import { FakeKernel, message } from './fakeKernel';

jest.mock('@jupyterlab/cells', () => ({
  CodeCell: class {
    constructor(readonly model: object) {}
  }
}));
const { CodeCell } = jest.requireMock<{
  CodeCell: new (model: object) => object;
}>('@jupyterlab/cells');

const me = { id: 'a', name: 'me', number: 1 };
const other = { id: 'b', name: 'other', number: 2 };
const OUTSIDE = expect.stringContaining('no notebook of this tab');

function setUp(cells: object[] = []) {
  const book = new RunBook();
  const kernel = new FakeKernel();
  const panel = {
    sessionContext: { session: { kernel } },
    content: { widgets: cells.map(cell => new CodeCell(cell)) },
    context: { localPath: 'demo.ipynb' }
  };
  const notebooks = {
    find: (test: (panel: unknown) => boolean) =>
      test(panel) ? panel : undefined
  };
  const server = { id: 'k-1', name: 'python3', execution_state: 'idle' };
  const load = new KernelLoad(
    book,
    notebooks as never,
    new KernelStatuses(() => [server])
  );
  const say = (type: string, content: object, parent: string): void =>
    kernel.receive(message(type, { ...content }, { parent }));
  return {
    book,
    kernel,
    begin: (parent: string) => say('execute_input', { code: '…' }, parent),
    status: (state: string, parent: string) =>
      say('status', { execution_state: state }, parent),
    server,
    before: (status = 'idle') => {
      kernel.status = status;
      return load.before(kernel as never, me);
    }
  };
}

describe('KernelLoad', () => {
  it('should name another client’s run, whatever the kernel says', () => {
    const { book, before } = setUp();
    const entry = book.begin({
      client: other,
      kernelId: 'k-1',
      what: 'cell x of demo.ipynb'
    });
    expect(before('idle')).toBe(
      'cell x of demo.ipynb, run by another client (other, client 2)'
    );
    entry.dispose();
    expect(before('idle')).toBeUndefined();
  });

  it('should name the cell that the person runs', () => {
    const { before } = setUp([
      { id: 'one', executionState: 'idle' },
      { id: 'two', executionState: 'running' }
    ]);
    expect(before('busy')).toBe(
      'cell "two" of "demo.ipynb", run by the person'
    );
  });

  it('should not take the client’s own run for another’s', () => {
    const { book, before } = setUp();
    book.begin({ client: me, kernelId: 'k-1', what: 'code' });
    expect(before('busy')).toBeUndefined();
  });

  it('should tell code from elsewhere', () => {
    const { before, begin, status } = setUp();
    expect(before('busy')).toEqual(OUTSIDE);
    begin('theirs');
    status('idle', 'another request');
    expect(before('idle')).toEqual(OUTSIDE);
    status('idle', 'theirs');
    expect(before('busy')).toBeUndefined();
  });

  it('should take the server’s word for a kernel that was busy before this page', () => {
    const { before, begin, server } = setUp();
    expect(before('unknown')).toBeUndefined();
    server.execution_state = 'busy';
    expect(before('unknown')).toEqual(OUTSIDE);
    // What it says itself is newer.
    expect(before('idle')).toBeUndefined();
    begin('theirs');
    server.execution_state = 'idle';
    expect(before('unknown')).toEqual(OUTSIDE);
  });

  it('should not take a kernel that answers other requests for busy', () => {
    const { before, begin, status } = setUp();
    before();
    begin('theirs');
    status('idle', 'theirs');
    status('busy', 'completion');
    expect(before('busy')).toBeUndefined();
  });

  it('should not take a run of this tab that just ended for another’s', () => {
    const { book, before, begin } = setUp();
    before();
    book.sent('ours');
    begin('ours');
    expect(before('busy')).toBeUndefined();
  });

  it('should forget what ran when the kernel starts anew', () => {
    const { before, begin, status } = setUp();
    before();
    begin('theirs');
    status('starting', 'x');
    expect(before('busy')).toBeUndefined();
  });
});
