import { Secrets } from '../../../src/jupyter/secrets';

describe('Secrets', () => {
  it('hides the token and the values of the cookies, as they are now', () => {
    let cookies = '_xsrf=2|abcdefgh|12345678; theme=dark; other=s3cr3tvalue';
    const secrets = new Secrets('tokentokentoken', () => cookies);
    expect(
      secrets.redact(
        'curl -H "token tokentokentoken" -b s3cr3tvalue 2|abcdefgh|12345678 dark'
      )
    ).toBe('curl -H "token [redacted]" -b [redacted] [redacted] dark');
    cookies = '_xsrf=anothervalue';
    expect(secrets.redact('s3cr3tvalue anothervalue')).toBe(
      's3cr3tvalue [redacted]'
    );
  });

  it('touches nothing where there are no secrets', () => {
    const secrets = new Secrets('', () => '');
    expect(secrets.redact('nothing, undefined, []')).toBe(
      'nothing, undefined, []'
    );
  });
});
