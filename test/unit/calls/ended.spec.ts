import type { Data } from '../../../src/calls/types';
import { KEPT_CHARACTERS, Rig, settle } from './rig';

let rig: Rig;

beforeEach(() => {
  rig = new Rig();
});

/** A call that ended with that many characters while nobody waited for it. */
async function ended(
  characters: number,
  { tool = 'run_code', caller = rig.agent } = {}
): Promise<string> {
  const { call, answer } = await rig.start(caller, tool);
  await rig.clock.advance(20_000);
  await call.done({
    success: true,
    outputs: [{ text: 'x'.repeat(characters) }]
  });
  return String(answer.data.pendingId);
}

async function fetch(pendingId: string, caller = rig.agent): Promise<Data> {
  const answer = rig.wait(pendingId, undefined, caller);
  await settle();
  return answer.data;
}

async function refusal(
  pendingId: string,
  caller = rig.agent
): Promise<unknown> {
  const answer = rig.wait(pendingId, undefined, caller);
  await settle();
  if (answer.error !== undefined) {
    return answer.error;
  }
  const { outcome } = answer;
  return outcome.kind === 'refused' ? outcome.error : outcome;
}

describe('Results of settled calls that take too much memory', () => {
  it('are let go, the oldest first, and as many as must be', async () => {
    const ids = [
      await ended(0.4 * KEPT_CHARACTERS),
      await ended(0.3 * KEPT_CHARACTERS),
      await ended(0.2 * KEPT_CHARACTERS),
      await ended(0.4 * KEPT_CHARACTERS)
    ];
    expect(await refusal(ids[0])).toMatchObject({ code: 'too_large' });
    for (const id of ids.slice(1)) {
      expect(await fetch(id)).toMatchObject({ success: true });
    }
  });

  it('do not vanish: the call stays, and says what to do', async () => {
    const code = await ended(0.9 * KEPT_CHARACTERS);
    const cell = await ended(0.9 * KEPT_CHARACTERS, { tool: 'run_cell' });
    await ended(0.9 * KEPT_CHARACTERS);
    expect(rig.pending.list(rig.agent.client)).toHaveLength(3);
    expect(await refusal(code)).toMatchObject({
      code: 'too_large',
      retryable: false,
      message: expect.stringMatching(
        new RegExp(
          `${code} \\(run_code\\) has ended.*90\\d\\d characters.*Call again`
        )
      )
    });
    expect(await refusal(cell)).toMatchObject({
      message: expect.stringContaining('read_cell')
    });
    expect(rig.pending.list(rig.agent.client)).toHaveLength(1);
  });

  it('count together, whoever made the calls', async () => {
    const other = rig.caller('b');
    const theirs = await ended(0.6 * KEPT_CHARACTERS, { caller: other });
    const own = await ended(0.6 * KEPT_CHARACTERS);
    expect(await refusal(theirs, other)).toMatchObject({ code: 'too_large' });
    expect(await fetch(own)).toMatchObject({ success: true });
  });

  it('leave the newest, however large it is', async () => {
    const small = await ended(10);
    const large = await ended(3 * KEPT_CHARACTERS);
    expect(await refusal(small)).toMatchObject({ code: 'too_large' });
    expect(await fetch(large)).toMatchObject({ success: true });
    // And when a newer one is there, only that large one has to go.
    const newer = await ended(10);
    expect(await refusal(large)).toMatchObject({ code: 'too_large' });
    expect(await fetch(newer)).toMatchObject({ success: true });
  });

  it('leave what other calls were refused with', async () => {
    const { call, answer } = await rig.start();
    await rig.clock.advance(20_000);
    await call.refused('No.');
    await ended(0.9 * KEPT_CHARACTERS);
    await ended(0.9 * KEPT_CHARACTERS);
    expect(await refusal(String(answer.data.pendingId))).toMatchObject({
      message: 'No.'
    });
  });

  it('no longer count once they are let go, at the end of their time too', async () => {
    const first = await ended(0.9 * KEPT_CHARACTERS);
    await rig.clock.advance(10 * 60_000);
    const second = await ended(0.9 * KEPT_CHARACTERS);
    expect(await refusal(first)).toMatchObject({ code: 'not_found' });
    expect(await fetch(second)).toMatchObject({ success: true });
    await rig.clock.advance(10 * 60_000);
    expect(rig.clock.waiting).toBe(0);
  });

  it('stay while they are waited for', async () => {
    const text = 'x'.repeat(0.9 * KEPT_CHARACTERS);
    const one = await rig.start();
    const two = await rig.start();
    await rig.clock.advance(20_000);
    const again = rig.wait(String(one.answer.data.pendingId));
    await settle();
    // Both end before whoever waits for the first has run again.
    void one.call.done({ success: true, text });
    void two.call.done({ success: true, text });
    await settle();
    expect(again.data).toMatchObject({ success: true, text });
  });
});

it('what a tool returns may hold itself', async () => {
  const { call, answer } = await rig.start();
  await rig.clock.advance(20_000);
  const data: Data = { success: true };
  data.self = data;
  await call.done(data);
  expect(await fetch(String(answer.data.pendingId))).toBe(data);
});
