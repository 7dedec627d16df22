/** Passwords that are remembered, the last ones typed. */
const REMEMBERED = 50;

/**
 * The fields of a page that hold passwords, and what is typed into them: those
 * of that type, those that a form fills in as one, and those that were one at
 * any time. Some forms show a password on demand, which makes the field an
 * ordinary one.
 */
export class PasswordFields {
  /** From now on, until `unwatch`. */
  watch(page: Node): void {
    this._page = page;
    // On its way down, where nobody can keep it from being heard.
    page.addEventListener('input', this._onInput, { capture: true });
    this._observer = new MutationObserver(this._onChanges);
    this._observer.observe(page, {
      subtree: true,
      attributeFilter: ['type', 'autocomplete'],
      attributeOldValue: true
    });
  }

  unwatch(): void {
    this._page?.removeEventListener('input', this._onInput, { capture: true });
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

  /** What was typed, of each field what it came to. */
  get typed(): readonly string[] {
    return this._typed.map(({ value }) => value);
  }

  /** Another number after each change of what was typed. */
  get version(): number {
    return this._version;
  }

  private readonly _onInput = (event: Event): void => {
    // A component's own field tells what it holds now, the component later.
    const fields = [event.composedPath()[0], event.target];
    const field = fields.find(hasValue);
    if (!field || !fields.some(each => each && this.has(each))) {
      return;
    }
    const known = this._fields.get(field);
    if (known) {
      // Not every beginning of it.
      known.value = field.value;
    } else {
      const typed = { value: field.value };
      this._fields.set(field, typed);
      this._typed = [...this._typed, typed].slice(-REMEMBERED);
    }
    this._version++;
  };

  private readonly _onChanges = (changes: readonly MutationRecord[]): void => {
    for (const { target, oldValue } of changes) {
      if (isPassword(oldValue)) {
        this._known.add(target);
      }
    }
  };

  private _page: Node | undefined;
  private _observer: MutationObserver | undefined;
  private _typed: { value: string }[] = [];
  private _version = 0;
  private readonly _fields = new WeakMap<object, { value: string }>();
  private readonly _known = new WeakSet<object>();
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

/** `password` as a type, `current-password` and the like as what to fill in. */
function isPassword(value: unknown): boolean {
  return typeof value === 'string' && /\bpassword\b/i.test(value);
}
