import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { toJson } from '../../../src/results/plain';
import { hardJson, PROPERTY } from './support';

class Widget {
  id = 'notebook-1';
  title = { label: 'demo.ipynb', owner: this };
}

describe('command results that are no JSON are told as what they are', () => {
  it.each<[string, unknown, unknown]>([
    ['undefined', undefined, null],
    ['not a number', NaN, '[NaN]'],
    ['infinite', -Infinity, '[-Infinity]'],
    ['BigInt', 12n, '[BigInt 12]'],
    ['a huge BigInt', 1n << 9999n, '[BigInt of many digits]'],
    ['a symbol', Symbol('s'), '[Symbol(s)]'],
    ['a function', function run() {}, '[function run]'],
    [
      'an arrow',
      (
        () => () =>
          0
      )(),
      '[function ]'
    ],
    ['bytes', new Uint8Array(1200), '[Uint8Array, 1200 bytes]'],
    ['a buffer of Node’s', Buffer.from('ab'), '[Uint8Array, 2 bytes]'],
    ['a view', new DataView(new ArrayBuffer(4)), '[DataView, 4 bytes]'],
    ['a buffer', new ArrayBuffer(7), '[ArrayBuffer, 7 bytes]'],
    ['a blob', new Blob(['abc'], { type: 'text/x' }), '[Blob text/x, 3 bytes]'],
    ['a map', new Map([[1, 2]]), '[Map, 1 entries]'],
    ['a set', new Set([1, 2]), '[Set, 2 entries]'],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['no date', new Date(NaN), null],
    ['a pattern', /a+/g, '[RegExp /a+/g]'],
    ['an error', new TypeError('no'), '[TypeError: no]'],
    ['a promise', Promise.resolve(1), '[Promise]'],
    ['boxed', [Object('a'), Object(1), Object(false)], ['a', 1, false]],
    ['an instance', new (class Session {})(), '[Session]'],
    ['no class', new (class {})(), '[Object]'],
    ['a widget', new Widget(), '[Widget "demo.ipynb", id notebook-1]'],
    [
      'without a prototype',
      Object.assign(Object.create(null), { a: 1 }),
      { a: 1 }
    ],
    [
      'of another frame',
      runInNewContext('({ a: [1, { b: 2 }] })'),
      { a: [1, { b: 2 }] }
    ],
    [
      'bytes of another frame',
      runInNewContext('new Uint8Array(3)'),
      '[Uint8Array, 3 bytes]'
    ],
    ['with toJSON', { toJSON: () => ({ a: 1n }) }, { a: '[BigInt 1]' }],
    [
      'fields that are undefined',
      { a: undefined, b: [undefined] },
      { b: [null] }
    ],
    ['a list with holes', Array(2).concat(3), [null, null, 3]],
    ['symbols as keys', { [Symbol('s')]: 1, a: 1 }, { a: 1 }]
  ])('%s', (_, value, told) => {
    expect(toJson(value)).toEqual(told);
  });

  it('cycles, but not what is merely there twice', () => {
    const shared = { a: 1 };
    const cycle: { [key: string]: unknown } = { one: shared, two: [shared] };
    cycle.self = cycle;
    cycle.list = [cycle];
    expect(toJson(cycle)).toEqual({
      one: { a: 1 },
      two: [{ a: 1 }],
      self: '[cycle]',
      list: ['[cycle]']
    });
  });

  it('getters that throw hide only themselves', () => {
    const value = {
      a: 1,
      get b(): number {
        throw new Error('secret');
      },
      c: 3
    };
    expect(toJson(value)).toEqual({ a: 1, b: '[unreadable]', c: 3 });
  });

  it('toJSON that throws, or never ends', () => {
    const endless = { toJSON: (): unknown => ({ ...endless }) };
    const failing = {
      toJSON: () => {
        throw new Error('secret');
      }
    };
    expect(toJson([failing])).toEqual(['[unreadable]']);
    expect(toJson(endless)).toBe('[nested too deeply]');
  });

  it('proxies of every temper', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('secret');
        }
      }
    );
    expect(toJson({ proxy, hostile, ok: new Proxy({ a: 1 }, {}) })).toEqual({
      proxy: '[unreadable]',
      hostile: '[unreadable]',
      ok: { a: 1 }
    });
  });

  it('getters that make more without end come to one', () => {
    const make = (): object => ({
      get a() {
        return make();
      },
      get b() {
        return make();
      }
    });
    const told = JSON.stringify(toJson(make(), 10_000));
    expect(told).toContain('[too many values]');
    expect(told.length).toBeLessThan(1e6);
  });

  it('very deep nesting', () => {
    let deep: unknown = 'end';
    for (let i = 0; i < 200_000; i++) {
      deep = i % 2 ? [deep] : { deep };
    }
    expect(JSON.stringify(toJson(deep))).toMatch(/\[nested too deeply\]/);
    expect(toJson(JSON.parse('['.repeat(400) + ']'.repeat(400)))).toEqual(
      JSON.parse('['.repeat(400) + ']'.repeat(400))
    );
  });

  it('a field named __proto__ is a field', () => {
    const json = '{"__proto__":{"a":1},"b":2}';
    expect(JSON.stringify(toJson(JSON.parse(json)))).toBe(json);
    expect(({} as { a?: number }).a).toBeUndefined();
  });
});

it('plain JSON stays what it is', () => {
  fc.assert(
    fc.property(hardJson, json => {
      expect(JSON.stringify(toJson(json))).toBe(JSON.stringify(json));
    }),
    PROPERTY
  );
});
