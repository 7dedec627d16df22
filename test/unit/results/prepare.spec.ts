import { prepare } from '../../../src/results/prepare';
import { redactor } from '../../../src/results/redact';

const RED = '\u001b[31mred\u001b[0m';

describe('a MIME type with parameters', () => {
  it.each(['image/png', 'text/html'])(
    'of %s stands in its placeholder without secrets and well-formed',
    type => {
      const redact = redactor(['tokentoken']);
      const data = {
        [`${type}; a=tokentoken`]: 'x'.repeat(3000),
        [`${type}; b=\ud800`]: 'x'.repeat(3000),
        'text/plain': 'a picture'
      };
      const once = prepare({ outputs: [{ data }] }, redact);
      expect(once).toEqual({
        outputs: [
          {
            data: {
              [`${type}; a=[redacted]`]: `[omitted ${type}; a=[redacted] data, 3000 characters; see text/plain]`,
              [`${type}; b=\ufffd`]: `[omitted ${type}; b=\ufffd data, 3000 characters; see text/plain]`,
              'text/plain': 'a picture'
            }
          }
        ]
      });
      expect(prepare(once, redact)).toEqual(once);
    }
  );
});

it('replaces a secret of digits where it is a number', () => {
  const redact = redactor(['12345678', '90123456']);
  const numbers = [12345678, 90123456, 1234567, -12345678, 12345679, 1e300];
  const data = { pin: 12345678, deep: { more: 1234567890, numbers } };
  const shown = [
    '[redacted]',
    '[redacted]',
    1234567,
    '-[redacted]',
    12345679,
    1e300
  ];
  const once = prepare(data, redact);
  expect(once).toEqual({
    pin: '[redacted]',
    deep: { more: '[redacted]90', numbers: shown }
  });
  expect(prepare(once, redact)).toEqual(once);
});

describe('ANSI escape codes are removed from outputs', () => {
  it('in outputs and traceback, at any depth', () => {
    expect(
      prepare({
        outputs: [
          { output_type: 'stream', text: `a\r${RED}` },
          { data: { 'text/plain': RED } }
        ],
        traceback: [RED, 'a\bb'],
        cells: [{ outputs: [{ output_type: 'error', traceback: [RED] }] }]
      })
    ).toEqual({
      outputs: [
        { output_type: 'stream', text: 'red' },
        { data: { 'text/plain': 'red' } }
      ],
      traceback: ['red', 'b'],
      cells: [{ outputs: [{ output_type: 'error', traceback: ['red'] }] }]
    });
  });

  it('in dialogs', () => {
    const dialog = { id: 'dialog-1', title: RED, body: 'a\rb', buttons: [RED] };
    const clean = { id: 'dialog-1', title: 'red', body: 'b', buttons: ['red'] };
    expect(prepare({ dialog, dialogs: [dialog] })).toEqual({
      dialog: clean,
      dialogs: [clean]
    });
  });

  it('but sources and files are never altered', () => {
    const data = {
      source: `print("${RED}\r\n")`,
      content: `a\rb\b\u0000${RED}`,
      cells: [{ source: 'a\r\nb\u0007', metadata: { dialog: RED } }],
      result: { dialog: 'a\rb' }
    };
    expect(prepare(data)).toEqual(data);
  });

  it('lines of a stream are played out as one text', () => {
    expect(
      prepare({
        outputs: [
          { output_type: 'stream', text: ['step 1\r', 'step 2\r', 'x\n'] }
        ]
      })
    ).toEqual({ outputs: [{ output_type: 'stream', text: 'xtep 2\n' }] });
  });
});

describe('every string is well-formed', () => {
  it('values and keys, in sources too', () => {
    expect(prepare({ source: 'a\ud83db', 'k\udc00': ['\udfff😀'] })).toEqual({
      source: 'a\ufffdb',
      'k\ufffd': ['\ufffd😀']
    });
  });

  it('keys that become the same stay apart', () => {
    expect(prepare({ 'k\ud800': 1, 'k\ud801': 2 })).toEqual({
      'k\ufffd': 1,
      'k\ufffd (2)': 2
    });
  });

  it('also where the numbers are taken', () => {
    expect(
      prepare({ 'k\ufffd (2)': 1, 'k\ud800': 2, 'k\ud801': 3, 'k\ud802': 4 })
    ).toEqual({
      'k\ufffd (2)': 1,
      'k\ufffd': 2,
      'k\ufffd (3)': 3,
      'k\ufffd (4)': 4
    });
  });

  it('however many they are, in as many steps', () => {
    const some = 20_000;
    const halves = (i: number): string =>
      String.fromCharCode(0xd800 + (i % 1024), 0xd800 + Math.floor(i / 1024));
    const data = Object.fromEntries(
      Array.from({ length: some }, (_, i) => [halves(i), i])
    );
    const hasOwn = jest.spyOn(Object, 'hasOwn');
    const prepared = prepare(data);
    expect(hasOwn.mock.calls.length).toBeLessThan(3 * some);
    hasOwn.mockRestore();
    expect(Object.keys(prepared)).toHaveLength(some);
    expect(prepared[`\ufffd\ufffd (${some})`]).toBe(some - 1);
  });
});

describe('secrets are replaced before anything is measured', () => {
  const redact = redactor(['0123456789abcdef', 'short', 'a+b/c=d&e']);

  it('in every string and key', () => {
    expect(
      prepare(
        {
          source: 'token=0123456789abcdef;',
          '0123456789abcdef': ['x0123456789abcdefx'],
          outputs: [{ text: '0123\u001b[1m456789abcdef' }]
        },
        redact
      )
    ).toEqual({
      source: 'token=[redacted];',
      '[redacted]': ['x[redacted]x'],
      outputs: [{ text: '[redacted]' }]
    });
  });

  it('also as it stands in a URL, with its signs taken as they are', () => {
    expect(redact('a+b/c=d&e a%2Bb%2Fc%3Dd%26e aXb/c=d&e')).toBe(
      '[redacted] [redacted] aXb/c=d&e'
    );
  });

  it('but nothing shorter than 8 characters', () => {
    expect(redact('short')).toBe('short');
    expect(redactor(['1234567'])('1234567')).toBe('1234567');
    expect(redactor(['12345678'])('12345678')).toBe('[redacted]');
    expect(redactor([])('any')).toBe('any');
  });

  it('the longer of two that begin alike counts', () => {
    expect(redactor(['12345678', '1234567890'])('1234567890')).toBe(
      '[redacted]'
    );
  });
});

it('what is no object becomes one', () => {
  expect(prepare('text')).toEqual({ value: 'text' });
  expect(prepare([1])).toEqual({ value: [1] });
  expect(prepare(undefined)).toEqual({ value: null });
});
