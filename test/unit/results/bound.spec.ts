import { bound } from '../../../src/results/bound';

/** The length that a surface measures. */
function size(value: unknown): number {
  return JSON.stringify(value).length;
}

describe('a result must fit within maxResultLength characters of JSON', () => {
  it('R’s example: the middle of a long output is left out', () => {
    const result = bound(
      {
        success: true,
        status: 'ok',
        outputs: [
          {
            output_type: 'stream',
            name: 'stdout',
            text: `${'x'.repeat(100000)}\n`
          }
        ]
      },
      { limit: 40000 }
    );
    expect(result.outputs).toEqual([
      {
        output_type: 'stream',
        name: 'stdout',
        text: `${'x'.repeat(10000)}\n[... 80001 characters omitted ...]\n${'x'.repeat(9999)}\n`
      }
    ]);
    expect(result.truncated).toBe(true);
    expect(result.truncationNote).toMatch(/"truncation"/);
    expect(result.truncation).toEqual([
      { path: 'outputs[0].text', omittedCharacters: 80001 }
    ]);
    expect(result).not.toHaveProperty('truncationCount');
    expect(size(result)).toBeLessThanOrEqual(40000);
  });
});
