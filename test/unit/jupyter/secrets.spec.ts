import { PasswordFields } from '../../../src/dialogs/passwords';
import { Secrets } from '../../../src/jupyter/secrets';

describe('Secrets', () => {
  it('hides the token and the values of the cookies, as they are now', async () => {
    let cookies = '_xsrf=2|abcdefgh|12345678; theme=dark; other=s3cr3tvalue';
    const secrets = new Secrets(
      'tokentokentoken',
      new PasswordFields(),
      () => cookies
    );
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
    const secrets = new Secrets('', new PasswordFields(), cookies);
    for (let text = 0; text < 100; text++) {
      expect(secrets.redact('s3cr3tvalue')).toBe('[redacted]');
    }
    expect(cookies).toHaveBeenCalledTimes(1);
    await Promise.resolve();
    secrets.redact('another result');
    expect(cookies).toHaveBeenCalledTimes(2);
  });

  it('hides a cookie’s value with and without the quotes it is sent in', () => {
    const secrets = new Secrets(
      '',
      new PasswordFields(),
      () => 'a="s3cr3t value"; b="'
    );
    expect(secrets.redact('"s3cr3t value" s3cr3t value')).toBe(
      '[redacted] [redacted]'
    );
  });

  it('touches nothing where there are no secrets', () => {
    const secrets = new Secrets('', new PasswordFields(), () => '');
    expect(secrets.redact('nothing, undefined, []')).toBe(
      'nothing, undefined, []'
    );
  });

  it('hides what was typed into password fields, not the beginnings of it', () => {
    const page = new EventTarget();
    const secrets = new Secrets('', new PasswordFields(), () => '');
    secrets.watch(page);
    const type = (field: { type: string; value: string }, value: string) => {
      field.value = value;
      const event = new Event('input');
      Object.defineProperty(event, 'target', { value: field });
      page.dispatchEvent(event);
    };
    const password = { type: 'password', value: '' };
    for (const value of ['correcth', 'correcthorse', 'correcthorsebattery']) {
      type(password, value);
    }
    type({ type: 'text', value: '' }, 'plainly visible');
    type({ type: 'password', value: '' }, 'short');
    expect(
      secrets.redact('correcthorsebattery correcthorse plainly visible short')
    ).toBe('[redacted] correcthorse plainly visible short');
    // Shown on demand, and typed on; one that only its autocomplete tells.
    password.type = 'text';
    type(password, 'correcthorsebattery-second');
    type(
      Object.assign(
        { type: 'text', value: '' },
        { autocomplete: 'new-password' }
      ),
      'never of that type'
    );
    expect(
      secrets.redact('correcthorsebattery-second, never of that type')
    ).toBe('[redacted], [redacted]');
    secrets.unwatch(page);
    type({ type: 'password', value: '' }, 'typed too late');
    expect(secrets.redact('typed too late')).toBe('typed too late');
  });
});
