import fc from 'fast-check';
import { Kept } from '../../../src/results/kept';
import { hardString, PROPERTY } from './support';

const MINUTE = 60 * 1000;

function setUp(random = 0.5): { kept: Kept; clock: { time: number } } {
  const clock = { time: 0 };
  return {
    clock,
    kept: new Kept({
      now: () => clock.time,
      random: () => random,
      redact: text => text
    })
  };
}

/** Keeps a text for a client; there must be an id. */
function keep(kept: Kept, client: string, text = 'text'): string {
  const id = kept.keep(client, { text }, 'text', text.length);
  if (id === null) {
    throw new Error('It was not kept.');
  }
  return id;
}

describe('the whole of a cut result', () => {
  it('stays 10 minutes', () => {
    const { kept, clock } = setUp();
    const id = keep(kept, 'a');
    clock.time = 10 * MINUTE - 1;
    expect(kept.read('a', id)).toEqual({
      found: { field: 'text', text: 'text', offset: 0, total: 4 }
    });
    clock.time = 10 * MINUTE;
    expect(kept.read('a', id)).toEqual({ missing: 'result' });
  });

  it('is the client’s own: another’s is as none', () => {
    const { kept } = setUp();
    const id = keep(kept, 'a');
    expect(kept.read('b', id)).toEqual({ missing: 'result' });
    expect(kept.read('b', 'result-0')).toEqual({ missing: 'result' });
  });

  it('goes with what it came of, for its client as long as it stays', () => {
    const { kept, clock } = setUp();
    const id = kept.keep('a', {}, '', 2, 'a call') ?? '';
    expect(kept.originOf('a', id)).toBe('a call');
    expect(kept.originOf('b', id)).toBeUndefined();
    clock.time = 10 * MINUTE;
    expect(kept.originOf('a', id)).toBeUndefined();
  });

  it('50 results a client, the oldest out first', () => {
    const { kept } = setUp();
    const others = keep(kept, 'b');
    const ids = Array.from({ length: 51 }, () => keep(kept, 'a'));
    expect(kept.read('a', ids[0])).toEqual({ missing: 'result' });
    expect(kept.read('a', ids[1])).toHaveProperty('found');
    expect(kept.read('a', ids[50])).toHaveProperty('found');
    expect(kept.read('b', others)).toHaveProperty('found');
  });

  it('64 MiB together, the oldest out first, whoever it belongs to', () => {
    const { kept } = setUp();
    const text = 'x'.repeat(15 * 1024 * 1024);
    const first = keep(kept, 'a', text);
    const second = keep(kept, 'b', text);
    const third = keep(kept, 'a', text);
    expect(kept.read('a', first)).toEqual({ missing: 'result' });
    expect(kept.read('b', second)).toHaveProperty('found');
    expect(kept.read('a', third)).toHaveProperty('found');
  });

  it('what is larger has no id, and drives nothing out', () => {
    const { kept } = setUp();
    const id = keep(kept, 'a');
    const text = 'x'.repeat(33 * 1024 * 1024);
    expect(kept.keep('a', { text }, 'text', text.length)).toBeNull();
    expect(kept.read('a', id)).toHaveProperty('found');
  });

  it('goes with its client', () => {
    const { kept } = setUp();
    const own = keep(kept, 'a');
    const others = keep(kept, 'b');
    kept.forget('a');
    expect(kept.read('a', own)).toEqual({ missing: 'result' });
    expect(kept.read('b', others)).toHaveProperty('found');
  });

  it('ids count up from a random start below 10^9', () => {
    const { kept } = setUp(0.123456789);
    expect(keep(kept, 'a')).toBe('result-123456789');
    expect(keep(kept, 'b')).toBe('result-123456790');
    expect(keep(setUp(0.9999999999).kept, 'a')).toBe('result-999999999');
  });
});

describe('reading a field', () => {
  const whole = {
    success: true,
    outputs: [{ data: { 'text/plain': 'plain' } }],
    none: null
  };

  it.each([
    ['outputs[0].data["text/plain"]', 'plain'],
    ['outputs', JSON.stringify(whole.outputs)],
    ['success', 'true'],
    ['none', 'null'],
    ['', JSON.stringify(whole)],
    ['preview', JSON.stringify(whole)]
  ])('%s', (field, text) => {
    const { kept } = setUp();
    const id = kept.keep('a', whole, 'success', 100) ?? '';
    expect(kept.read('a', id, field)).toEqual({
      found: { field, text, offset: 0, total: text.length }
    });
  });

  it.each(['outputs[1]', 'outputs.x', 'toString', '__proto__', '[[', 'a..b'])(
    'there is no %s',
    field => {
      const { kept } = setUp();
      const id = kept.keep('a', whole, '', 100) ?? '';
      expect(kept.read('a', id, field)).toEqual({ missing: 'field' });
    }
  );

  it('a range, also beyond the end', () => {
    const { kept } = setUp();
    const id = keep(kept, 'a', '0123456789');
    const read = (offset: number, length?: number) =>
      kept.read('a', id, undefined, { offset, length });
    expect(read(2, 3)).toMatchObject({ found: { text: '234', offset: 2 } });
    expect(read(8)).toMatchObject({ found: { text: '89', offset: 8 } });
    expect(read(20, 5)).toMatchObject({
      found: { text: '', offset: 10, total: 10 }
    });
  });

  it('ranges join to the original', () => {
    fc.assert(
      fc.property(
        hardString,
        fc.integer({ min: 1, max: 5000 }),
        (text, length) => {
          const { kept } = setUp();
          const id = keep(kept, 'a', text);
          let joined = '';
          while (joined.length < text.length) {
            const reading = kept.read('a', id, 'text', {
              offset: joined.length,
              length: Math.max(length, text.length >> 6)
            });
            if (!('found' in reading) || reading.found.text === '') {
              throw new Error('It gives nothing.');
            }
            expect(reading.found.offset).toBe(joined.length);
            joined += reading.found.text;
          }
          expect(joined).toBe(text);
        }
      ),
      PROPERTY
    );
  });

  it('also when the caller counts on from what it asked for', () => {
    fc.assert(
      fc.property(
        hardString,
        fc.integer({ min: 64, max: 5000 }),
        (text, length) => {
          const { kept } = setUp();
          const id = keep(kept, 'a', text);
          let joined = '';
          for (let offset = 0; offset < text.length; offset += length) {
            const reading = kept.read('a', id, 'text', { offset, length });
            if (!('found' in reading)) {
              throw new Error('It is gone.');
            }
            // The grapheme that the last range ended in comes with this one.
            expect(reading.found.offset).toBe(joined.length);
            joined += reading.found.text;
          }
          expect(joined).toBe(text);
        }
      ),
      PROPERTY
    );
  });
});
