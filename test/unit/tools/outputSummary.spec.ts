import * as summary from '../../../src/tools/outputSummary';

const summarize = (output: unknown) => summary.summarize(output, text => text);

const long = 'x'.repeat(400);

describe('summarize', () => {
  it.each([
    [
      { output_type: 'stream', name: 'stdout', text: 'a\n' },
      { output_type: 'stream', name: 'stdout', text: 'a\n' }
    ],
    [
      { output_type: 'stream', name: 'stderr', text: `begun ${long} end` },
      {
        output_type: 'stream',
        name: 'stderr',
        text: `${'x'.repeat(296)} end`,
        characters: 410
      }
    ],
    [
      { output_type: 'error', ename: 'E', evalue: long, traceback: ['t'] },
      { output_type: 'error', errorName: 'E', errorValue: 'x'.repeat(300) }
    ],
    [
      {
        output_type: 'display_data',
        data: { 'image/png': long, 'text/plain': '<Figure>' }
      },
      {
        output_type: 'display_data',
        mimeTypes: ['image/png', 'text/plain'],
        text: '<Figure>'
      }
    ],
    [
      { output_type: 'execute_result', data: { 'text/plain': long } },
      {
        output_type: 'execute_result',
        mimeTypes: ['text/plain'],
        text: 'x'.repeat(300),
        characters: 400
      }
    ],
    [
      { output_type: 'display_data' },
      { output_type: 'display_data', mimeTypes: [] }
    ],
    [null, { output_type: 'unknown' }]
  ])('%#', (output, short) => {
    expect(summarize(output)).toEqual(short);
  });

  it('is of what a terminal shows, in lines of a file too', () => {
    const frames = Array.from(
      { length: 400 },
      (_, i) => `\u001b[1mstep ${i}\r`
    );
    expect(
      summarize({ output_type: 'stream', name: 'stdout', text: frames })
    ).toEqual({ output_type: 'stream', name: 'stdout', text: 'step 399' });
    expect(
      summarize({
        output_type: 'execute_result',
        data: { 'text/plain': ['a\n', '\u001b[31mb\u001b[0m'] }
      })
    ).toEqual({
      output_type: 'execute_result',
      mimeTypes: ['text/plain'],
      text: 'a\nb'
    });
  });

  it('splits no grapheme', () => {
    const { text } = summarize({
      output_type: 'stream',
      name: 'stdout',
      text: `${'👩‍🌾'.repeat(100)}xy`
    });
    expect(text).toBe(`${'👩‍🌾'.repeat(59)}xy`);
  });

  it('shows a progress bar as it stands at the end', () => {
    const frames = Array.from({ length: 500 }, (_, i) => `\r${i} of 500`);
    expect(
      summarize({
        output_type: 'stream',
        name: 'stderr',
        text: `${frames.join('')}\u001b[32m done\u001b[0m\n`
      })
    ).toMatchObject({ text: '499 of 500 done\n' });
  });

  it('tears no pair apart', () => {
    const { text } = summarize({
      output_type: 'stream',
      name: 'stdout',
      text: `${'🙂'.repeat(200)}x`
    });
    expect(text).not.toMatch(/\p{Cs}/u);
  });
});
