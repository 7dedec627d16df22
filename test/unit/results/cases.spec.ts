import { bound } from '../../../src/results/bound';
import { cap } from '../../../src/results/cap';
import type { IJsonObject, Json } from '../../../src/results/json';
import { Kept } from '../../../src/results/kept';
import { prepare } from '../../../src/results/prepare';
import { redactor } from '../../../src/results/redact';
import {
  bytes,
  caseCells,
  caseText,
  characters,
  isWellFormed
} from './support';

/** What a run of the case's cell answers, before it is bounded. */
function run(name: string, index = 0): IJsonObject {
  return {
    success: true,
    status: 'ok',
    outputs: caseCells(name)[index].outputs
  };
}

/** The first output of a bounded result. */
function output(result: IJsonObject): IJsonObject {
  const [first] = result.outputs as IJsonObject[];
  return first;
}

/** The text or the MIME bundle of the first output, as it is told. */
function shown(name: string, index = 0): Json {
  const { text, data } = output(bound(run(name, index), { limit: 40000 }));
  return text ?? data;
}

describe('the cases that results are about', () => {
  it('b16_floods: what floods print is bounded as it comes', () => {
    const [endless, lines] = caseCells('b16_floods.ipynb');
    expect(endless.source).toContain("print('x' * 1000)");
    expect(lines.source).toContain("'y\\n'");
    for (const text of [
      `${'x'.repeat(1000)}\n`.repeat(5000),
      'y\n'.repeat(200000)
    ]) {
      const data = { outputs: [{ output_type: 'stream', text }] };
      const result = bound(data, { limit: 40000 });
      expect(characters(result)).toBeLessThanOrEqual(40000);
      expect(result.truncation).toHaveLength(1);
      const envelope = cap(data, { cap: 40000, auditId: 1 });
      expect(bytes(envelope)).toBeLessThanOrEqual(40000);
      expect(envelope.truncation?.total).toBe(text.length);
    }
  });

  it('b26_png_plot: base64 is never in the result', () => {
    expect(shown('b26_png_plot.ipynb')).toEqual({
      'text/plain': '<Figure size 96x72>',
      'image/png': '[omitted image/png data, 27844 characters; see text/plain]'
    });
  });

  it('b26_bundle_many_types: rich data goes where plain text says it', () => {
    const data = shown('b26_bundle_many_types.ipynb') as IJsonObject;
    const original = output(run('b26_bundle_many_types.ipynb'))
      .data as IJsonObject;
    const json = characters(original['application/json']);
    expect(json).toBe(3445);
    expect(data).toEqual({
      ...original,
      'text/html': '[omitted text/html data, 11415 characters; see text/plain]',
      'application/json': `[omitted application/json data, ${json} characters; see text/plain]`
    });
  });

  it('b26_markdown_attachment: attachments are bundles too', () => {
    const [cell] = caseCells('b26_markdown_attachment.ipynb');
    expect(
      prepare({ source: cell.source, attachments: cell.attachments })
    ).toEqual({
      source: '![pic](attachment:leaf.png)',
      attachments: {
        'leaf.png': {
          'image/png': '[omitted image/png data, 20000 characters]'
        }
      }
    });
  });

  it('b26_binary_text: of bytes printed as text the letters are left', () => {
    const text = String(shown('b26_binary_text.ipynb'));
    expect(text).toMatch(/^(?:[\t\n]|\P{Cc})*$/u);
    expect(text.length).toBeGreaterThan(600);
  });

  it('b28_png_with_line_breaks: the lines are one value', () => {
    const lines = output(run('b28_png_with_line_breaks.ipynb')).data as {
      'image/png': string[];
    };
    const length = lines['image/png'].join('').length;
    expect(length).toBe(550);
    expect(shown('b28_png_with_line_breaks.ipynb')).toEqual({
      'image/png': `[omitted image/png data, ${length} characters; see text/plain]`,
      'text/plain': '<Figure>'
    });
    expect(shown('b28_png_with_line_breaks.ipynb', 1)).toEqual({
      'image/png': '[omitted image/png data, 18 characters; see text/plain]',
      'text/plain': '<Broken>'
    });
  });

  it('b29_just_at_limit: what the client gets is what is measured', () => {
    const sizes = caseText('b29_just_at_limit.txt').match(/\d\d,\d{3}/g) ?? [];
    expect(sizes.slice(0, 3)).toEqual(['39,999', '40,000', '40,001']);
    const empty = { outputs: [{ output_type: 'stream', text: '' }] };
    for (const size of [39999, 40000, 40001]) {
      const text = 'x'.repeat(size - characters(empty));
      const data = { outputs: [{ output_type: 'stream', text }] };
      expect(characters(data)).toBe(size);
      const result = bound(data, { limit: 40000 });
      expect(result.truncated === true).toBe(size > 40000);
      expect(characters(result)).toBeLessThanOrEqual(40000);
    }
    const newlines = { outputs: [{ text: '\n'.repeat(20001) }] };
    expect(bound(newlines, { limit: 40000 }).truncated).toBe(true);
    const quotes = { outputs: [{ text: '"'.repeat(8000) }] };
    expect(bound(quotes, { limit: 40000 })).toEqual(quotes);
  });

  it('b29_300_cells: a list that is too long keeps its first items', () => {
    const cells = caseCells('b29_300_cells.ipynb');
    const { data, truncation } = cap(
      { cells: cells.map(cell => ({ ...cell, filler: 'x'.repeat(200) })) },
      { cap: 40000, auditId: null }
    );
    expect(data.cells).toHaveLength(50);
    expect(truncation).toMatchObject({
      field: 'cells',
      returned: 50,
      total: cells.length
    });
  });

  it('b29_300_small_outputs: the count of what is left out is told', () => {
    const result = bound(run('b29_300_small_outputs.ipynb'), { limit: 10000 });
    expect(result.outputs).toHaveLength(50);
    expect(result.truncation).toEqual([{ path: 'outputs', omittedItems: 250 }]);
  });

  it('b29_many_lines: a part is never taken for the whole', () => {
    const { data, truncation } = cap(run('b29_many_lines.ipynb'), {
      cap: 40000,
      auditId: 1,
      keep: () => 'result-1'
    });
    expect(truncation).toEqual({
      field: 'outputs[0].text',
      returned: 20000,
      total: 44200,
      nextRange: { offset: 10000, length: 34200 },
      resultId: 'result-1',
      cuts: [],
      count: 1
    });
    expect(output(data).text).toContain('[... 24200 characters omitted ...]');
  });

  it('b29_one_line_42000: the line can be read to its end', () => {
    const kept = new Kept({
      now: () => 0,
      random: () => 0,
      redact: text => text
    });
    const line = String(output(run('b29_one_line_42000.ipynb')).text);
    expect(line).toHaveLength(42000);
    const { data, truncation } = cap(run('b29_one_line_42000.ipynb'), {
      cap: 40000,
      auditId: 1,
      keep: (whole, field, characters) =>
        kept.keep('a', whole, field, characters)
    });
    const { nextRange, resultId, field } = truncation ?? {};
    const head = String(output(data).text).split('\n', 1)[0];
    const reading = kept.read('a', resultId ?? '', field, nextRange ?? {});
    if (!('found' in reading)) {
      throw new Error('It is not kept.');
    }
    expect(head + reading.found.text).toBe(line);
  });

  it('b31_ansi_traceback: colours are gone, the text is there', () => {
    const { traceback } = output(prepare(run('b31_ansi_traceback.ipynb')));
    expect(traceback).toEqual([
      '-----',
      'KeyError  Traceback (most recent call last)',
      "Cell In[7], line 2\n      1 d = {}\n----> 2 d['plum']",
      "KeyError: 'plum'"
    ]);
  });

  it('b32_progress_carriage_return: only the last frame is left', () => {
    expect(shown('b32_progress_carriage_return.ipynb')).toBe(
      'step 400/400 |####################| 100%\n'
    );
  });

  it('b33_graphemes: whole, less the control character', () => {
    const original = String(output(run('b33_graphemes.ipynb')).text);
    expect(original).toContain('\u0000');
    expect(shown('b33_graphemes.ipynb')).toBe(original.replace('\u0000', ''));
  });

  it('b33_lone_surrogate: the half becomes U+FFFD', () => {
    const result = bound(run('b33_lone_surrogate.ipynb'), { limit: 40000 });
    expect(output(result).text).toBe('before \ufffd after');
    expect(isWellFormed(result)).toBe(true);
  });

  it('s_secret_shapes: what the tab holds is replaced, nothing else is', () => {
    const token = '0123456789abcdef0123456789abcdef0123456789abcdef';
    const [cell] = caseCells('security/s_secret_shapes.ipynb');
    const { text } = output(
      prepare({ outputs: cell.outputs }, redactor([token, '2|aaaa|bbbb']))
    );
    expect(text).toBe(
      'http://localhost:8888/lab?token=[redacted]\nAuthorization: token 0123456789abcdef\n_xsrf=[redacted]\n'
    );
  });
});
