import { bound } from '../../../src/results/bound';
import type { IJsonObject, Json } from '../../../src/results/json';
import { characters, isWellFormed } from './support';

const LIMIT = { limit: 40000 };

function stream(text: string): { [key: string]: Json } {
  return { output_type: 'stream', name: 'stdout', text };
}

function run(text: string): { [key: string]: Json } {
  return { success: true, status: 'ok', outputs: [stream(text)] };
}

/** The text of the first output. */
function shown(result: IJsonObject): string {
  const [output] = result.outputs as { text: string }[];
  return output.text;
}

/** A result whose JSON has exactly this many characters. */
function ofLength(length: number): { [key: string]: Json } {
  return run('x'.repeat(length - characters(run(''))));
}

describe('a result must fit within maxResultLength characters of JSON', () => {
  it('R’s example: the middle of a long output is left out', () => {
    const result = bound(run(`${'x'.repeat(100000)}\n`), LIMIT);
    expect(result).toEqual({
      ...run(
        `${'x'.repeat(10000)}\n[... 80001 characters omitted ...]\n${'x'.repeat(9999)}\n`
      ),
      truncated: true,
      truncationNote: expect.stringMatching(/"truncation"/),
      truncation: [{ path: 'outputs[0].text', omittedCharacters: 80001 }]
    });
  });

  it.each([39999, 40000])('%d characters stay as they are', length => {
    const data = ofLength(length);
    expect(characters(data)).toBe(length);
    expect(bound(data, LIMIT)).toEqual(data);
  });

  it('40,001 characters are shortened', () => {
    const result = bound(ofLength(40001), LIMIT);
    expect(result.truncated).toBe(true);
    expect(characters(result)).toBeLessThanOrEqual(40000);
  });

  it('what counts is the JSON: newlines and quotes take two characters', () => {
    expect(characters(run('\n'.repeat(20001)))).toBeGreaterThan(40000);
    expect(bound(run('\n'.repeat(20001)), LIMIT).truncated).toBe(true);
    expect(bound(run('\n'.repeat(19900)), LIMIT).truncated).toBeUndefined();
    expect(bound(run('"'.repeat(8000)), LIMIT).truncated).toBeUndefined();
    expect(bound(run('"'.repeat(20000)), LIMIT).truncated).toBe(true);
  });
});

describe('the steps run in order until it fits', () => {
  it('1: strings in outputs and traceback keep a quarter at each end', () => {
    const result = bound(run('x'.repeat(70000)), LIMIT);
    expect(shown(result)).toBe(
      `${'x'.repeat(10000)}\n[... 50000 characters omitted ...]\n${'x'.repeat(10000)}`
    );
    expect(shown(bound(run('x'.repeat(7000)), { limit: 3000 }))).toBe(
      `${'x'.repeat(750)}\n[... 5500 characters omitted ...]\n${'x'.repeat(750)}`
    );
  });

  it('2: they keep 1,000 characters at each end', () => {
    const long = 'x'.repeat(30000);
    const result = bound(
      {
        outputs: [stream(long), stream(long), stream(long)],
        source: 'y'.repeat(20000),
        traceback: [long]
      },
      LIMIT
    );
    const cut = `${'x'.repeat(1000)}\n[... 28000 characters omitted ...]\n${'x'.repeat(1000)}`;
    expect(result.outputs).toEqual([stream(cut), stream(cut), stream(cut)]);
    expect(result.traceback).toEqual([cut]);
    expect(result.source).toBe('y'.repeat(20000));
    expect(result.truncation).toEqual([
      { path: 'outputs[0].text', omittedCharacters: 28000 },
      { path: 'outputs[1].text', omittedCharacters: 28000 },
      { path: 'outputs[2].text', omittedCharacters: 28000 },
      { path: 'traceback[0]', omittedCharacters: 28000 }
    ]);
  });

  it('3: all strings keep 500 characters at each end, arrays 50 items', () => {
    const result = bound(
      {
        ...run('x'.repeat(30000)),
        source: 'y'.repeat(90000),
        list: Array.from({ length: 60 }, (_, i) => i)
      },
      LIMIT
    );
    expect(result.source).toBe(
      `${'y'.repeat(500)}\n[... 89000 characters omitted ...]\n${'y'.repeat(500)}`
    );
    expect(shown(result)).toHaveLength(2 * 500 + 36);
    expect(result.list).toEqual(Array.from({ length: 50 }, (_, i) => i));
    expect(result.truncation).toContainEqual({
      path: 'list',
      omittedItems: 10
    });
  });

  it('4: all strings keep 150 characters at each end, arrays 10 items', () => {
    const result = bound(
      { list: Array.from({ length: 60 }, () => 'z'.repeat(2000)) },
      LIMIT
    );
    const cut = `${'z'.repeat(150)}\n[... 1700 characters omitted ...]\n${'z'.repeat(150)}`;
    expect(result.list).toEqual(Array.from({ length: 10 }, () => cut));
    expect(result.truncation).toEqual([
      { path: 'list', omittedItems: 50 },
      ...Array.from({ length: 10 }, (_, i) => ({
        path: `list[${i}]`,
        omittedCharacters: 1700
      }))
    ]);
  });

  it('outputs at any depth are meant', () => {
    const result = bound(
      {
        cells: [
          { source: 's'.repeat(300), outputs: [stream('x'.repeat(50000))] }
        ]
      },
      LIMIT
    );
    expect(result.truncation).toEqual([
      { path: 'cells[0].outputs[0].text', omittedCharacters: 30000 }
    ]);
  });

  it('tracebacks keep their last items, where the error is', () => {
    const traceback = Array.from({ length: 80 }, (_, i) => `${i} `.repeat(600));
    const result = bound({ success: false, traceback }, { limit: 5000 });
    const [first] = result.traceback as string[];
    expect(result.traceback).toHaveLength(10);
    expect(first.startsWith('70 ')).toBe(true);
    expect(result.truncation).toContainEqual({
      path: 'traceback',
      omittedItems: 70
    });
    expect(result.truncation).toContainEqual({
      path: 'traceback[79]',
      omittedCharacters: 1500
    });
  });
});

describe('a string is cut only when it is longer than twice the kept length plus 40', () => {
  it.each([
    [2040, false],
    [2041, true]
  ])('%d characters', (length, isCut) => {
    const long = stream('y'.repeat(60000));
    const result = bound(
      { outputs: [stream('x'.repeat(length)), long, long, long, long] },
      { limit: 12000 }
    );
    expect(shown(result).length < length).toBe(isCut);
  });

  it('a value is cut once: its note stands alone in it', () => {
    const result = bound(
      { outputs: Array.from({ length: 9 }, () => stream('x'.repeat(20000))) },
      { limit: 10000 }
    );
    expect(JSON.stringify(result.outputs).match(/omitted/g)).toHaveLength(9);
    expect(shown(result)).toContain('[... 19700 characters omitted ...]');
  });

  it('no cut splits a surrogate pair or a grapheme', () => {
    const farmer = '👩‍🌾';
    for (let shift = 0; shift < farmer.length; shift++) {
      const text = 'x'.repeat(shift) + farmer.repeat(20000);
      const result = bound(run(text), LIMIT);
      const [head, tail] = shown(result).split(/\n\[\.\.\. \d+ .*\]\n/);
      expect(isWellFormed(result)).toBe(true);
      expect(head.length).toBeGreaterThan(10000 - farmer.length);
      expect(head.length).toBeLessThanOrEqual(10000);
      expect(head.slice(shift)).toBe(
        farmer.repeat((head.length - shift) / farmer.length)
      );
      expect(tail).toBe(farmer.repeat(tail.length / farmer.length));
      expect(result.truncation).toEqual([
        {
          path: 'outputs[0].text',
          omittedCharacters: text.length - head.length - tail.length
        }
      ]);
    }
  });
});

describe('a shortened result keeps its fields and says so', () => {
  it('the first 20 cuts are told, and their number when there are more', () => {
    const outputs = Array.from({ length: 21 }, () => stream('x'.repeat(3000)));
    const result = bound({ outputs }, { limit: 50000 });
    expect(result.truncation).toHaveLength(20);
    expect(result.truncationCount).toBe(21);
    const fewer = bound({ outputs: outputs.slice(0, 20) }, { limit: 50000 });
    expect(fewer.truncation).toHaveLength(20);
    expect(fewer).not.toHaveProperty('truncationCount');
  });

  it('paths name keys that are no names in quotes', () => {
    const result = bound(
      { outputs: [{ data: { 'text/plain': 'x'.repeat(50000) } }] },
      LIMIT
    );
    expect(result.truncation).toEqual([
      { path: 'outputs[0].data["text/plain"]', omittedCharacters: 30000 }
    ]);
  });

  it('the whole is kept under a resultId', () => {
    const kept: [IJsonObject, string][] = [];
    const result = bound(run('x'.repeat(90000)), {
      ...LIMIT,
      keep: (whole, field) => {
        kept.push([whole, field]);
        return 'result-7';
      }
    });
    expect(result.resultId).toBe('result-7');
    expect(result.truncationNote).toMatch(/read_result/);
    expect(kept).toEqual([[run('x'.repeat(90000)), 'outputs[0].text']]);
  });

  it('what is too large to be kept has none', () => {
    const result = bound(run('x'.repeat(90000)), {
      ...LIMIT,
      keep: () => null
    });
    expect(result).not.toHaveProperty('resultId');
    expect(result.truncationNote).not.toMatch(/read_result/);
  });

  it('nothing is kept of what fits', () => {
    const keep = jest.fn(() => 'result-1');
    bound(run('x'), { ...LIMIT, keep });
    expect(keep).not.toHaveBeenCalled();
  });
});

describe('when the last step is not enough', () => {
  const fields = Object.fromEntries(
    Array.from({ length: 5000 }, (_, i) => [`key ${i}`, i])
  );

  it('the result keeps success, isError, status, pendingId and error', () => {
    const data = {
      success: false,
      isError: true,
      status: 'error',
      pendingId: 'call-4',
      error: 'KeyError',
      fields
    };
    const result = bound(data, { ...LIMIT, keep: () => 'result-3' });
    expect(Object.keys(result)).toEqual([
      'success',
      'isError',
      'status',
      'pendingId',
      'error',
      'truncated',
      'message',
      'resultId',
      'preview'
    ]);
    expect(result).toMatchObject({
      success: false,
      isError: true,
      status: 'error',
      pendingId: 'call-4',
      error: 'KeyError',
      truncated: true,
      message: expect.stringContaining(String(characters(data))),
      resultId: 'result-3'
    });
    expect(JSON.stringify(data).startsWith(String(result.preview))).toBe(true);
    expect(characters(result)).toBeGreaterThan(39900);
    expect(characters(result)).toBeLessThanOrEqual(40000);
  });

  it('only the ones it has', () => {
    expect(Object.keys(bound({ fields }, LIMIT))).toEqual([
      'truncated',
      'message',
      'preview'
    ]);
  });

  it.each(['error', 'pendingId', 'status'])('also with a huge %s', name => {
    const huge = { success: true, [name]: '\u0001😀"'.repeat(1e6) };
    for (const limit of [1000, 40000]) {
      const result = bound({ ...huge, fields }, { limit });
      expect(characters(result)).toBeLessThanOrEqual(limit);
      expect(result.success).toBe(true);
      expect(result[name]).toContain('characters omitted');
      expect(isWellFormed(result)).toBe(true);
    }
  });

  it('also with a huge key', () => {
    const result = bound({ ['k'.repeat(1e6)]: 'v' }, { limit: 1000 });
    expect(result.preview).toMatch(/^\{"kkk/);
    expect(characters(result)).toBeLessThanOrEqual(1000);
  });
});
