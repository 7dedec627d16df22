/** A thing that tells when it changed; what changed is read from it. */
export interface IChanges {
  /** Calls back after each change, until disposed. */
  subscribe(listener: () => void): { dispose(): void };
}

/** The simplest of signals, for modules that may not import lumino. */
export class Changes implements IChanges {
  subscribe(listener: () => void): { dispose(): void } {
    // A wrapper, so that the same function can be given twice.
    const entry = { listener };
    this._entries.add(entry);
    return { dispose: () => void this._entries.delete(entry) };
  }

  /** Tells everybody; one that throws does not keep the others from hearing. */
  emit(): void {
    for (const { listener } of [...this._entries]) {
      try {
        listener();
      } catch (reason) {
        console.error(reason);
      }
    }
  }

  private _entries = new Set<{ listener: () => void }>();
}
