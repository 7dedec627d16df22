import fc from 'fast-check';
import { cap } from '../../../src/results/cap';
import { capError } from '../../../src/results/envelope';
import { prepare } from '../../../src/results/prepare';
import {
  bytes,
  hardResult,
  hardString,
  isWellFormed,
  parses,
  PROPERTY
} from './support';

const caps = fc.oneof(
  fc.constantFrom(4000, 4001, 40000),
  fc.integer({ min: 4000, max: 50000 })
);
const auditIds = fc.constantFrom(null, 7, Number.MAX_SAFE_INTEGER);
const keepers = fc.constantFrom(
  undefined,
  () => null,
  () => 'result-1',
  () => 'result-2000000000'
);

describe('the cap, for any JSON and any cap from 4,000 up', () => {
  it('holds in bytes, with and without a text that is read in parts', () => {
    fc.assert(
      fc.property(
        hardResult,
        caps,
        auditIds,
        keepers,
        fc.constantFrom(undefined, 'text', 'error', 'data.text'),
        (data, limit, auditId, keep, range) => {
          const envelope = cap(data, { cap: limit, auditId, keep, range });
          expect(bytes(envelope)).toBeLessThanOrEqual(limit);
          expect(isWellFormed(envelope)).toBe(true);
          expect(parses(envelope)).toBe(true);
          expect(Object.keys(envelope)).toEqual([
            'data',
            'truncation',
            'auditId'
          ]);
        }
      ),
      PROPERTY
    );
  });

  it('cuts nothing that fits, and says so where it cut', () => {
    fc.assert(
      fc.property(hardResult, caps, auditIds, (data, limit, auditId) => {
        const envelope = cap(data, { cap: limit, auditId });
        const {
          truncation,
          truncated,
          truncationNote,
          truncationCount,
          ...own
        } = prepare(data);
        const whole = { data: own, truncation: null, auditId };
        if (bytes(whole) <= limit) {
          expect(JSON.stringify(envelope)).toBe(JSON.stringify(whole));
        } else {
          expect(envelope.truncation?.count).toBeGreaterThan(0);
        }
        void [truncation, truncated, truncationNote, truncationCount];
      }),
      PROPERTY
    );
  });

  it('holds for errors', () => {
    fc.assert(
      fc.property(hardString, caps, auditIds, (message, limit, auditId) => {
        const error = capError(
          { code: 'not_found', message, auditId, retryable: false },
          { cap: limit }
        );
        expect(bytes(error)).toBeLessThanOrEqual(limit);
        expect(isWellFormed(error)).toBe(true);
      }),
      PROPERTY
    );
  });

  it('a text that is read in parts joins to the original', () => {
    fc.assert(
      fc.property(hardString, hardResult, caps, (raw, others, limit) => {
        const source = String(prepare({ source: raw }).source);
        let joined = '';
        for (let offset = 0, calls = 0; ; calls++) {
          const { data, truncation } = cap(
            {
              ...others,
              source: source.slice(offset),
              range: { offset, total: source.length },
              revision: 'r'
            },
            { cap: limit, auditId: 1, range: 'source' }
          );
          if (truncation?.field !== 'source') {
            // Everything else did not fit at all, or this was the last part.
            joined =
              truncation?.field === 'preview' ? source : joined + data.source;
            break;
          }
          expect(calls).toBeLessThan(2 + source.length);
          joined += String(data.source).slice(0, truncation.returned);
          expect(truncation.nextRange).toEqual({
            offset: joined.length,
            length: source.length - joined.length,
            revision: 'r'
          });
          offset = joined.length;
        }
        expect(joined).toBe(source);
      }),
      PROPERTY
    );
  });
});
