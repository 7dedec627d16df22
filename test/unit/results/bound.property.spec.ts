import fc from 'fast-check';
import { bound } from '../../../src/results/bound';
import { prepare, prepareCounted } from '../../../src/results/prepare';
import {
  characters,
  hardResult,
  isWellFormed,
  parses,
  PROPERTY
} from './support';

const limits = fc.oneof(
  fc.constantFrom(1000, 1001, 40000),
  fc.integer({ min: 1000, max: 50000 })
);

/** Room for whatever the keeper answers must be there. */
const keepers = fc.constantFrom(
  undefined,
  () => null,
  () => 'result-1',
  () => 'result-2000000000'
);

describe('bounding, for any JSON and any limit from 1,000 up', () => {
  it('is within the limit, well-formed and parses', () => {
    fc.assert(
      fc.property(hardResult, limits, keepers, (data, limit, keep) => {
        const result = bound(data, { limit, keep });
        expect(characters(result)).toBeLessThanOrEqual(limit);
        expect(isWellFormed(result)).toBe(true);
        expect(parses(result)).toBe(true);
      }),
      PROPERTY
    );
  });

  it('is the same for the same data, and leaves the data as it was', () => {
    fc.assert(
      fc.property(hardResult, limits, (data, limit) => {
        const before = JSON.stringify(data);
        const first = JSON.stringify(bound(data, { limit }));
        expect(JSON.stringify(data)).toBe(before);
        expect(JSON.stringify(bound(data, { limit }))).toBe(first);
      }),
      PROPERTY
    );
  });

  it('changes nothing where it fits, and shortens only where it does not', () => {
    fc.assert(
      fc.property(hardResult, limits, (data, limit) => {
        const whole = prepare(data);
        const result = bound(data, { limit });
        if (characters(whole) <= limit) {
          expect(JSON.stringify(result)).toBe(JSON.stringify(whole));
        } else {
          expect(result.truncated).toBe(true);
        }
      }),
      PROPERTY
    );
  });

  it('knows about how long its JSON is from the one walk', () => {
    fc.assert(
      fc.property(hardResult, data => {
        const { whole, characters: about } = prepareCounted(data);
        // Nothing is escaped to count by: what is kept is the text itself.
        const length = JSON.stringify(whole).replace(
          /\\(?:u....|.)/g,
          '.'
        ).length;
        expect(about).toBeGreaterThanOrEqual(length / 4 - 8);
        expect(about).toBeLessThanOrEqual(length * 6 + 16);
      }),
      PROPERTY
    );
  });

  it('preparing a second time changes nothing', () => {
    fc.assert(
      fc.property(hardResult, data => {
        const once = prepare(data);
        expect(JSON.stringify(prepare(once))).toBe(JSON.stringify(once));
      }),
      PROPERTY
    );
  });
});
