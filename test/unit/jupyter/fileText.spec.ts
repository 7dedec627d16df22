import { type Contents, ServerConnection } from '@jupyterlab/services';
import {
  isAbsent,
  isMissing,
  readFileText
} from '../../../src/jupyter/fileText';

const answer = (status: number, message = 'no'): Error =>
  new ServerConnection.ResponseError(new Response(null, { status }), message);

/** A server that has folders, files, and fails behind files as Jupyter's does. */
function server(
  types: Readonly<Record<string, string>>
): Pick<Contents.IManager, 'get'> {
  const contents: unknown = {
    get: async (path: string) => {
      if (types[path] !== undefined) {
        return { type: types[path] };
      }
      const isBehindFile = Object.keys(types).some(
        each => types[each] === 'file' && path.startsWith(`${each}/`)
      );
      throw answer(isBehindFile ? 500 : 404);
    }
  };
  return contents as Contents.IManager;
}

describe('what is missing', () => {
  it.each([
    ['a server that answers 404', answer(404), true],
    ['another answer', answer(500), false],
    ['JupyterLite', new Error('Could not find content with path a.txt'), true],
    [
      'JupyterLite of a folder',
      new Error('Could not find file with path a'),
      true
    ],
    ['any other error', new Error('Could not find'), false],
    ['what is no error', 'Could not find content with path a', false]
  ])('is told by %s', (_, reason, expected) => {
    expect(isMissing(reason)).toBe(expected);
  });

  it.each([
    ['file.txt/a', true],
    ['dir/file.txt/a/b/c', true],
    ['dir/a', false],
    ['a', false],
    ['gone/a', true]
  ])(
    '%s: behind a file, where the server breaks off, is %s',
    async (path, is) => {
      const contents = server({
        dir: 'directory',
        'file.txt': 'file',
        'dir/file.txt': 'file'
      });
      expect(await isAbsent(contents, path, answer(500))).toBe(is);
    }
  );
});

it.each([
  ['/srv/a.bin is not UTF-8 encoded', 'unsupported_type'],
  ['Cannot read non-file /srv/text utf-8.txt', 'operation_refused']
])('a refusal to read, %j, is %s', async (message, code) => {
  const contents: unknown = {
    get: async (_path: string, options: Contents.IFetchOptions) => {
      if (options.content) {
        throw answer(400, message);
      }
      return { type: 'file', size: 1 };
    }
  };
  await expect(
    readFileText(contents as Contents.IManager, 'a')
  ).rejects.toMatchObject({ code });
});
