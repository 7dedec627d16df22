import { PageConfig } from '@jupyterlab/coreutils';
import { type Redact, redactor } from '../results/index';

/**
 * What this page knows and no agent must read (contract: Policy): the server's
 * token, and the values of the cookies that scripts can read.
 */
export class Secrets {
  constructor(
    private readonly _token: string,
    private readonly _cookies: () => string = () => document.cookie
  ) {}

  /** Replaces the secrets as they are now. */
  readonly redact: Redact = text => {
    const cookies = this._cookies();
    if (!this._redact || cookies !== this._seen) {
      this._seen = cookies;
      this._redact = redactor([
        this._token,
        PageConfig.getToken(),
        ...cookies.split(';').map(valueOf)
      ]);
    }
    return this._redact(text);
  };

  private _seen = '';
  private _redact: Redact | undefined;
}

function valueOf(cookie: string): string {
  return cookie.slice(cookie.indexOf('=') + 1).trim();
}
