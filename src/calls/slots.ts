/**
 * Lets the extension's own commands tell a call of ours from everybody
 * else's. A call opens a slot under the very object that it hands to the
 * command registry as arguments; the command takes the slot by that object,
 * once. An object's identity can be neither typed nor guessed.
 */
export class CallSlots {
  /** To be called right before the command is executed with `args`. */
  open(args: object, run: () => Promise<unknown>): void {
    this._slots.set(args, run);
  }

  /** What a call wants to be run for these arguments; null when none does. */
  take(args: object): (() => Promise<unknown>) | null {
    const run = this._slots.get(args);
    this._slots.delete(args);
    return run ?? null;
  }

  private readonly _slots = new WeakMap<object, () => Promise<unknown>>();
}
