import type { Contents, ServiceManager } from '@jupyterlab/services';
import { ServerConnection } from '@jupyterlab/services';
import { ServiceManagerMock } from '@jupyterlab/services/lib/testutils';
import { Signal } from '@lumino/signaling';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const CASES = join(__dirname, '..', '..', 'cases');

/** The text of a case. */
export function caseText(name: string): string {
  return readFileSync(join(CASES, name), 'utf8');
}

/**
 * Files in memory behind the contents API, which mends notebooks on the way
 * out as the server does: new random ids for doubles at each request.
 */
export class Disk {
  constructor(files: Readonly<Record<string, string>> = {}) {
    for (const [path, text] of Object.entries(files)) {
      this.write(path, text);
    }
    const { contents } = this.services;
    const overrides = {
      fileChanged: new Signal<Contents.IManager, Contents.IChangedArgs>(
        contents
      ),
      get: (path: string, options?: Contents.IFetchOptions) =>
        this._get(path, options),
      save: (path: string, options: Partial<Contents.IModel>) =>
        this._save(path, options),
      rename: (from: string, to: string) => this._rename(from, to)
    };
    Object.assign(contents, overrides);
    this._changed = overrides.fileChanged;
  }

  readonly services: ServiceManager.IManager = new ServiceManagerMock();
  /** What was asked of the server, in order: `get text a.ipynb`, `save a.ipynb`. */
  readonly requests: string[] = [];
  /** Set to a status to have every request refused with it. */
  failWith: number | null = null;
  /** Set to have only what is to be saved refused with it. */
  saveFailsWith: number | null = null;
  /** The files that may not be written. */
  readonly locked = new Set<string>();
  /** Set to have files read as text, but not as notebooks. */
  opensNothing = false;
  /** Called with each request, before it is answered. */
  onRequest: () => void = () => {};
  /** Set to have requests never answered. */
  isSilent = false;

  /** Writes behind JupyterLab's back. */
  write(path: string, text: string): void {
    this._files.set(path, { text, at: this._now++ });
  }

  /** Takes a file away behind JupyterLab's back. */
  remove(path: string): void {
    this._files.delete(path);
  }

  read(path: string): string | undefined {
    return this._files.get(path)?.text;
  }

  json(path: string): { cells: { id?: string; source: string }[] } {
    return JSON.parse(this.read(path) ?? 'null');
  }

  private async _get(
    path: string,
    options: Contents.IFetchOptions = {}
  ): Promise<Contents.IModel> {
    const { type = typeOf(path), content = true } = options;
    this.requests.push(content ? `get ${type} ${path}` : `get facts ${path}`);
    await this._answer();
    const file = this._files.get(path);
    const paths = [...this._files.keys()];
    if (!file && paths.some(each => each.startsWith(`${path}/`))) {
      if (options.hash) {
        throw failure(500, 'Keys unexpectedly None');
      }
      return this._model(path, 'directory');
    }
    if (!file) {
      // Behind a file the server breaks off.
      throw paths.some(each => path.startsWith(`${each}/`))
        ? failure(500, 'Unhandled error')
        : failure(404, `No such file: ${path}`);
    }
    const model = this._model(path, type);
    if (!content) {
      return model;
    }
    if (type === 'file') {
      return { ...model, format: 'text', content: file.text };
    }
    if (this.opensNothing) {
      throw failure(400, 'Unreadable Notebook');
    }
    return { ...model, format: 'json', content: mended(file.text) };
  }

  private async _save(
    path: string,
    { content, type = typeOf(path) }: Partial<Contents.IModel>
  ): Promise<Contents.IModel> {
    this.requests.push(`save ${path}`);
    await this._answer();
    const status = this.locked.has(path) ? 403 : this.saveFailsWith;
    if (status !== null) {
      throw failure(status, 'The server did not save it');
    }
    this.write(
      path,
      typeof content === 'string' ? content : JSON.stringify(content, null, 1)
    );
    return this._model(path, type);
  }

  private async _rename(from: string, to: string): Promise<Contents.IModel> {
    const moved = [...this._files].filter(
      ([path]) => path === from || path.startsWith(`${from}/`)
    );
    if (moved.length === 0) {
      throw failure(404, `No such file: ${from}`);
    }
    for (const [path, file] of moved) {
      this._files.delete(path);
      this._files.set(to + path.slice(from.length), file);
    }
    const newValue = this._model(to, typeOf(to));
    this._changed.emit({
      type: 'rename',
      oldValue: { ...newValue, path: from },
      newValue
    });
    return newValue;
  }

  private async _answer(): Promise<void> {
    this.onRequest();
    if (this.isSilent) {
      await new Promise(() => {});
    }
    if (this.failWith !== null) {
      throw failure(this.failWith, 'The server said no');
    }
  }

  private _model(path: string, type: string): Contents.IModel {
    const { text, at } = this._files.get(path) ?? { text: '', at: 0 };
    return {
      name: path.split('/').pop() ?? '',
      path,
      type,
      writable: !this.locked.has(path),
      created: new Date(0).toISOString(),
      last_modified: new Date(at * 1000).toISOString(),
      mimetype: '',
      content: null,
      format: null,
      size: text.length,
      hash: `${text.length}-${at}`,
      hash_algorithm: 'test'
    };
  }

  private readonly _files = new Map<string, { text: string; at: number }>();
  private readonly _changed: Signal<Contents.IManager, Contents.IChangedArgs>;
  private _now = 1;
}

let nextId = 1;

type Bundle = Record<string, unknown>;

/** A notebook as the contents API returns it. */
function mended(text: string): unknown {
  const notebook = JSON.parse(text);
  const seen = new Set<unknown>();
  for (const cell of notebook.cells) {
    if (notebook.nbformat_minor >= 5) {
      // What is null or empty is left to the page.
      if (!('id' in cell) || seen.has(cell.id)) {
        cell.id = (nextId++).toString(16).padStart(8, '0');
      }
      seen.add(cell.id);
    }
    if (Array.isArray(cell.source)) {
      cell.source = cell.source.join('');
    }
    for (const output of cell.cell_type === 'code'
      ? (cell.outputs ?? [])
      : []) {
      if (Array.isArray(output.text)) {
        output.text = output.text.join('');
      }
    }
    for (const bundle of Object.values<Bundle>(cell.attachments ?? {})) {
      for (const [type, value] of Object.entries(bundle)) {
        if (
          Array.isArray(value) &&
          value.every(each => typeof each === 'string')
        ) {
          bundle[type] = value.join('');
        }
      }
    }
  }
  return notebook;
}

function typeOf(path: string): string {
  return path.endsWith('.ipynb') ? 'notebook' : 'file';
}

function failure(status: number, message: string): Error {
  return new ServerConnection.ResponseError(
    new Response(null, { status }),
    message
  );
}
