/** Which paths documents had before, as far as this tab saw them renamed. */
export class PathHistory {
  /** A document, or all documents of a folder, got another path. */
  rename(from: string, to: string): void {
    const moved = [...this._former.keys()].filter(
      path => path === from || path.startsWith(`${from}/`)
    );
    for (const path of new Set([...moved, from])) {
      const now = to + path.slice(from.length);
      const former = [
        path,
        ...(this._former.get(path) ?? []),
        // The same rename can be told twice.
        ...(this._former.get(now) ?? [])
      ];
      this._former.delete(path);
      this._former.set(
        now,
        [...new Set(former)].filter(each => each !== now)
      );
    }
  }

  /** The earlier paths of a document, newest first. */
  of(path: string): readonly string[] {
    return this._former.get(path) ?? [];
  }

  /** Where the document went that was at a path, if it was renamed. */
  now(path: string): string | undefined {
    return [...this._former].find(([, former]) => former.includes(path))?.[0];
  }

  private readonly _former = new Map<string, readonly string[]>();
}
