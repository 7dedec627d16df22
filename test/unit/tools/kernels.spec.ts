import { ToolError } from '../../../src/calls/errors';
import type { Data } from '../../../src/calls/types';
import type { IToolContext } from '../../../src/tools/context';
import type { AnyTool, IInvocation } from '../../../src/tools/define';
import {
  changeKernel,
  interruptKernel,
  restartKernel
} from '../../../src/tools/kernels';
import { runData } from '../../../src/tools/runData';
import { runCode } from '../../../src/tools/running';

const client = { id: 'a', name: 'me', number: 1 };

function setUp() {
  const asked: unknown[] = [];
  const later = { mayBegin: false };
  const note =
    (name: string) =>
    async (...args: unknown[]): Promise<void> =>
      void asked.push([name, ...args]);
  const notebook = {
    path: 'demo.ipynb',
    kernel: { id: 'k-1', name: 'python3', status: 'idle' }
  };
  const context = {
    kernels: {
      specs: async () => ['python3', 'ir'],
      interrupt: async (...args: unknown[]) => {
        await note('interrupt')(...args);
        return later.mayBegin;
      },
      restart: note('restart'),
      run: async (...args: unknown[]) => {
        asked.push(['run', ...args.slice(0, 3)]);
        return { status: 'ok', executionCount: 2, outputs: [] };
      }
    },
    notebooks: {
      read: async () => notebook,
      acquire: async () => {
        asked.push(['acquire']);
        return notebook;
      }
    },
    runs: {
      changeKernel: async (_: unknown, name: string) =>
        void asked.push(['change', name])
    }
  } as unknown as IToolContext;
  const call = async (tool: AnyTool, args: Data): Promise<Data | undefined> =>
    tool.bind(args).handler?.({
      caller: { client },
      context,
      report: {}
    } as unknown as IInvocation);
  return { asked, call, later };
}

describe('kernel tools', () => {
  it('interrupt_kernel says so, and on whose behalf', async () => {
    const { asked, call } = setUp();
    expect(await call(interruptKernel, { kernelId: 'k-1' })).toEqual({
      success: true,
      kernelId: 'k-1',
      message: 'The kernel was interrupted.'
    });
    expect(asked).toEqual([['interrupt', 'k-1', client]]);
  });

  it('interrupt_kernel says that what has not begun is not stopped', async () => {
    const { call, later } = setUp();
    later.mayBegin = true;
    expect(await call(interruptKernel, { kernelId: 'k-1' })).toMatchObject({
      success: true,
      message: expect.stringMatching(/not begun yet.*interrupt again/)
    });
  });

  it('restart_kernel says so when the kernel is back', async () => {
    const { asked, call } = setUp();
    expect(await call(restartKernel, { kernelId: 'k-1' })).toMatchObject({
      success: true,
      kernelId: 'k-1'
    });
    expect(asked).toEqual([['restart', 'k-1']]);
  });

  it('change_kernel lists without a name, and opens nothing for it', async () => {
    const { asked, call } = setUp();
    expect(await call(changeKernel, { notebookPath: 'demo.ipynb' })).toEqual({
      success: true,
      notebookPath: 'demo.ipynb',
      kernel: { id: 'k-1', name: 'python3', status: 'idle' },
      kernelNames: ['python3', 'ir']
    });
    expect(asked).toEqual([]);
  });

  it('change_kernel changes to one that there is, and only to such', async () => {
    const { asked, call } = setUp();
    await call(changeKernel, { notebookPath: 'demo.ipynb', kernelName: 'ir' });
    expect(asked).toEqual([['acquire'], ['change', 'ir']]);
    const refused = call(changeKernel, {
      notebookPath: 'demo.ipynb',
      kernelName: 'ghost'
    });
    await expect(refused).rejects.toThrow(ToolError);
    await expect(refused).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('python3, ir')
    });
    expect(asked).toHaveLength(2);
  });
});

describe('run_code', () => {
  it.each([
    [undefined, false],
    [true, true]
  ])('drops what is queued only when asked to (%s)', async (given, sent) => {
    const { asked, call } = setUp();
    expect(
      await call(runCode, { kernelId: 'k-1', code: '1', stopOnError: given })
    ).toEqual({
      success: true,
      status: 'ok',
      executionCount: 2,
      outputs: [],
      kernelId: 'k-1'
    });
    expect(asked).toEqual([['run', 'k-1', '1', { stopOnError: sent, client }]]);
  });
});

describe('runData', () => {
  it('tells a failed run as R does', () => {
    expect(
      runData({
        status: 'error',
        executionCount: 3,
        outputs: [],
        errorName: 'KeyboardInterrupt',
        errorValue: '',
        traceback: ['…']
      })
    ).toEqual({
      success: false,
      status: 'error',
      message: 'Kernel execution failed',
      errorName: 'KeyboardInterrupt',
      errorValue: '',
      traceback: ['…'],
      error: 'KeyboardInterrupt',
      executionCount: 3,
      outputs: []
    });
  });

  it('joins name and value where there is one', () => {
    expect(
      runData({
        status: 'error',
        executionCount: 3,
        outputs: [],
        errorName: 'ValueError',
        errorValue: 'no'
      }).error
    ).toBe('ValueError: no');
  });

  it('adds only what there is to say', () => {
    expect(
      runData({
        status: 'ok',
        executionCount: 1,
        outputs: [],
        queuedBehind: 'a cell',
        outputsMayBeMissing: true
      })
    ).toEqual({
      success: true,
      status: 'ok',
      outputsMayBeMissing: true,
      queuedBehind: 'a cell',
      executionCount: 1,
      outputs: []
    });
  });
});
