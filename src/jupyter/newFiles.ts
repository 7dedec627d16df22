import type { IDocumentManager } from '@jupyterlab/docmanager';
import type { Contents } from '@jupyterlab/services';
import { ToolError } from '../calls/errors';
import { folderOf, type IPathRules, newPath } from '../calls/paths';
import type { IClock } from '../calls/types';
import { list, quote } from '../calls/words';
import { toServerError } from './reasons';
import type { Turns } from './turns';

export interface INewFilesOptions {
  readonly contents: Contents.IManager;
  /** null: no file types are known. */
  readonly documents: IDocumentManager | null;
  readonly rules: IPathRules;
  readonly clock: IClock;
  /** Those that write, by path. */
  readonly turns: Turns;
  /** Whether there is something at a path, or a document of it is open. */
  readonly exists: (path: string) => Promise<boolean>;
  /** Throws where there is no such folder. */
  readonly assertFolder: (path: string) => Promise<void>;
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
      return this.make(folder, name, { type: 'directory' });
    }
    const file = this._named(name, type);
    const content = text ?? '';
    if (isNotebookName(file)) {
      throw new ToolError(
        'unsupported_type',
        'Notebooks are made with create_notebook, and filled with add_cell.'
      );
    }
    return this.make(folder, file, { type: 'file', format: 'text', content });
  }

  /**
   * Makes something where nothing is. (To make it under another name and
   * rename it, which never overwrites, has JupyterLab list the folder while
   * names come and go in it: now and then that ends in an error dialog.)
   */
  async make(
    folder: string,
    name: string,
    content: Partial<Contents.IModel>
  ): Promise<string> {
    const { clock, contents, rules, turns, assertFolder } = this._options;
    const path = newPath(folder, name, rules);
    await assertFolder(folderOf(path));
    // Of those that ask at once the first one makes it.
    return turns.take([path], clock, async () => {
      try {
        if (await this._options.exists(path)) {
          throw exists(path);
        }
        await contents.save(path, content);
        return path;
      } catch (reason) {
        throw toServerError(reason, `${quote(path)} was not made`);
      }
    });
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

/** Whether a name is that of a notebook. */
export function isNotebookName(name: string): boolean {
  return name.toLowerCase().endsWith('.ipynb');
}
