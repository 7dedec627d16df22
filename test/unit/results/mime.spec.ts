import type { IJsonObject, Json } from '../../../src/results/json';
import { prepare } from '../../../src/results/prepare';
import { bound } from '../../../src/results/bound';

const PNG = 'iVBORw0KGgo='.repeat(100);

/** A bundle as it is shown in an output. */
function inOutput(data: { [mimeType: string]: Json }): unknown {
  const { outputs } = prepare({
    outputs: [{ output_type: 'display_data', data, metadata: {} }]
  });
  return (outputs as IJsonObject[])[0].data;
}

describe('always, in MIME bundles: binary data is replaced by a placeholder', () => {
  it('R’s example', () => {
    expect(
      inOutput({ 'text/plain': '<Figure>', 'image/png': 'x'.repeat(52100) })
    ).toEqual({
      'text/plain': '<Figure>',
      'image/png': '[omitted image/png data, 52100 characters; see text/plain]'
    });
  });

  it.each([
    'image/jpeg',
    'image/gif',
    'image/webp',
    'audio/wav',
    'video/mp4',
    'application/pdf',
    'application/octet-stream',
    'IMAGE/PNG',
    'image/png; charset=binary'
  ])('%s, however short', type => {
    expect(inOutput({ [type]: 'abc' })).toEqual({
      [type]: `[omitted ${type} data, 3 characters]`
    });
  });

  it.each(['image/svg+xml', 'text/html', 'application/json', 'text/latex'])(
    '%s is none',
    type => {
      expect(inOutput({ [type]: 'abc' })).toEqual({ [type]: 'abc' });
    }
  );

  it('also when the result is within the limit', () => {
    expect(
      bound({ attachments: { a: { 'image/png': 'abc' } } }, { limit: 40000 })
    ).toEqual({
      attachments: {
        a: { 'image/png': '[omitted image/png data, 3 characters]' }
      }
    });
  });

  it('at any depth, also in attachments', () => {
    expect(
      prepare({
        cells: [{ attachments: { 'leaf.png': { 'image/png': PNG } } }],
        result: { deep: [[{ data: { 'image/png': PNG } }]] }
      })
    ).toEqual({
      cells: [
        {
          attachments: {
            'leaf.png': {
              'image/png': '[omitted image/png data, 1200 characters]'
            }
          }
        }
      ],
      result: {
        deep: [
          [
            {
              data: { 'image/png': '[omitted image/png data, 1200 characters]' }
            }
          ]
        ]
      }
    });
  });

  it('lines of a list count as the text they make', () => {
    expect(
      inOutput({ 'image/png': ['abcd\n', 'ef\n'], 'text/plain': ['a', 'b'] })
    ).toEqual({
      'image/png': '[omitted image/png data, 8 characters; see text/plain]',
      'text/plain': 'ab'
    });
  });

  it('what is no text counts as its JSON', () => {
    expect(inOutput({ 'image/png': { a: 'ü' } })).toEqual({
      'image/png': '[omitted image/png data, 9 characters]'
    });
  });

  it('bytes count as the note that tells them', () => {
    expect(prepare({ data: { 'image/png': new Uint8Array(9) } })).toEqual({
      data: { 'image/png': '[omitted image/png data, 21 characters]' }
    });
  });
});

describe('other rich data longer than 2000 characters is replaced too', () => {
  it.each([
    [2000, false],
    [2001, true]
  ])('%d characters', (length, replaced) => {
    const html = 'h'.repeat(length);
    expect(inOutput({ 'text/html': html, 'text/plain': 't' })).toEqual({
      'text/html': replaced
        ? '[omitted text/html data, 2001 characters; see text/plain]'
        : html,
      'text/plain': 't'
    });
  });

  it('but not without text/plain, and never text/plain itself', () => {
    const long = 'h'.repeat(5000);
    expect(inOutput({ 'text/html': long })).toEqual({ 'text/html': long });
    expect(inOutput({ 'text/plain': long })).toEqual({ 'text/plain': long });
  });

  it('SVG is rich data', () => {
    expect(
      inOutput({ 'image/svg+xml': 's'.repeat(3000), 'text/plain': 't' })
    ).toEqual({
      'image/svg+xml':
        '[omitted image/svg+xml data, 3000 characters; see text/plain]',
      'text/plain': 't'
    });
  });

  it('JSON counts as its JSON, and a list in it is none of lines', () => {
    const short = ['a', 'b'];
    const long = Array.from({ length: 600 }, () => 'a');
    expect(inOutput({ 'application/json': short, 'text/plain': 't' })).toEqual({
      'application/json': short,
      'text/plain': 't'
    });
    expect(
      inOutput({ 'application/vnd.vega.v5+json': long, 'text/plain': 't' })
    ).toEqual({
      'application/vnd.vega.v5+json':
        '[omitted application/vnd.vega.v5+json data, 2401 characters; see text/plain]',
      'text/plain': 't'
    });
  });
});

describe('only objects whose keys are all MIME types are bundles', () => {
  it.each([
    ['another key', { 'image/png': 'abc', name: 'leaf' }],
    ['a path as a key', { 'image/a/b.png': 'abc' }],
    ['no key', {}]
  ])('%s', (_, data: { [key: string]: Json }) => {
    expect(prepare({ result: data })).toEqual({ result: data });
  });

  it('values under a metadata key are kept', () => {
    const metadata = {
      'image/png': 'x'.repeat(3000),
      nested: { 'audio/wav': 'y' }
    };
    const data = { outputs: [{ metadata }], metadata: { 'image/png': 'z' } };
    expect(prepare(data)).toEqual(data);
  });
});

it('a placeholder stays what it is', () => {
  const data = {
    'image/png': '[omitted image/png data, 5 characters; see text/plain]'
  };
  expect(prepare({ data })).toEqual({ data });
});
