import { Secrets } from '../../../src/jupyter/secrets';

/** Nothing was typed. */
const NONE = { typed: [], version: 0 };

describe('Secrets', () => {
  it('hides the token and the values of the cookies, as they are now', async () => {
    let cookies = '_xsrf=2|abcdefgh|12345678; theme=dark; other=s3cr3tvalue';
    const secrets = new Secrets('tokentokentoken', NONE, () => cookies);
    expect(
      secrets.redact(
        'curl -H "token tokentokentoken" -b s3cr3tvalue 2|abcdefgh|12345678 dark'
      )
    ).toBe('curl -H "token [redacted]" -b [redacted] [redacted] dark');
    // A page's cookies change between two turns, never within one.
    await Promise.resolve();
    cookies = '_xsrf=anothervalue';
    expect(secrets.redact('s3cr3tvalue anothervalue')).toBe(
      's3cr3tvalue [redacted]'
    );
  });

  it('reads the cookies once for all texts of a result', async () => {
    const cookies = jest.fn(() => 'name=s3cr3tvalue');
    const secrets = new Secrets('', NONE, cookies);
    for (let text = 0; text < 100; text++) {
      expect(secrets.redact('s3cr3tvalue')).toBe('[redacted]');
    }
    expect(cookies).toHaveBeenCalledTimes(1);
    await Promise.resolve();
    secrets.redact('another result');
    expect(cookies).toHaveBeenCalledTimes(2);
  });

  it('hides a cookie’s value with and without the quotes it is sent in', () => {
    const secrets = new Secrets('', NONE, () => 'a="s3cr3t value"; b="');
    expect(secrets.redact('"s3cr3t value" s3cr3t value')).toBe(
      '[redacted] [redacted]'
    );
  });

  it('touches nothing where there are no secrets', () => {
    const secrets = new Secrets('', NONE, () => '');
    expect(secrets.redact('nothing, undefined, []')).toBe(
      'nothing, undefined, []'
    );
  });

  it('hides what was typed, from the moment it was', () => {
    const passwords = { typed: [] as string[], version: 0 };
    const secrets = new Secrets('', passwords, () => '');
    expect(secrets.redact('correcthorse')).toBe('correcthorse');
    passwords.typed.push('correcthorse');
    passwords.version++;
    expect(secrets.redact('correcthorse')).toBe('[redacted]');
  });
});
