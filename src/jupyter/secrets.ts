import { PageConfig } from '@jupyterlab/coreutils';
import type { PasswordFields } from '../dialogs/passwords';
import { type Redact, redactor } from '../results/index';

/**
 * What this page knows and no agent must read (contract: Policy): the server's
 * token, the values of the cookies that scripts can read, and passwords typed
 * into dialogs and prompts.
 */
export class Secrets {
  constructor(
    private readonly _token: string,
    private readonly _passwords: Pick<PasswordFields, 'typed' | 'version'>,
    private readonly _cookies: () => string = () => document.cookie
  ) {}

  /** Replaces the secrets as they are in this turn of the event loop. */
  readonly redact: Redact = (text, torn) => {
    const isKnown = this._version === this._passwords.version;
    const redact = (isKnown && this._redact) || this._look();
    return redact(text, torn);
  };

  /** Reading the cookies asks another process: once for all texts of a result. */
  private _look(): Redact {
    queueMicrotask(() => {
      this._redact = undefined;
    });
    const cookies = this._cookies();
    const { typed, version } = this._passwords;
    if (!this._known || cookies !== this._seen || version !== this._version) {
      this._seen = cookies;
      this._version = version;
      this._known = redactor([
        this._token,
        PageConfig.getToken(),
        ...cookies.split(';').flatMap(valuesOf),
        ...typed
      ]);
    }
    this._redact = this._known;
    return this._known;
  }

  private _seen = '';
  private _version = 0;
  /** Made from what was seen last. */
  private _known: Redact | undefined;
  /** The same, while this turn lasts. */
  private _redact: Redact | undefined;
}

/** A cookie's value, also without the quotes that it may be sent in. */
function valuesOf(cookie: string): string[] {
  const value = cookie.slice(cookie.indexOf('=') + 1).trim();
  return [value, value.replace(/^"(.*)"$/s, '$1')];
}
