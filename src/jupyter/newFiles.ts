import type { IDocumentManager } from '@jupyterlab/docmanager';
import { type Contents, ServerConnection } from '@jupyterlab/services';
import { ToolError } from '../calls/errors';
import {
  canonicalFilePath,
  canonicalPath,
  type IPathRules,
  joinPath
} from '../calls/paths';
import { list, quote } from '../calls/words';
import { isMissing } from './fileText';
import { toServerError } from './reasons';

export interface INewFilesOptions {
  readonly contents: Contents.IManager;
  /** null: no file types are known. */
  readonly documents: IDocumentManager | null;
  readonly rules: IPathRules;
  /** Whether there is something at a path. */
  readonly exists: (path: string) => Promise<boolean>;
}

/** How many names a refusal lists. */
const NAMED = 12;

/** Makes files and folders, never over what is there. */
export class NewFiles {
  constructor(private readonly _options: INewFilesOptions) {}

  async create(
    folder: string,
    name: string,
    type: string | undefined,
    text: string | undefined
  ): Promise<string> {
    if (type === 'directory') {
      if (text !== undefined) {
        throw new ToolError(
          'validation_failed',
          'A folder has no content: leave content out.'
        );
      }
      return this.make(folder, name, { type: 'directory' }, undefined);
    }
    const file = this._named(name, type);
    const content = text ?? '';
    if (isNotebookName(file)) {
      throw new ToolError(
        'unsupported_type',
        'Notebooks are made with create_notebook, and filled with add_cell.'
      );
    }
    return this.make(
      folder,
      file,
      { type: 'file', ext: '.txt' },
      { type: 'file', format: 'text', content }
    );
  }

  /**
   * Makes something under a name of the server's own choice and renames it:
   * renaming never overwrites, which saving does.
   */
  async make(
    folder: string,
    name: string,
    kind: Contents.ICreateOptions,
    content: Partial<Contents.IModel> | undefined
  ): Promise<string> {
    const { contents, rules } = this._options;
    if (name.includes('/')) {
      throw new ToolError(
        'validation_failed',
        `${quote(name)} is a path. Give the name alone, and the folder as cwd.`
      );
    }
    const inside = canonicalPath(folder, rules);
    const path = canonicalFilePath(joinPath(inside, name), rules);
    if (await this._options.exists(path)) {
      throw exists(path);
    }
    const made = await contents
      .newUntitled({ ...kind, path: inside })
      .catch((reason: unknown) => {
        throw toCreateError(reason, inside, path);
      });
    try {
      if (content) {
        await contents.save(made.path, content);
      }
      await contents.rename(made.path, path);
      return path;
    } catch (reason) {
      await contents.delete(made.path).catch(() => undefined);
      throw toCreateError(reason, inside, path);
    }
  }

  /** The name with the ending of its type, where it has none. */
  private _named(name: string, type: string | undefined): string {
    if (type === undefined) {
      return name;
    }
    const registry = this._options.documents?.registry;
    const known = registry?.getFileType(type);
    if (!known || known.fileFormat !== 'text') {
      const all = registry ? [...registry.fileTypes()] : [];
      throw new ToolError(
        'unsupported_type',
        `${quote(type)} is no type of text file here. Types are: ${list(
          all.filter(each => each.fileFormat === 'text').map(each => each.name),
          NAMED
        )}, and directory; or leave fileType out and give the name its ending.`
      );
    }
    const [ending] = known.extensions;
    return ending === undefined || /[^.]\.[^.]+$/.test(name)
      ? name
      : name + ending;
  }
}

function exists(path: string): ToolError {
  return new ToolError(
    'operation_refused',
    `There is something at ${quote(path)} already, and it is not overwritten. Take another name, or change it with write_file or edit_cell.`
  );
}

function toCreateError(reason: unknown, folder: string, path: string): unknown {
  if (isMissing(reason)) {
    return new ToolError(
      'not_found',
      `There is no folder ${quote(folder)} to make it in. create_file with fileType "directory" makes one.`
    );
  }
  return reason instanceof ServerConnection.ResponseError &&
    reason.response.status === 409
    ? exists(path)
    : toServerError(reason, `${quote(path)} was not made`);
}

/** Whether a name is that of a notebook. */
export function isNotebookName(name: string): boolean {
  return name.toLowerCase().endsWith('.ipynb');
}
