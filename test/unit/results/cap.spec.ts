import { cap, type ICapOptions } from '../../../src/results/cap';
import { capError } from '../../../src/results/envelope';
import type { IJsonObject, Json } from '../../../src/results/json';
import { bytes } from './support';

const CAP = { cap: 40000, auditId: 12 };
const KEPT: ICapOptions = { ...CAP, keep: () => 'result-5' };

function run(text: string): { [key: string]: Json } {
  return {
    untrusted: true,
    success: true,
    outputs: [{ output_type: 'stream', name: 'stdout', text }]
  };
}

function shown(data: IJsonObject): string {
  const [output] = data.outputs as { text: string }[];
  return output.text;
}

describe('structured content has data, truncation and auditId', () => {
  it('what fits is left as it is', () => {
    expect(cap(run('x'), CAP)).toEqual({
      data: run('x'),
      truncation: null,
      auditId: 12
    });
    expect(cap(run('x'), { ...CAP, auditId: null }).auditId).toBeNull();
  });

  it('R’s fields of the bounder are not in data', () => {
    const { data } = cap(
      {
        a: 1,
        truncated: true,
        truncationNote: '',
        truncation: [],
        truncationCount: 3
      },
      CAP
    );
    expect(data).toEqual({ a: 1 });
  });

  it.each([39999, 40000, 40001])('%d bytes', length => {
    const data = run('é'.repeat(1000) + 'x'.repeat(10));
    const spare = length - bytes(cap(data, CAP));
    const envelope = cap({ ...data, source: 'x'.repeat(spare - 12) }, CAP);
    expect(envelope.truncation === null).toBe(length <= 40000);
    expect(bytes(envelope)).toBeLessThanOrEqual(40000);
    expect(bytes(envelope) === length).toBe(length <= 40000);
  });

  it('the audit id counts', () => {
    const data = run('x'.repeat(40000 - bytes(cap(run(''), CAP))));
    expect(cap(data, CAP).truncation).toBeNull();
    expect(cap(data, { ...CAP, auditId: 123 }).truncation).not.toBeNull();
  });
});

describe('a tool that reads in parts', () => {
  const text = Array.from({ length: 98000 }, (_, i) => i % 10).join('');
  const file = {
    success: true,
    filePath: 'a.txt',
    content: text,
    revision: 'r1'
  };

  it('its text is cut to fit and ends in Q’s note', () => {
    const { data, truncation } = cap(file, { ...CAP, range: 'content' });
    const returned = truncation?.returned ?? 0;
    expect(returned).toBeGreaterThan(39000);
    expect(data).toEqual({
      ...file,
      content: `${text.slice(0, returned)}\n[truncated: ${returned} of 98000 characters. Call again with the nextRange from this result to read more.]`
    });
    expect(truncation).toEqual({
      field: 'content',
      returned,
      total: 98000,
      nextRange: { offset: returned, length: 98000 - returned, revision: 'r1' },
      resultId: null,
      cuts: [],
      count: 1
    });
  });

  it('a part is told as one of the whole', () => {
    const part = {
      ...file,
      content: text.slice(10000, 90000),
      range: { offset: 10000, total: 98000 },
      nextRange: { offset: 90000, length: 8000, revision: 'r1' }
    };
    const { data, truncation } = cap(part, { ...KEPT, range: 'content' });
    const returned = truncation?.returned ?? 0;
    const next = {
      offset: 10000 + returned,
      length: 80000 - returned,
      revision: 'r1'
    };
    expect(truncation).toMatchObject({
      total: 98000,
      nextRange: next,
      resultId: null
    });
    expect(data.nextRange).toEqual(next);
    expect(data.content).toContain(
      `[truncated: ${returned} of 98000 characters.`
    );
  });

  it('no part ends inside a grapheme, and the parts join', () => {
    const farmer = '👩‍🌾';
    const source = farmer.repeat(9000);
    let joined = '';
    while (joined.length < source.length) {
      const { data, truncation } = cap(
        {
          source: source.slice(joined.length),
          range: { offset: joined.length, total: source.length }
        },
        { ...CAP, cap: 4000, range: 'source' }
      );
      const part = String(data.source).slice(0, truncation?.returned);
      expect(part.length % farmer.length).toBe(0);
      joined += part;
    }
    expect(joined).toBe(source);
  });

  it('everything else is shortened first where it leaves no room', () => {
    const outputs = run('o'.repeat(100000)).outputs;
    const { data, truncation } = cap(
      { source: 's'.repeat(5000), outputs },
      { ...KEPT, range: 'source' }
    );
    expect(data.source).toBe('s'.repeat(5000));
    expect(truncation).toMatchObject({ field: 'outputs[0].text', count: 1 });
  });

  it('with both cut, its own text comes last and the cuts are told', () => {
    const outputs = run('o'.repeat(100000)).outputs;
    const { data, truncation } = cap(
      { source: 's'.repeat(90000), outputs },
      { ...KEPT, range: 'source' }
    );
    const { returned = 0 } = truncation ?? {};
    expect(returned).toBeGreaterThan(17000);
    expect(shown(data)).toMatch(
      /^o+\n\[\.\.\. \d+ characters omitted \.\.\.\]\no+$/
    );
    expect(truncation).toMatchObject({
      field: 'source',
      nextRange: { offset: returned, length: 90000 - returned },
      resultId: 'result-5',
      cuts: [
        { path: 'source', omittedCharacters: 90000 - returned },
        { path: 'outputs[0].text', omittedCharacters: 98000 }
      ],
      count: 2
    });
  });
});

describe('any other tool', () => {
  it('R’s steps cut, and the note names read_result', () => {
    const envelope = cap(run('x'.repeat(100000)), KEPT);
    const note =
      '[truncated: 20000 of 100000 characters. Call read_result with the resultId, field and nextRange from this result to read more.]';
    expect(envelope).toEqual({
      data: run(
        `${'x'.repeat(10000)}\n[... 80000 characters omitted ...]\n${'x'.repeat(10000)}\n${note}`
      ),
      truncation: {
        field: 'outputs[0].text',
        returned: 20000,
        total: 100000,
        nextRange: { offset: 10000, length: 90000 },
        resultId: 'result-5',
        cuts: [],
        count: 1
      },
      auditId: 12
    });
  });

  it('what cannot be kept cannot be read on', () => {
    const { data, truncation } = cap(run('x'.repeat(100000)), CAP);
    expect(shown(data)).toMatch(
      /\n\[truncated: 20000 of 100000 characters\.\]$/
    );
    expect(truncation).toMatchObject({ nextRange: null, resultId: null });
  });

  it('the largest of several cuts is the field, all are told', () => {
    const outputs = [30000, 90000, 40000].map(n => ({ text: 'x'.repeat(n) }));
    const { data, truncation } = cap({ outputs }, KEPT);
    expect(truncation).toMatchObject({
      field: 'outputs[1].text',
      total: 90000,
      count: 3,
      cuts: [
        { path: 'outputs[0].text', omittedCharacters: 28000 },
        { path: 'outputs[1].text', omittedCharacters: 88000 },
        { path: 'outputs[2].text', omittedCharacters: 38000 }
      ]
    });
    expect(JSON.stringify(data).match(/truncated:/g)).toHaveLength(1);
  });

  it('bytes are what counts, also of what is kept at each end', () => {
    const { data, truncation } = cap(run('日'.repeat(14000)), KEPT);
    expect(truncation?.returned).toBe(2 * 3333);
    expect(bytes(data)).toBeLessThan(21000);
    expect(cap(run('日'.repeat(13000)), KEPT).truncation).toBeNull();
  });

  it('a result that reads in a kept one keeps that one’s id', () => {
    const keep = jest.fn(() => 'result-9');
    const { truncation } = cap(
      { resultId: 'result-1', text: 'x'.repeat(90000) },
      { ...CAP, keep, range: 'text' }
    );
    expect(truncation?.resultId).toBe('result-1');
    expect(keep).not.toHaveBeenCalled();
  });
});

describe('when the last step is not enough', () => {
  it('the vital fields and a preview are left', () => {
    const fields = Object.fromEntries(
      Array.from({ length: 9000 }, (_, i) => [`key ${i}`, i])
    );
    const whole = { untrusted: true, success: true, fields };
    const json = JSON.stringify(whole);
    const { data, truncation } = cap(whole, KEPT);
    expect(Object.keys(data)).toEqual([
      'untrusted',
      'success',
      'message',
      'preview'
    ]);
    const returned = truncation?.returned ?? 0;
    expect(truncation).toEqual({
      field: 'preview',
      returned,
      total: json.length,
      nextRange: { offset: returned, length: json.length - returned },
      resultId: 'result-5',
      cuts: [],
      count: 1
    });
    expect(String(data.preview)).toBe(
      `${json.slice(0, returned)}\n[truncated: ${returned} of ${json.length} characters. Call read_result with the resultId, field and nextRange from this result to read more.]`
    );
    expect(data.message).toContain(`${json.length} characters`);
  });
});

describe('an error object is within the cap too', () => {
  const error = { code: 'not_found', auditId: 1, retryable: false };

  it('a message that fits stays', () => {
    expect(capError({ ...error, message: 'no\ud800' }, CAP)).toEqual({
      ...error,
      message: 'no\ufffd'
    });
  });

  it('of a long one the middle goes', () => {
    const message = `begin ${'日'.repeat(50000)} end`;
    const capped = capError({ ...error, message }, CAP);
    expect(capped.message).toMatch(
      /^begin 日+\n\[\.\.\. \d+ characters omitted \.\.\.\]\n日+ end$/
    );
    expect(bytes(capped)).toBeLessThanOrEqual(40000);
    expect(bytes(capped)).toBeGreaterThan(39900);
  });

  it('secrets go from it', () => {
    const redact = (text: string) => text.replace('secret', '[redacted]');
    expect(
      capError({ ...error, message: 'a secret' }, { ...CAP, redact }).message
    ).toBe('a [redacted]');
  });
});
