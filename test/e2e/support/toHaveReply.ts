import { subsetEquality } from '@jest/expect-utils';

declare global {
  namespace jest {
    // eslint-disable-next-line @typescript-eslint/naming-convention
    interface Matchers<R> {
      /** The reply holds at least these fields; on failure all of it is printed. */
      toHaveReply(expected: Record<string, unknown>): R;
    }
  }
}

expect.extend({
  toHaveReply(received: unknown, expected: Record<string, unknown>) {
    const pass = this.equals(received, expected, [subsetEquality]);
    return {
      pass,
      message: () =>
        [
          pass ? 'Expected another reply than' : 'Expected a reply with',
          this.utils.printExpected(expected),
          'The whole reply:',
          this.utils.RECEIVED_COLOR(JSON.stringify(received, null, 2))
        ].join('\n')
    };
  }
});
