import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FOLDER = join(__dirname, '..', '..', 'golden', 'results');

/** Repeats that are told by their number: `⟨x × 10000⟩`. */
const REPEATS = /(.)\1{99,}/gsu;

/**
 * Makes results of different runs alike: ids are numbered in the order in
 * which they appear, times are left out. One instance for the results that
 * belong together, so that an id that comes again is seen to be the same.
 */
export class Normaliser {
  /** @param names - what is called something else in every run, by its value. */
  constructor(
    private readonly _names: ReadonlyMap<string, string> = new Map()
  ) {}

  normalise(value: unknown, field = ''): unknown {
    if (Array.isArray(value)) {
      return field === 'traceback' && value.length > 0
        ? ['…']
        : value.map(item => this.normalise(item));
    }
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([name, each]) => [
          name,
          this.normalise(each, name)
        ])
      );
    }
    return typeof value === 'string'
      ? this._text(value, field)
      : typeof value === 'number'
        ? number(value, field)
        : value;
  }

  private _text(text: string, field: string): string {
    switch (field) {
      case 'revision':
      case 'changeId':
        return this._numbered(field, text);
      case 'lastModified':
        return '…';
    }
    let shown = text;
    for (const [value, name] of this._names) {
      shown = shown.replaceAll(value, name);
    }
    return shown
      .replace(/\b(call|dialog|result)-\d+\b/g, (id, kind: string) =>
        this._numbered(kind, id)
      )
      .replace(
        /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
        id => this._numbered('id', id)
      )
      .replace(/\b\d+ seconds?\b/g, '… seconds')
      .replace(REPEATS, (run, character: string) => {
        return `⟨${character} × ${run.length / character.length}⟩`;
      });
  }

  private _numbered(kind: string, id: string): string {
    const known = this._ids.get(id);
    if (known !== undefined) {
      return known;
    }
    const count = (this._counts.get(kind) ?? 0) + 1;
    const name = `${kind}-${count}`;
    this._counts.set(kind, count);
    this._ids.set(id, name);
    return name;
  }

  private readonly _ids = new Map<string, string>();
  private readonly _counts = new Map<string, number>();
}

/** Which run of a kernel it was, and when, differs. */
function number(value: number, field: string): number | string {
  return /^execution_?count$/i.test(field)
    ? 1
    : field === 'seconds'
      ? '…'
      : value;
}

/** Compares with test/golden/results/NAME.json; UPDATE_GOLDEN=1 writes it. */
export function expectGolden(name: string, value: unknown): void {
  const file = join(FOLDER, `${name}.json`);
  const text = `${JSON.stringify(value, null, 2)}\n`;
  if (process.env.UPDATE_GOLDEN) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  // As text, so that the order of the fields counts.
  expect(text).toBe(readFileSync(file, 'utf8'));
}
