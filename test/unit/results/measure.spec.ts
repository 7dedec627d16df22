import fc from 'fast-check';
import { mapObject, type Json } from '../../../src/results/json';
import { fits, measure, write } from '../../../src/results/measure';
import { prepare } from '../../../src/results/prepare';
import { redactor } from '../../../src/results/redact';
import { bytes, characters, hardJson, hardString, PROPERTY } from './support';

describe('measure', () => {
  it('is the length of the JSON, in characters and in bytes', () => {
    const values = fc.oneof(hardJson, fc.array(fc.oneof(hardString, hardJson)));
    fc.assert(
      fc.property(values, value => {
        expect(measure(value, 'characters')).toBe(characters(value));
        expect(measure(value, 'bytes')).toBe(bytes(value));
      }),
      PROPERTY
    );
  });

  it('and how it begins, also where it is longer than a string may be', () => {
    const tooLong = (): never => {
      throw new RangeError('Invalid string length');
    };
    fc.assert(
      fc.property(hardJson, fc.nat(200), (value, length) => {
        const json = JSON.stringify(value);
        for (const written of [write(value), write(value, tooLong)]) {
          expect(written.length).toBe(json.length);
          expect(written.beginning(length)).toBe(json.slice(0, length));
        }
      }),
      PROPERTY
    );
  });

  it.each<[string, Json]>([
    [
      'many texts',
      Array.from({ length: 5000 }, (_, i) => `"${i}"\n`.repeat(9))
    ],
    ['long texts between short ones', ['a', 'x'.repeat(70_000), '\ud83d', 'b']],
    ['texts between numbers', ['a', '\n', 1, 'b', '"', null, 'c']]
  ])('%s beside each other', (_, value) => {
    const length = characters(value);
    expect(measure(value, 'characters')).toBe(length);
    expect(fits(value, 'characters', length)).toBe(true);
    expect(fits(value, 'characters', length - 1)).toBe(false);
  });
});

describe('objects with very many fields', () => {
  it('are told like any other', () => {
    const fields = Array.from({ length: 1500 }, (_, i) => [`key ${i}`, i]);
    const wide: unknown = Object.fromEntries([['__proto__', 1], ...fields]);
    const { result } = prepare({ result: wide });
    expect(result).toStrictEqual(wide);
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(JSON.stringify(result)).toBe(JSON.stringify(wide));
  });

  it.each<[string, [string, unknown][]]>([
    ['as they are', []],
    ['without those that are undefined', [['none', undefined]]],
    ['with one that a secret names', [['my secret-of-mine', 1]]],
    ['with one that is no whole text', [['half \ud83d', 1]]]
  ])('are measured as they are told: %s', (_, more) => {
    const fields = Array.from({ length: 1500 }, (_, i) => [`key ${i}`, i]);
    const whole = prepare(
      { result: Object.fromEntries([...fields.slice(9), ...more, ...fields]) },
      redactor(['secret-of-mine'])
    );
    expect(measure(whole, 'characters')).toBe(characters(whole));
    const copy = mapObject({ result: 1 }, () => whole.result);
    expect(copy).toStrictEqual(JSON.parse(JSON.stringify(whole)));
  });
});
