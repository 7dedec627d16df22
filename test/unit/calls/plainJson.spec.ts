import { runInNewContext } from 'node:vm';
import { NotJson, plainJson } from '../../../src/calls/plainJson';

function problem(value: unknown): string {
  try {
    plainJson(value);
  } catch (reason) {
    if (reason instanceof NotJson) {
      return reason.message;
    }
    throw reason;
  }
  return '';
}

function raise(): never {
  throw new Error('secret');
}

function nested(levels: number): object {
  let value = {};
  for (let i = 1; i < levels; i++) {
    value = { a: value };
  }
  return value;
}

describe('plainJson()', () => {
  it('gives plain JSON as a copy, with names of its own', () => {
    const value = JSON.parse(
      '{"a":[1,"x",null,true,{"b":{}}],"constructor":1,"__proto__":2}'
    );
    const copy = plainJson(value);
    expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
    expect(copy).not.toBe(value);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });

  it('leaves out what is undefined, and takes objects of another frame', () => {
    expect(plainJson({ a: undefined, b: 1 })).toEqual({ b: 1 });
    expect(plainJson(undefined)).toBeUndefined();
    expect(plainJson(runInNewContext('({ a: [{ b: 1 }] })'))).toEqual({
      a: [{ b: 1 }]
    });
    expect(plainJson(Object.create(null, {}))).toEqual({});
  });

  it.each<[string, unknown, string]>([
    ['a Map', { a: [new Map()] }, 'hold what is no plain object at "a[0]"'],
    [
      'a Date',
      { a: { b: new Date() } },
      'hold what is no plain object at "a.b"'
    ],
    ['bytes', { a: new Uint8Array(3) }, 'hold what is no plain object at "a"'],
    ['a class', new (class A {})(), 'are what is no plain object'],
    ['a BigInt', { a: 1n }, 'hold a bigint at "a"'],
    ['a function', { a: () => 1 }, 'hold a function at "a"'],
    ['a number that is none', [NaN], 'hold the number NaN at "[0]"'],
    ['a hole', { a: Object.assign([], { 1: 1 }) }, 'hold no value at "a[0]"'],
    ['an endless hole', new Array(2 ** 32 - 1), 'hold no value at "[0]"'],
    [
      'a getter that throws',
      Object.defineProperty({}, 'a', { enumerable: true, get: raise }),
      'are what cannot be read'
    ],
    [
      'a proxy that throws',
      { a: new Proxy({}, { ownKeys: raise }) },
      'hold what cannot be read at "a"'
    ],
    [
      'a name that parsers drop',
      { args: JSON.parse('{"__proto__":{"a":1}}') },
      'hold a name that no object takes at "args.__proto__"'
    ]
  ])('takes no %s', (_name, value, expected) => {
    expect(problem(value)).toBe(expected);
  });

  it('takes 500 levels and no more, and so no cycle', () => {
    expect(problem(nested(500))).toBe('');
    const circle: unknown[] = [];
    circle.push(circle, circle);
    for (const value of [nested(501), nested(100_000), circle]) {
      expect(problem(value)).toMatch(/^are nested in more than 500 levels/);
    }
  });

  it('takes no end of values or text that is shared', () => {
    let shared: unknown = ['x'.repeat(100)];
    for (let i = 0; i < 40; i++) {
      shared = [shared, shared];
    }
    expect(problem(shared)).toBe('hold too many values');
    const text = 'x'.repeat(1024 * 1024);
    expect(problem(Array.from({ length: 65 }, () => text))).toBe(
      'hold too much text'
    );
    const endless: ProxyHandler<object> = {
      ownKeys: () => ['a', 'b'],
      getOwnPropertyDescriptor: () => ({
        enumerable: true,
        configurable: true
      }),
      get: () => new Proxy({}, endless)
    };
    expect(problem(new Proxy({}, endless))).toMatch(/500 levels/);
  });
});
