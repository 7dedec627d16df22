import { sessionKernel } from '../../../src/jupyter/closedNotebook';
import { KernelStatuses } from '../../../src/jupyter/kernelStatus';

const MODEL = { id: 'k-1', name: 'python3' };

function setUp(execution_state?: string) {
  return new KernelStatuses(() => [{ ...MODEL, execution_state }]);
}

function context(
  kernelDisplayStatus: string,
  status: string | null = kernelDisplayStatus
) {
  const kernel = status === null ? null : { ...MODEL, status };
  return { kernelDisplayStatus, session: { kernel } } as never;
}

describe('KernelStatuses', () => {
  it('should take what the connection heard for newer than the server’s word', () => {
    const kernel = { id: 'k-1', status: 'idle' } as const;
    expect(setUp('busy').of(kernel)).toBe('idle');
    expect(setUp('busy').of({ ...kernel, status: 'unknown' })).toBe('busy');
    expect(setUp().of({ ...kernel, status: 'unknown' })).toBe('unknown');
    expect(setUp('busy').of({ id: 'k-2', status: 'unknown' })).toBe('unknown');
  });

  it('should show a document’s kernel as JupyterLab does, where it knows', () => {
    const statuses = setUp('busy');
    expect(statuses.info(context('connecting', 'unknown'))).toEqual({
      ...MODEL,
      status: 'connecting'
    });
    expect(statuses.info(context('unknown'))).toEqual({
      ...MODEL,
      status: 'busy'
    });
    expect(statuses.info(context('unknown', null))).toBeNull();
    expect(statuses.shown(context('unknown', null))).toBe('none');
  });

  it('should tell of a closed notebook’s kernel what the server said last', () => {
    const sessions = {
      running: () =>
        [
          { path: 'a.ipynb', kernel: { ...MODEL, execution_state: 'starting' } }
        ].values() as never
    };
    const told = (statuses: KernelStatuses) =>
      sessionKernel(sessions, statuses, 'a.ipynb')?.status;
    expect(told(setUp('busy'))).toBe('busy');
    expect(told(new KernelStatuses(() => []))).toBe('starting');
    expect(sessionKernel(sessions, setUp('busy'), 'b.ipynb')).toBeNull();
  });
});
