import {
  type IPromptBox,
  type RunnableKernel,
  runCode
} from '../../../src/jupyter/kernelRuns';
import type { IRunResult } from '../../../src/jupyter/types';
import { FakeClock } from '../transports/fakeClock';
import { FakeKernel, FakeReport, message } from './fakeKernel';

class FakeBox implements IPromptBox {
  readonly shown: Parameters<IPromptBox['show']>[0][] = [];
  open = 0;
  show(options: Parameters<IPromptBox['show']>[0]): { dispose(): void } {
    this.shown.push(options);
    this.open++;
    let isOpen = true;
    return {
      dispose: () => {
        this.open -= isOpen ? 1 : 0;
        isOpen = false;
      }
    };
  }
}

function start(stopOnError = false, interrupted = true) {
  const kernel = new FakeKernel();
  const report = new FakeReport();
  const box = new FakeBox();
  const clock = new FakeClock();
  const sent: string[] = [];
  let result: IRunResult | undefined;
  const done = runCode(
    kernel as unknown as RunnableKernel,
    'code',
    stopOnError,
    box,
    {
      report,
      clock,
      sent: id => sent.push(id),
      begun: () => undefined,
      askServer: async () => undefined,
      isInterrupted: () => interrupted
    }
  ).then(value => (result = value));
  const future = kernel.futures[0];
  const asks = async (prompt: string, password = false): Promise<void> => {
    future.onStdin(ask(prompt, password));
    await clock.advance(60);
  };
  return {
    kernel,
    report,
    box,
    sent,
    clock,
    done,
    future,
    asks,
    result: () => result
  };
}

const ask = (prompt: string, password = false) =>
  message('input_request', { prompt, password }, { channel: 'stdin' });

describe('runCode', () => {
  it('should send the code with the input channel open', () => {
    const { future, sent } = start(true);
    expect(sent).toEqual([future.msg.header.msg_id]);
    expect(future.msg.content).toEqual({
      code: 'code',
      stop_on_error: true,
      allow_stdin: true
    });
  });

  it('should collect outputs, tell what is printed, and end with the reply', async () => {
    const { future, report, done } = start();
    future.onIOPub(message('stream', { name: 'stdout', text: 'hi\n' }));
    future.resolve({ content: { status: 'ok', execution_count: 3 } });
    expect(await done).toEqual({
      status: 'ok',
      executionCount: 3,
      outputs: [{ output_type: 'stream', name: 'stdout', text: 'hi\n' }]
    });
    expect(report.text).toBe('hi\n');
  });

  it('should show the page that ?name answers with', async () => {
    const { future, done } = start();
    future.onReply(
      message('execute_reply', {
        status: 'ok',
        payload: [{ source: 'page', data: { 'text/plain': 'Docstring' } }]
      })
    );
    future.resolve({ content: { status: 'ok', execution_count: 1 } });
    expect((await done).outputs).toEqual([
      {
        output_type: 'display_data',
        data: { 'text/plain': 'Docstring' },
        metadata: {}
      }
    ]);
  });

  it('should tell what code raised', async () => {
    const { future, done } = start();
    future.resolve({
      content: {
        status: 'error',
        execution_count: 4,
        ename: 'KeyboardInterrupt',
        evalue: '',
        traceback: ['…']
      }
    });
    expect(await done).toMatchObject({
      status: 'error',
      executionCount: 4,
      errorName: 'KeyboardInterrupt',
      errorValue: '',
      traceback: ['…']
    });
  });

  const KEYBOARD = {
    content: { status: 'error', ename: 'KeyboardInterrupt', evalue: '' }
  };

  it('should take an interrupt that a restart follows for the restart', async () => {
    const { kernel, clock, future, done } = start(false, false);
    future.resolve(KEYBOARD);
    await clock.advance(100);
    kernel.receive(message('shutdown_reply', { restart: true }));
    expect(await done).toMatchObject({ errorName: 'KernelRestarted' });
    expect(clock.waiting).toBe(0);
  });

  it('should take what was aborted before its kernel ended for the end', async () => {
    const { kernel, clock, future, done } = start(false, false);
    future.resolve({ content: { status: 'aborted' } });
    await clock.advance(100);
    kernel.receive(message('shutdown_reply', { restart: false }));
    expect(await done).toMatchObject({ errorName: 'KernelShutDown' });
    expect(clock.waiting).toBe(0);
  });

  it('should tell an interrupt that nothing follows', async () => {
    const { clock, future, done, result } = start(false, false);
    future.resolve(KEYBOARD);
    await clock.advance(100);
    expect(result()).toBeUndefined();
    await clock.advance(1000);
    expect(await done).toMatchObject({ errorName: 'KeyboardInterrupt' });
  });

  it('should tell an interrupt by a client of this tab at once', async () => {
    const { clock, future, done } = start(false, true);
    future.resolve(KEYBOARD);
    expect(await done).toMatchObject({ errorName: 'KeyboardInterrupt' });
    expect(clock.waiting).toBe(0);
  });

  it('should tell code that was queued behind code that failed', async () => {
    const { future, done } = start();
    future.resolve({ content: { status: 'aborted' } });
    expect(await done).toMatchObject({
      status: 'aborted',
      executionCount: null,
      errorName: 'Aborted'
    });
  });

  it('should keep what was printed when the kernel dies, and leave no listener', async () => {
    const { kernel, future, done, result } = start();
    future.onIOPub(message('stream', { name: 'stdout', text: 'before\n' }));
    kernel.autoRestart();
    await done;
    expect(result()).toMatchObject({
      status: 'error',
      errorName: 'KernelDied',
      kernelEnded: true,
      kernelRestarts: true,
      outputs: [{ text: 'before\n' }]
    });
    expect(result()?.errorValue).toContain(
      'before it reported that this began'
    );
    expect(result()?.errorValue).toContain('starting it again');
    expect(future.isDisposed).toBe(true);
  });

  it('should tell code that ran from code that was only queued', async () => {
    const { kernel, future, done, result } = start();
    future.onIOPub(message('execute_input', { code: 'code' }));
    kernel.autoRestart();
    await done;
    expect(result()?.errorValue).toContain('while this ran');
  });

  it('should say so when outputs may be missing though the run ended well', async () => {
    const { kernel, future, done } = start();
    kernel.setConnection('connecting');
    kernel.setConnection('connected');
    future.resolve({ content: { status: 'ok', execution_count: 1 } });
    expect(await done).toMatchObject({
      status: 'ok',
      outputsMayBeMissing: true
    });
  });

  describe('prompts', () => {
    it('should tell what was printed before it, though that came behind it', async () => {
      const { future, report, asks } = start();
      const seen: string[] = [];
      report.prompt = () => seen.push(report.text);
      const asking = asks('> ');
      future.onIOPub(message('stream', { name: 'stdout', text: '1) 2)\n' }));
      await asking;
      expect(seen).toEqual(['1) 2)\n']);
    });

    it('should not report one that the person answered meanwhile', async () => {
      const { report, box, asks } = start();
      const asking = asks('> ');
      box.shown[0].submit('quick');
      await asking;
      expect(report.prompts).toEqual([]);
    });

    it.each(['Name: ', ''])(
      'should report the prompt %j at once',
      async prompt => {
        const { report, box, asks } = start();
        await asks(prompt);
        expect(report.prompts).toHaveLength(1);
        expect(report.prompts[0]).toMatchObject({ prompt, password: false });
        expect(report.prompts[0].isOpen()).toBe(true);
        expect(box.shown[0]).toMatchObject({ prompt, kernel: 'python3' });
      }
    );

    it('should send the agent’s answer once and close the box', async () => {
      const { future, report, box, asks } = start();
      await asks('> ');
      report.prompts[0].answer('42');
      expect(future.answers).toEqual([{ status: 'ok', value: '42' }]);
      expect(box.open).toBe(0);
      expect(() => report.prompts[0].answer('43')).toThrow(/closed/);
      box.shown[0].submit('44');
      expect(future.answers).toHaveLength(1);
    });

    it('should send the person’s answer, after which the agent has none', async () => {
      const { future, report, box, asks } = start();
      await asks('> ');
      box.shown[0].submit('mine');
      expect(future.answers).toEqual([{ status: 'ok', value: 'mine' }]);
      expect(report.prompts[0].isOpen()).toBe(false);
      expect(() => report.prompts[0].answer('late')).toThrow(/closed/);
    });

    it('should never take a password from an agent', async () => {
      const { future, report, box, asks } = start();
      await asks('Password: ', true);
      expect(report.prompts[0].password).toBe(true);
      expect(() => report.prompts[0].answer('hunter2')).toThrow(/password/);
      expect(future.answers).toEqual([]);
      expect(box.open).toBe(1);
    });

    it('should refuse an answer of two lines, and leave the prompt open', async () => {
      const { report, asks } = start();
      await asks('> ');
      expect(() => report.prompts[0].answer('a\nb')).toThrow(/one line/);
      expect(report.prompts[0].isOpen()).toBe(true);
    });

    it('should report each prompt of a debugger', async () => {
      const { future, report, box, asks } = start();
      for (const command of ['n', 'p x', 'c']) {
        await asks('ipdb> ');
        report.prompts.at(-1)?.answer(command);
      }
      expect(future.answers).toHaveLength(3);
      expect(report.prompts).toHaveLength(3);
      expect(box.open).toBe(0);
    });

    it('should take the box away when the run ends without an answer', async () => {
      const { kernel, future, report, box, done, asks } = start();
      await asks('> ');
      future.resolve({
        content: { status: 'error', ename: 'KeyboardInterrupt', evalue: '' }
      });
      await done;
      expect(box.open).toBe(0);
      expect(report.prompts[0].isOpen()).toBe(false);
      expect(kernel.guardsRemoved).toBe(1);
    });
  });
});
