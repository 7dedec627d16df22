import * as fc from 'fast-check';
import { DEFAULT_SETTINGS } from '../../../src/calls/settings';
import type { Data, ICaller, IOrigin, Outcome } from '../../../src/calls/types';
import { bound } from '../../../src/results/bound';
import { cap } from '../../../src/results/cap';
import { Kept } from '../../../src/results/kept';
import { type Redact, redactor } from '../../../src/results/redact';
import type { IToolContext } from '../../../src/tools/context';
import { readResult } from '../../../src/tools/results';
import { presentMcp } from '../../../src/surfaces/envelope';
import { presentWebMcp } from '../../../src/surfaces/plain';
import { CLIENT, FakeEngine, tool } from '../surfaces/fakeEngine';
import { PROPERTY, timeFor } from '../../support/property';

let now = 0;
let redact: Redact;
let kept: Kept<IOrigin>;

beforeEach(() => {
  now = 0;
  redact = redactor([]);
  kept = new Kept({
    now: () => now,
    random: () => 0,
    redact: text => redact(text)
  });
});

async function read(
  args: Data,
  {
    client = 'a',
    surface = 'mcp',
    limit = 40_000,
    scope = 'run',
    dialogs = [] as readonly Data[]
  } = {}
): Promise<Data> {
  const bound = readResult.bind(args);
  const caller = { client: { id: client }, surface, scope } as ICaller;
  const context = {
    kept,
    settings: { ...DEFAULT_SETTINGS, maxResultLength: limit },
    dialogs: { readable: async () => {}, list: () => dialogs }
  } as unknown as IToolContext;
  const report = {
    printed: () => {},
    prompt: () => {},
    queued: () => {}
  };
  return (await bound.handler?.({ caller, report, context })) ?? {};
}

describe('read_result', () => {
  it('reads a range of the field that was cut', async () => {
    const id = kept.keep(
      'a',
      { outputs: [{ text: '0123456789' }] },
      'outputs[0].text',
      40
    );
    expect(
      await read({ resultId: id, range: { offset: 2, length: 3 } })
    ).toEqual({
      success: true,
      resultId: id,
      field: 'outputs[0].text',
      text: '234',
      range: { offset: 2, total: 10 },
      nextRange: { offset: 5, length: 3 }
    });
  });

  it('ends without a nextRange', async () => {
    const id = kept.keep('a', { text: '0123' }, 'text', 40);
    expect(await read({ resultId: id })).not.toHaveProperty('nextRange');
    expect(await read({ resultId: id, range: { offset: 9 } })).toMatchObject({
      text: '',
      range: { offset: 4, total: 4 }
    });
  });

  it('reads another field, and the whole as JSON', async () => {
    const id = kept.keep('a', { text: 'x', list: [1, 2] }, 'text', 40);
    expect(await read({ resultId: id, field: 'list' })).toMatchObject({
      text: '[1,2]'
    });
    expect(await read({ resultId: id, field: '' })).toMatchObject({
      text: '{"text":"x","list":[1,2]}'
    });
  });

  it('answers a result that is gone like one that never was', async () => {
    const id = kept.keep('a', { text: 'x' }, 'text', 40);
    await expect(read({ resultId: id }, { client: 'b' })).rejects.toMatchObject(
      { code: 'not_found', message: expect.stringContaining(`"${id}"`) }
    );
    now = 600_000;
    await expect(read({ resultId: id })).rejects.toMatchObject({
      code: 'not_found'
    });
  });

  it('needs the scope of the call that the result came of', async () => {
    const origin = { tool: 'run_code', scope: 'run' } as const;
    const id = kept.keep('a', { text: 'x' }, 'text', 40, origin);
    for (const field of ['text', 'nothing']) {
      await expect(
        read({ resultId: id, field }, { scope: 'write' })
      ).rejects.toMatchObject({
        code: 'permission_denied',
        message: expect.stringMatching(/run_code needs the scope "run"/)
      });
    }
    expect(await read({ resultId: id }, { scope: 'run' })).toMatchObject({
      text: 'x'
    });
    await expect(
      read({ resultId: id }, { client: 'b', scope: 'read' })
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each(['mcp', 'webmcp'])(
    'of a run that was cut on %s is refused to a client that may only read',
    async surface => {
      const engine = new FakeEngine();
      const outcome: Outcome = {
        kind: 'done',
        data: { success: true, outputs: [{ text: 'x'.repeat(90_000) }] },
        origin: { tool: 'run_code', scope: 'run' }
      };
      const told =
        surface === 'webmcp'
          ? presentWebMcp(outcome, { client: CLIENT, engine })
          : presentMcp(outcome, {
              client: CLIENT,
              engine,
              tool: tool('wait_for_result'),
              auditId: null
            }).structuredContent?.truncation;
      const resultId: unknown = Object(told).resultId;
      expect(resultId).toMatch(/^result-/);
      kept = engine.kept;
      const client = CLIENT.id;
      await expect(
        read({ resultId }, { client, surface, scope: 'read' })
      ).rejects.toMatchObject({ code: 'permission_denied' });
      expect(await read({ resultId }, { client, surface })).toMatchObject({
        success: true
      });
    }
  );

  it.each(['mcp', 'webmcp'])(
    'on %s shows no piece of a secret that became known later',
    async surface => {
      const secret = 'corr"ect\\horse é';
      const text = `${'x'.repeat(20)}${secret}${'y'.repeat(20)}`;
      const whole = { text, list: [{ error: JSON.stringify(text) }] };
      const id = kept.keep('a', whole, 'text', 40);
      expect(await read({ resultId: id }, { surface })).toEqual({
        success: true,
        resultId: id,
        field: 'text',
        text,
        range: { offset: 0, total: text.length }
      });
      redact = redactor([secret]);
      for (const field of ['text', '', 'list', 'list[0].error']) {
        for (let offset = 0; offset < 2 * text.length; offset++) {
          const data = await read(
            { resultId: id, field, range: { offset, length: 12 } },
            { surface }
          );
          expect(data.text).not.toMatch(/corr|horse/);
          expect(data.message).toMatch(/became known after/);
        }
      }
      const shown = `${'x'.repeat(20)}[redacted]${'y'.repeat(20)}`;
      expect(await read({ resultId: id }, { surface })).toMatchObject({
        text: shown,
        range: { offset: 0, total: shown.length }
      });
    }
  );

  it('says that there is no such field', async () => {
    const id = kept.keep('a', { text: 'x' }, 'text', 40);
    await expect(
      read({ resultId: id, field: 'constructor' })
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([1500, 40_000])(
    'joins to the original beside an open dialog within %i characters',
    async limit => {
      const engine = new FakeEngine();
      engine.settings = { ...DEFAULT_SETTINGS, maxResultLength: limit };
      const dialogs = [
        { id: 'dialog-1', title: 'File Load Error', body: 'b'.repeat(3000) }
      ];
      const whole = { text: 'x"y\n'.repeat(20_000), ['k '.repeat(200)]: 1 };
      const id = kept.keep('a', whole, 'text', 80_000);
      let joined = '';
      let range: unknown = { offset: 0 };
      while (range) {
        const data = await read(
          { resultId: id, range },
          { surface: 'webmcp', limit, dialogs }
        );
        // As each call tells what is open.
        const told = presentWebMcp(
          { kind: 'done', data: { ...data, dialogs } },
          { client: CLIENT, engine }
        );
        joined += String(told.text);
        range = told.nextRange;
      }
      expect(joined).toBe(whole.text);
    }
  );

  it(
    'joins to the original on both surfaces, whatever the limit',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.string({ unit: 'binary', minLength: 1, maxLength: 400 }),
          fc.nat(40),
          fc.constantFrom('mcp', 'webmcp'),
          fc.option(fc.integer({ min: 1, max: 5_000 })),
          async (unit, times, surface, length) => {
            const whole = unit.repeat(times + 1);
            const id = kept.keep('a', { text: whole }, 'text', 40);
            let range: unknown = { offset: 0, ...(length ? { length } : {}) };
            let joined = '';
            while (range) {
              const data = await read(
                { resultId: id, range },
                { surface, limit: 1_000 }
              );
              const told = surface === 'webmcp' ? data : capped(data);
              if (surface === 'webmcp') {
                expect(bound(data, { limit: 1_000 })).toEqual(data);
              }
              joined += String(told.text);
              range = told.nextRange;
            }
            expect(joined).toBe(whole);
          }
        ),
        PROPERTY
      );
    },
    timeFor(20)
  );
});

/** What MCP shows, without the note that a cut text ends in. */
function capped(data: Data): Data {
  const envelope = cap(data, { cap: 4_000, auditId: null, range: 'text' });
  const text = String(envelope.data.text);
  return {
    ...envelope.data,
    text: envelope.truncation
      ? text.replace(/\n\[truncated: [^\]]*\]$/, '')
      : text
  };
}
