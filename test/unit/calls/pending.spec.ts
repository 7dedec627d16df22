import { ToolError } from '../../../src/calls/errors';
import { DEFAULT_SETTINGS } from '../../../src/calls/settings';
import { FakePrompt, FIRST_CALL, Rig, settle } from './rig';

const ID = `call-${FIRST_CALL}`;
const MINUTES = 60_000;

let rig: Rig;

beforeEach(() => {
  rig = new Rig();
});

/** Starts a call and lets it run into the time-out. */
async function runLong(caller = rig.agent) {
  const started = await rig.start(caller);
  await rig.clock.advance(rig.timeout);
  return { ...started, pendingId: String(started.answer.data.pendingId) };
}

describe('A call that runs longer than executionTimeout', () => {
  it('has 20 seconds, where nobody set another time', () => {
    expect(DEFAULT_SETTINGS.executionTimeout).toBe(20);
  });

  it('returns {status, pendingId, tool, message} and continues', async () => {
    const { call, answer } = await rig.start();
    await rig.clock.advance(19_999);
    expect(answer.isThere).toBe(false);
    await rig.clock.advance(1);
    expect(answer.outcome.kind).toBe('pending');
    expect(answer.data).toEqual({
      status: 'pending',
      pendingId: ID,
      tool: 'run_code',
      message: expect.stringContaining('20 seconds')
    });
    await call.done({ success: true, status: 'ok' });
    const again = rig.wait(ID);
    await settle();
    expect(again.data).toEqual({ success: true, status: 'ok' });
  });

  it('is told in pending of get_context', async () => {
    const { call } = await runLong();
    await rig.clock.advance(5_500);
    expect(rig.pending.list(rig.agent.client)).toEqual([
      {
        pendingId: ID,
        tool: 'run_code',
        command: 'mcp-bridge:run_code',
        seconds: 25
      }
    ]);
    await call.done();
    expect(rig.pending.list(rig.agent.client)).toMatchObject([
      { pendingId: ID, settled: true, seconds: 25 }
    ]);
    rig.wait(ID);
    await settle();
    expect(rig.pending.list(rig.agent.client)).toEqual([]);
  });

  it('is waited for as long as the setting says now', async () => {
    rig.timeout = 5_000;
    const { answer } = await rig.start();
    await rig.clock.advance(5_000);
    expect(answer.data.status).toBe('pending');
  });

  it('leaves no timer behind once it is over', async () => {
    const { call, answer } = await rig.start();
    await call.done();
    expect(answer.data).toEqual({ success: true });
    expect(rig.clock.waiting).toBe(0);
  });
});

describe('A call that did not return a pending result', () => {
  it('is not kept', async () => {
    const { call, answer } = await rig.start();
    await call.done();
    expect(answer.outcome.kind).toBe('done');
    const again = rig.wait(ID);
    await settle();
    expect(again.error).toMatchObject({ code: 'not_found' });
    expect(rig.pending.running(rig.agent.client)).toEqual([]);
    // Nor is its result held anywhere: only memory would tell.
    expect(Reflect.get(rig.pending, '_calls')).toEqual(new Set());
  });

  it('passes a refusal on', async () => {
    const { call, answer } = await rig.start();
    await call.refused('The kernel died.');
    expect(answer.outcome).toMatchObject({
      kind: 'refused',
      error: { message: 'The kernel died.' }
    });
  });
});

describe('wait_for_result', () => {
  it('waits at most timeout seconds', async () => {
    await runLong();
    const again = rig.wait(ID, 3);
    await rig.clock.advance(2_999);
    expect(again.isThere).toBe(false);
    await rig.clock.advance(1);
    expect(again.data).toMatchObject({
      status: 'pending',
      pendingId: ID,
      tool: 'run_code',
      message: expect.stringContaining('23 seconds')
    });
  });

  it('never waits longer than executionTimeout', async () => {
    await runLong();
    const again = rig.wait(ID, 1_000);
    await rig.clock.advance(19_999);
    expect(again.isThere).toBe(false);
    await rig.clock.advance(1);
    expect(again.data.status).toBe('pending');
  });

  it('answers at once with a timeout of 0', async () => {
    await runLong();
    const again = rig.wait(ID, 0);
    await rig.clock.advance(0);
    expect(again.data.status).toBe('pending');
  });

  it('returns the final result in the shape of the original tool', async () => {
    const { call } = await runLong();
    const again = rig.wait(ID);
    const data = { success: false, status: 'error', errorName: 'E' };
    await call.done(data);
    expect(again.data).toEqual(data);
  });

  it('can be called by two at once', async () => {
    const { call } = await runLong();
    const [one, two] = [rig.wait(ID), rig.wait(ID)];
    await call.done();
    expect(one.data).toEqual({ success: true });
    expect(two.data).toEqual({ success: true });
  });

  it("answers another client's handle like one that does not exist", async () => {
    await runLong();
    const messages = [];
    for (const id of [ID, 'call-99']) {
      const other = rig.wait(id, 0, rig.caller('b'));
      await settle();
      expect(other.error).toMatchObject({ code: 'not_found' });
      messages.push(String(other.error).replace(id, 'ID'));
    }
    expect(messages[0]).toBe(messages[1]);
  });

  it('needs the scope of its call', async () => {
    await runLong();
    const again = rig.wait(ID, 0, rig.caller('a', { scope: 'read' }));
    await settle();
    expect(again.error).toMatchObject({ code: 'permission_denied' });
  });

  it('does not repeat a long handle', async () => {
    const again = rig.wait('x'.repeat(5_000), 0);
    await settle();
    expect(String(again.error).length).toBeLessThan(300);
  });
});

describe('A cancelled call', () => {
  it('continues too: wait_for_result gets its result later', async () => {
    const abort = new AbortController();
    const { call, answer } = await rig.start(
      rig.caller('a', { signal: abort.signal })
    );
    abort.abort();
    await settle();
    expect(answer.outcome.kind).toBe('pending');
    await call.done({ success: true, result: 1 });
    const again = rig.wait(ID);
    await settle();
    expect(again.data).toEqual({ success: true, result: 1 });
  });

  it('is listed in pending, also settled, until it is delivered', async () => {
    const abort = new AbortController();
    const { call } = await rig.start(rig.caller('a', { signal: abort.signal }));
    abort.abort();
    await call.done();
    expect(rig.pending.list(rig.agent.client)).toMatchObject([
      { pendingId: ID, settled: true }
    ]);
    rig.wait(ID);
    await settle();
    expect(rig.pending.list(rig.agent.client)).toEqual([]);
  });

  it('keeps what was printed for the answer that is read', async () => {
    const abort = new AbortController();
    const { call } = await rig.start(rig.caller('a', { signal: abort.signal }));
    call.report.printed('one\n');
    abort.abort();
    await settle();
    const again = rig.wait(ID, 0);
    await rig.clock.advance(0);
    expect(again.data.printed).toBe('one\n');
  });

  it('keeps its result when both come in the same moment', async () => {
    const abort = new AbortController();
    const { call, answer } = await rig.start(
      rig.caller('a', { signal: abort.signal })
    );
    const done = call.done({ success: true, result: 7 });
    abort.abort();
    await done;
    expect(answer.outcome.kind).toBe('pending');
    expect(rig.pending.list(rig.agent.client)).toMatchObject([
      { pendingId: ID, settled: true }
    ]);
  });

  it('leaves no listener on the signal', async () => {
    const abort = new AbortController();
    const remove = jest.spyOn(abort.signal, 'removeEventListener');
    const add = jest.spyOn(abort.signal, 'addEventListener');
    const { call } = await rig.start(rig.caller('a', { signal: abort.signal }));
    await call.done();
    expect(add.mock.calls.length).toBe(1);
    expect(remove.mock.calls[0][1]).toBe(add.mock.calls[0][1]);
  });
});

describe('A call that returned a pending result', () => {
  it('stays available for 10 minutes after it settles', async () => {
    const { call } = await runLong();
    await rig.clock.advance(60 * MINUTES);
    await call.done();
    await rig.clock.advance(10 * MINUTES - 1);
    const again = rig.wait(ID);
    await settle();
    expect(again.data).toEqual({ success: true });
    await rig.clock.advance(1);
    const late = rig.wait(ID);
    await settle();
    expect(late.error).toMatchObject({ code: 'not_found' });
    expect(rig.clock.waiting).toBe(0);
  });

  it('is let go even when the timer is late', async () => {
    const { call } = await runLong();
    await call.done();
    const real = rig.clock.now.bind(rig.clock);
    rig.clock.now = () => real() + 10 * MINUTES;
    expect(rig.pending.list(rig.agent.client)).toEqual([]);
  });

  it('is one of 50 settled calls that are kept: the oldest go first', async () => {
    rig.timeout = 1_000;
    const running = await runLong();
    for (let i = 0; i < 52; i++) {
      const { call } = await runLong();
      await call.done({ success: true, i });
    }
    expect(
      rig.pending.list(rig.agent.client).map(({ pendingId }) => pendingId)
    ).toEqual([
      running.pendingId,
      ...Array.from({ length: 50 }, (_, i) => `call-${FIRST_CALL + 3 + i}`)
    ]);
  });

  it('counts for its own client only', async () => {
    rig.timeout = 1_000;
    const other = rig.caller('b');
    const { call } = await runLong(other);
    await call.done();
    for (let i = 0; i < 50; i++) {
      const { call: own } = await runLong();
      await own.done();
    }
    expect(rig.pending.list(other.client)).toHaveLength(1);
    expect(rig.pending.list(rig.agent.client)).toHaveLength(50);
  });

  it('is always kept while it runs', async () => {
    const calls = [];
    for (let i = 0; i < 60; i++) {
      calls.push(await runLong());
    }
    await rig.clock.advance(24 * 60 * MINUTES);
    expect(rig.pending.list(rig.agent.client)).toHaveLength(60);
  });

  it('can be fetched again', async () => {
    const { call } = await runLong();
    await call.done();
    for (let i = 0; i < 3; i++) {
      const again = rig.wait(ID);
      await settle();
      expect(again.data).toEqual({ success: true });
    }
  });
});

describe('printed', () => {
  it('is what was printed since the last answer', async () => {
    const { call, answer } = await rig.start();
    call.report.printed('one\n');
    call.report.printed('two\n');
    await rig.clock.advance(20_000);
    expect(answer.data.printed).toBe('one\ntwo\n');
    const quiet = rig.wait(ID, 1);
    await rig.clock.advance(1_000);
    expect(quiet.data).not.toHaveProperty('printed');
    call.report.printed('three\n');
    const third = rig.wait(ID, 1);
    await rig.clock.advance(1_000);
    expect(third.data.printed).toBe('three\n');
  });

  it('is its last 500 characters, whole ones', async () => {
    const { call, answer } = await rig.start();
    call.report.printed('x'.repeat(100_000));
    call.report.printed(`😀${'y'.repeat(499)}`);
    await rig.clock.advance(20_000);
    expect(answer.data.printed).toBe('y'.repeat(499));
  });

  it('flows as progress while somebody waits', async () => {
    const heard: string[] = [];
    const caller = rig.caller('a', { progress: text => heard.push(text) });
    const { call } = await rig.start(caller);
    call.report.printed('one');
    await rig.clock.advance(20_000);
    call.report.printed('unheard');
    const again = rig.wait(ID, 5, caller);
    call.report.printed('two');
    await call.done();
    call.report.printed('late');
    expect(again.isThere).toBe(true);
    expect(heard).toEqual(['one', 'two']);
  });
});

describe('A prompt', () => {
  it('is a pending result at once, with input', async () => {
    const { call, answer } = await rig.start();
    call.report.prompt(new FakePrompt('Name: '));
    await settle();
    expect(answer.data).toEqual({
      status: 'pending',
      pendingId: ID,
      tool: 'run_code',
      message: expect.stringContaining('answer_input'),
      input: { prompt: 'Name: ', password: false }
    });
  });

  it('may be empty', async () => {
    const { call, answer } = await rig.start();
    call.report.prompt(new FakePrompt(''));
    await settle();
    expect(answer.data.input).toEqual({ prompt: '', password: false });
  });

  it('is answered with answer_input, which then waits for the call', async () => {
    const { call } = await rig.start();
    const prompt = new FakePrompt();
    call.report.prompt(prompt);
    await settle();
    const answer = rig.pending.answerInput(rig.agent, ID, 'Ada');
    expect(prompt.answers).toEqual(['Ada']);
    await call.done({ success: true, status: 'ok' });
    expect(await answer).toEqual({
      kind: 'done',
      data: { success: true, status: 'ok' },
      origin: { tool: 'run_code', scope: 'run' }
    });
  });

  it('that refuses an answer can still be answered', async () => {
    const { call } = await rig.start();
    const prompt = new FakePrompt();
    prompt.refusal = new ToolError('validation_failed', 'One line.');
    call.report.prompt(prompt);
    await settle();
    await expect(
      rig.pending.answerInput(rig.agent, ID, 'two\nlines')
    ).rejects.toMatchObject({ code: 'validation_failed' });
    prompt.refusal = null;
    const answer = rig.pending.answerInput(rig.agent, ID, 'one');
    expect(prompt.answers).toEqual(['one']);
    await call.done();
    expect((await answer).kind).toBe('done');
  });

  it('is told as a terminal shows it', async () => {
    const { call, answer } = await rig.start();
    call.report.prompt(new FakePrompt('\x1b[31mred\x1b[0m? '));
    await settle();
    expect(answer.data.input).toEqual({ prompt: 'red? ', password: false });
  });

  it('that follows another is told when the first is answered', async () => {
    const { call } = await rig.start();
    call.report.prompt(new FakePrompt('first'));
    await settle();
    const answer = rig.pending.answerInput(rig.agent, ID, '1');
    call.report.prompt(new FakePrompt('second'));
    expect(await answer).toMatchObject({
      data: { input: { prompt: 'second' } }
    });
  });

  it('that is open ends each wait at once', async () => {
    const { call } = await rig.start();
    call.report.prompt(new FakePrompt());
    await settle();
    const again = rig.wait(ID);
    await settle();
    expect(again.data.input).toBeDefined();
  });

  it('that the person answered is no longer told', async () => {
    const { call } = await rig.start();
    const prompt = new FakePrompt();
    call.report.prompt(prompt);
    await settle();
    prompt.open = false;
    const again = rig.wait(ID, 1);
    await rig.clock.advance(1_000);
    expect(again.data).not.toHaveProperty('input');
  });

  it('for a password is told once, then waited for, and never answered', async () => {
    const { call, answer } = await rig.start();
    const prompt = new FakePrompt('Password:', true);
    call.report.prompt(prompt);
    await settle();
    expect(answer.data).toMatchObject({
      input: { prompt: 'Password:', password: true },
      message: expect.stringContaining('person')
    });
    await expect(
      rig.pending.answerInput(rig.agent, ID, 'secret')
    ).rejects.toMatchObject({ code: 'operation_refused' });
    expect(prompt.answers).toEqual([]);
    const again = rig.wait(ID);
    await rig.clock.advance(19_000);
    expect(again.isThere).toBe(false);
    await call.done();
    expect(again.data).toEqual({ success: true });
  });

  it('that is not there cannot be answered', async () => {
    const { call } = await runLong();
    await expect(rig.pending.answerInput(rig.agent, ID, 'x')).rejects.toThrow(
      /asks for no input now/
    );
    await call.done();
    await expect(rig.pending.answerInput(rig.agent, ID, 'x')).rejects.toThrow(
      /has ended/
    );
    await expect(
      rig.pending.answerInput(rig.agent, 'call-1', 'x')
    ).rejects.toBeInstanceOf(ToolError);
  });
});

describe('running', () => {
  it("tells the calls of all clients, and the handle of one's own", async () => {
    await runLong();
    await runLong(rig.caller('b'));
    expect(rig.pending.running(rig.agent.client)).toMatchObject([
      { client: { id: 'a' }, tool: 'run_code', seconds: 40, pendingId: ID },
      { client: { id: 'b' }, tool: 'run_code', seconds: 20 }
    ]);
    expect(rig.pending.running(rig.agent.client)[1]).not.toHaveProperty(
      'pendingId'
    );
  });
});

it('A pending result of a run says what it is queued behind, until it begins', async () => {
  const { call, answer } = await rig.start();
  call.report.queued('code, run by another client (b, client 2)');
  await rig.clock.advance(20_000);
  expect(answer.data).toMatchObject({
    status: 'pending',
    queuedBehind: 'code, run by another client (b, client 2)',
    message: expect.stringMatching(/waiting for 20 seconds for its turn/)
  });
  call.report.queued(null);
  const again = rig.wait(String(answer.data.pendingId));
  await rig.clock.advance(20_000);
  expect(again.data).not.toHaveProperty('queuedBehind');
  expect(again.data.message).toMatch(/has been running/);
});
