import type { Contents } from '@jupyterlab/services';
import { ToolError } from '../calls/errors';
import { outOfReach } from '../calls/paths';
import { quote } from '../calls/words';
import { isAbsent } from './fileText';
import type { PathHistory } from './pathHistory';
import { toServerError } from './reasons';

export interface ILookupsOptions {
  readonly contents: Pick<Contents.IManager, 'get'>;
  readonly history: PathHistory;
}

/** Asks the server what is at a path. */
export class Lookups {
  constructor(private readonly _options: ILookupsOptions) {}

  async exists(path: string): Promise<boolean> {
    const { contents } = this._options;
    try {
      await contents.get(path, { content: false });
      return true;
    } catch (reason) {
      if (await isAbsent(contents, path, reason)) {
        return false;
      }
      throw toServerError(reason, `${quote(path)} was not looked up`);
    }
  }

  /**
   * @param what What was not done, if this fails.
   * @throws ToolError not_found, permission_denied, operation_refused
   */
  async get(
    what: string,
    path: string,
    options: Contents.IFetchOptions
  ): Promise<Contents.IModel> {
    const { contents, history } = this._options;
    try {
      return await contents.get(path, options);
    } catch (reason) {
      throw (await isAbsent(contents, path, reason))
        ? (history.renamed(path) ?? outOfReach(path))
        : toServerError(reason, what);
    }
  }

  /**
   * Refuses a folder in which nothing can be made.
   * @throws ToolError not_found, validation_failed for a file
   */
  async assertFolder(folder: string): Promise<void> {
    // The root is there.
    if (folder === '') {
      return;
    }
    if (!(await this.exists(folder))) {
      throw (
        this._options.history.renamed(folder) ??
        new ToolError(
          'not_found',
          `There is no folder ${quote(folder)} to make it in. create_file with fileType "directory" makes one.`
        )
      );
    }
    const what = `${quote(folder)} was not looked up`;
    const { type } = await this.get(what, folder, { content: false });
    if (type !== 'directory') {
      throw new ToolError(
        'validation_failed',
        `${quote(folder)} is a file, not a folder to make something in.`
      );
    }
  }
}
