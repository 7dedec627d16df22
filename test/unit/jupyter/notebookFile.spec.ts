import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '../../../src/calls/errors';
import { parseNotebook } from '../../../src/jupyter/notebookFile';

function caseText(name: string): string {
  return readFileSync(join(__dirname, '../../cases', name), 'utf8');
}

function refusal(text: string): { code: string; message: string } {
  try {
    parseNotebook(text, 'n.ipynb');
  } catch (reason) {
    if (reason instanceof ToolError) {
      return { code: reason.code, message: reason.message };
    }
    throw reason;
  }
  throw new Error('Not refused');
}

const notebook = (more: object): string =>
  JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, ...more });

describe('parseNotebook', () => {
  it('joins lists of lines, in sources and in outputs', () => {
    const [code, text] = parseNotebook(
      caseText('b36_source_lists_crlf.ipynb'),
      'n'
    ).cells;
    expect(code.source).toBe('a = 1\r\nb = 2\r\na + b');
    expect(code.outputs).toEqual([
      { output_type: 'stream', name: 'stdout', text: 'part one\npart two\n' }
    ]);
    expect(text.source).toBe('line 1\nline 2');
  });

  it('joins lists in bundles, but leaves JSON as it is', () => {
    const output = {
      output_type: 'display_data',
      data: {
        'text/html': ['<b>', 'x</b>'],
        'application/json': ['a', 'b'],
        'application/vnd.plotly.v1+json': ['a']
      },
      metadata: {}
    };
    const { cells } = parseNotebook(
      notebook({
        cells: [{ cell_type: 'code', source: '', outputs: [output] }]
      }),
      'n'
    );
    expect(cells[0].outputs).toEqual([
      {
        ...output,
        data: { ...output.data, 'text/html': '<b>x</b>' }
      }
    ]);
  });

  it('takes what is missing for empty', () => {
    const { cells, metadata, hasMinor } = parseNotebook(
      '\uFEFF{"nbformat": 4, "cells": [{"cell_type": "raw"}]}',
      'n'
    );
    expect(hasMinor).toBe(false);
    expect(metadata).toEqual({});
    expect(cells).toEqual([
      {
        id: undefined,
        cellType: 'raw',
        source: '',
        executionCount: null,
        outputs: [],
        attachments: undefined,
        metadata: {},
        unknown: {}
      }
    ]);
  });

  it.each([
    ['b46_conflict_markers.ipynb', 'conflict markers', 'line 3, column 1'],
    ['b46_cut_short.ipynb', 'cut short', 'line 1'],
    ['b46_empty_file.ipynb', 'the file is empty', 'not a notebook'],
    ['b46_not_json.ipynb', 'HTML', 'line 1, column 1']
  ])('%s: %s', (name, what, where) => {
    const { code, message } = refusal(caseText(name));
    expect(code).toBe('validation_failed');
    expect(message).toContain(what);
    expect(message).toContain(where);
  });

  it.each([
    ['{"nbformat": 4,\n "cells": [1 2]}', 'broken at line 2, column 14'],
    ['{"nbformat": 4,\n "cells": tru}', 'broken at line 2, column 11'],
    ["{'nbformat': 4}", 'broken at line 1, column 2'],
    ['{"nbformat": 4} extra', 'broken at line 1, column 17'],
    ['{"cells":[ [}, "nbformat":4}', 'broken at line 1, column 13'],
    ['{"cells":[{"outputs":[,]}]}', 'broken at line 1, column 23'],
    ['{"cells":[1,]}', 'broken at line 1, column 13'],
    ['{"cells":[],,}', 'broken at line 1, column 13'],
    ['{"cells":[{"a":}]}', 'broken at line 1, column 16'],
    ['{"nbformat": 4, "cells": [', 'cut short'],
    ['{"nbformat": 4, "cells": [{"source": "a \\', 'cut short'],
    ['{"nbformat": 4, "cel', 'cut short'],
    ['  \n\t', 'the file is empty'],
    ['\n<html>', 'HTML or XML page, from line 2'],
    ['[]', 'not an object'],
    ['null', 'not an object'],
    ['{}', 'no "nbformat"'],
    ['{"nbformat": 4}', 'no list of "cells"'],
    [notebook({ cells: [{}] }), 'cells[0] has no "cell_type"'],
    [notebook({ cells: [null] }), 'cells[0] has no "cell_type"']
  ])('%j: %s', (text, words) => {
    const { code, message } = refusal(text);
    expect(code).toBe('validation_failed');
    expect(message).toContain(words);
  });

  it.each([
    [caseText('b36_v3_worksheets.ipynb'), 'old format 3'],
    ['{"nbformat": 5, "cells": []}', 'newer']
  ])('another format is told as such', (text, words) => {
    const { code, message } = refusal(text);
    expect(code).toBe('unsupported_type');
    expect(message).toContain(words);
  });

  it('never repeats the text of the file', () => {
    const secret = 'token-0123456789';
    for (const text of [`{"a": ${secret}`, `${secret}`, `{"${secret}": }`]) {
      expect(refusal(text).message).not.toContain(secret);
    }
  });
});
