import { PageConfig } from '@jupyterlab/coreutils';
import type { PasswordFields } from '../dialogs/passwords';
import { type Redact, redactor } from '../results/index';

/** Passwords that are remembered, the last ones typed. */
const PASSWORDS = 50;

/**
 * What this page knows and no agent must read (contract: Policy): the server's
 * token, the values of the cookies that scripts can read, and passwords typed
 * into dialogs and prompts.
 */
export class Secrets {
  constructor(
    private readonly _token: string,
    private readonly _passwords: Pick<PasswordFields, 'has'>,
    private readonly _cookies: () => string = () => document.cookie
  ) {}

  /** Replaces the secrets as they are in this turn of the event loop. */
  readonly redact: Redact = (text, torn) => {
    const redact = this._redact ?? this._look();
    return redact(text, torn);
  };

  /** Reading the cookies asks another process: once for all texts of a result. */
  private _look(): Redact {
    queueMicrotask(() => {
      this._redact = undefined;
    });
    const cookies = this._cookies();
    if (!this._known || cookies !== this._seen) {
      this._seen = cookies;
      this._known = redactor([
        this._token,
        PageConfig.getToken(),
        ...cookies.split(';').flatMap(valuesOf),
        ...this._typed.map(({ value }) => value)
      ]);
    }
    this._redact = this._known;
    return this._known;
  }

  /** Remembers what is typed into password fields from now on. */
  watch(page: EventTarget): void {
    // On its way down, where nobody can keep it from being heard.
    page.addEventListener('input', this._onInput, { capture: true });
  }

  unwatch(page: EventTarget): void {
    page.removeEventListener('input', this._onInput, { capture: true });
  }

  private readonly _onInput = (event: Event): void => {
    // A component's own field tells what it holds now, the component later.
    const fields = [event.composedPath()[0], event.target];
    const field = fields.find(hasValue);
    if (!field || !fields.some(each => each && this._passwords.has(each))) {
      return;
    }
    const known = this._fields.get(field);
    if (known) {
      // Of each field only what it came to, not every beginning of it.
      known.value = field.value;
    } else {
      const typed = { value: field.value };
      this._fields.set(field, typed);
      this._typed = [...this._typed, typed].slice(-PASSWORDS);
    }
    this._redact = undefined;
    this._known = undefined;
  };

  private _seen = '';
  /** Made from what was seen last. */
  private _known: Redact | undefined;
  /** The same, while this turn lasts. */
  private _redact: Redact | undefined;
  private _typed: { value: string }[] = [];
  private readonly _fields = new WeakMap<object, { value: string }>();
}

function hasValue(
  target: EventTarget | null | undefined
): target is EventTarget & { value: string } {
  return (
    target !== null &&
    target !== undefined &&
    typeof Reflect.get(target, 'value') === 'string'
  );
}

/** A cookie's value, also without the quotes that it may be sent in. */
function valuesOf(cookie: string): string[] {
  const value = cookie.slice(cookie.indexOf('=') + 1).trim();
  return [value, value.replace(/^"(.*)"$/s, '$1')];
}
