import { RETRYABLE, type ErrorCode } from '../../../protocol/codes';
import { DEFAULT_SETTINGS } from '../../../src/calls/settings';
import { ToolError } from '../../../src/calls/errors';
import { withPicture } from '../../../src/calls/picture';
import type { Data, Outcome } from '../../../src/calls/types';
import {
  type IMcpResult,
  presentMcp,
  UNTRUSTED_SENTENCE
} from '../../../src/surfaces/envelope';
import { CLIENT, FakeEngine, tool } from './fakeEngine';

function present(
  outcome: Outcome,
  options: {
    untrusted?: boolean;
    auditId?: number | null;
    engine?: FakeEngine;
  } = {}
): IMcpResult {
  const { untrusted = true, auditId = null } = options;
  return presentMcp(outcome, {
    tool: tool('look', { untrusted }),
    auditId,
    client: CLIENT,
    engine: options.engine ?? new FakeEngine()
  });
}

function done(data: Data): Outcome {
  return { kind: 'done', data };
}

function texts({ content }: IMcpResult): string[] {
  return content.flatMap(block => (block.type === 'text' ? block.text : []));
}

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

describe('presentMcp()', () => {
  it('puts R’s object into Q’s envelope, the same JSON as the last text', () => {
    const result = present(done({ success: true, x: 1 }), { auditId: 7 });
    expect(result.structuredContent).toEqual({
      data: { untrusted: true, success: true, x: 1 },
      truncation: null,
      auditId: 7
    });
    expect(texts(result)).toEqual([
      UNTRUSTED_SENTENCE,
      JSON.stringify(result.structuredContent)
    ]);
    expect(result).not.toHaveProperty('isError');
  });

  it('begins data that others may have written with untrusted: true', () => {
    const { structuredContent, content } = present(done({ success: true }));
    expect(JSON.stringify(structuredContent)).toMatch(
      /^\{"data":\{"untrusted":true,/
    );
    expect(content[0]).toMatchObject({ text: UNTRUSTED_SENTENCE });
    const own = present(done({ success: true }), { untrusted: false });
    expect(own.structuredContent?.data).toEqual({ success: true });
    expect(own.content).toHaveLength(1);
  });

  it.each(['dialogs', 'dialog', 'input', 'printed'])(
    'does so for any tool when a result comes with %s',
    name => {
      const result = present(done({ success: true, [name]: ['x'] }), {
        untrusted: false
      });
      expect(result.structuredContent?.data).toMatchObject({ untrusted: true });
      expect(texts(result)[0]).toBe(UNTRUSTED_SENTENCE);
    }
  );

  it('tells code that raised as data, with MCP’s isError too', () => {
    const result = present(
      done({ success: false, errorName: 'ValueError', isError: true })
    );
    expect(result.isError).toBe(true);
    expect(result.structuredContent?.data).toEqual({
      untrusted: true,
      success: false,
      errorName: 'ValueError',
      isError: true
    });
  });

  it('shows a picture as an image block, the facts about it as the last text', () => {
    const facts = {
      success: true,
      kind: 'image/png',
      bytes: 3,
      width: 1,
      height: 1
    };
    const { content, ...others } = present(
      done(withPicture(facts, { data: 'QUJD', mimeType: 'image/png' })),
      { auditId: 5 }
    );
    expect(others).toEqual({});
    expect(content).toEqual([
      { type: 'text', text: UNTRUSTED_SENTENCE },
      { type: 'image', data: 'QUJD', mimeType: 'image/png' },
      {
        type: 'text',
        text: JSON.stringify({
          data: { untrusted: true, ...facts },
          truncation: null,
          auditId: 5
        })
      }
    ]);
  });

  it('presents a pending result like any other', () => {
    const data = { status: 'pending', pendingId: 'call-1' };
    expect(
      present({ kind: 'pending', data }).structuredContent?.data
    ).toMatchObject(data);
  });

  it.each(Object.keys(RETRYABLE) as ErrorCode[])(
    'tells %s with whether to try again',
    code => {
      const error = new ToolError(code, 'Do this instead.');
      expect(present({ kind: 'refused', error }, { auditId: 12 })).toEqual({
        isError: true,
        structuredContent: {
          code,
          message: 'Do this instead.',
          auditId: 12,
          retryable: RETRYABLE[code]
        },
        content: [{ type: 'text', text: 'Do this instead. (audit id 12)' }]
      });
    }
  );

  it('says in an error which dialog was answered on the way', () => {
    const error = new ToolError('operation_refused', 'It failed.', {
      answered: { dialogId: 'dialog-3', button: 'Say "yes"' },
      dialogs: [{ id: 'dialog-4', title: 'Save?' }]
    });
    expect(present({ kind: 'refused', error }).structuredContent?.message).toBe(
      'It failed. The dialog dialog-3 was answered with "Say \\"yes\\"". Open dialogs: dialog-4 "Save?".'
    );
  });

  it('ends an error with the dialogs that are open', () => {
    const error = new ToolError('operation_refused', 'No.', {
      dialogs: [
        { id: 'dialog-3', title: 'Select "Kernel"', body: 'secret text' },
        { id: 'dialog-4', title: 'Save?' }
      ]
    });
    expect(present({ kind: 'refused', error }).structuredContent?.message).toBe(
      'No. Open dialogs: dialog-3 "Select \\"Kernel\\"", dialog-4 "Save?".'
    );
  });

  it.each([4000, 40000])('keeps within a cap of %i bytes, errors too', cap => {
    const engine = new FakeEngine();
    engine.settings = { ...DEFAULT_SETTINGS, readCap: cap };
    const text = '"é€😀\n'.repeat(30000);
    const results = [
      present(done({ success: true, outputs: [{ text }], a: [text] }), {
        engine,
        auditId: 123456789
      }),
      present(
        { kind: 'refused', error: new ToolError('internal_error', text) },
        { engine, auditId: 123456789 }
      )
    ];
    for (const result of results) {
      expect(bytes(result.structuredContent)).toBeLessThanOrEqual(cap);
    }
    expect(bytes(results[1].structuredContent)).toBeGreaterThan(cap / 2);
    expect(results[0].structuredContent?.truncation).not.toBeNull();
  });

  it('keeps what was cut, for this client only', () => {
    const engine = new FakeEngine();
    const text = 'x'.repeat(100000);
    const { structuredContent } = present(done({ success: true, text }), {
      engine
    });
    const { truncation } = structuredContent as {
      truncation: { resultId: string; field: string };
    };
    const read = (client: string) =>
      engine.kept.read(client, truncation.resultId, truncation.field);
    expect(read(CLIENT.id)).toMatchObject({ found: { total: 100000 } });
    expect(read('another')).toEqual({ missing: 'result' });
  });

  it('names no secret of the tab, in data and in errors', () => {
    const error = new ToolError('not_found', 'No file tokentoken.txt');
    for (const result of [
      present(done({ success: true, text: 'a tokentoken b' })),
      present({ kind: 'refused', error })
    ]) {
      expect(JSON.stringify(result)).not.toContain('tokentoken');
      expect(JSON.stringify(result)).toContain('[redacted]');
    }
  });
});
