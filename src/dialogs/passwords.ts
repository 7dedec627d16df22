/**
 * The fields of a page that hold passwords: those of that type, those that a
 * form fills in as one, and those that were one at any time. Some forms show a
 * password on demand, which makes the field an ordinary one.
 */
export class PasswordFields {
  /** From now on, until `unwatch`. */
  watch(page: Node): void {
    this._observer = new MutationObserver(this._onChanges);
    this._observer.observe(page, {
      subtree: true,
      attributeFilter: ['type', 'autocomplete'],
      attributeOldValue: true
    });
  }

  unwatch(): void {
    this._observer?.disconnect();
    this._observer = undefined;
  }

  has(field: object): boolean {
    this._onChanges(this._observer?.takeRecords() ?? []);
    if (
      isPassword(Reflect.get(field, 'type')) ||
      isPassword(Reflect.get(field, 'autocomplete'))
    ) {
      this._known.add(field);
    }
    return this._known.has(field);
  }

  private readonly _onChanges = (changes: readonly MutationRecord[]): void => {
    for (const { target, oldValue } of changes) {
      if (isPassword(oldValue)) {
        this._known.add(target);
      }
    }
  };

  private _observer: MutationObserver | undefined;
  private readonly _known = new WeakSet<object>();
}

/** `password` as a type, `current-password` and the like as what to fill in. */
function isPassword(value: unknown): boolean {
  return typeof value === 'string' && /\bpassword\b/i.test(value);
}
