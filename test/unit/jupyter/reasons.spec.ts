import { ServerConnection } from '@jupyterlab/services';
import { toServerError } from '../../../src/jupyter/reasons';

function told(message: string, status = 400): string {
  const response = new Response('', { status });
  const reason = new ServerConnection.ResponseError(response, message);
  const error = toServerError(reason, 'It was not done');
  return error instanceof Error ? error.message : '';
}

const says = (message: string) =>
  `It was not done: the Jupyter server answered 400: ${message}`;

describe('what a server says', () => {
  it.each([
    'a/b c.txt is a directory, not a file',
    'ordner ü/x.txt is not UTF-8 encoded',
    'Type text/plain, and/or none (1/2)'
  ])('is passed on: %s', message => {
    expect(told(message)).toBe(says(message));
  });

  it.each([
    [
      "Encoding error saving /home/me/work dir/a.txt: 'utf-8' codec can't encode",
      'Encoding error saving …'
    ],
    [
      "Unexpected error while saving file: d/a.txt [Errno 28] No space left on device: '/home/m e/.~a.txt'",
      "Unexpected error while saving file: d/a.txt [Errno 28] No space left on device: '…'"
    ],
    [
      `Cannot move '/srv/a' to "/srv/o'b/c": busy`,
      `Cannot move '…' to "…": busy`
    ],
    ['/srv/x is not a file', '…'],
    ['Unreadable Notebook: ~/x.ipynb NotJSONError', 'Unreadable Notebook: …'],
    ['Cannot read C:\\Users\\me\\a.txt', 'Cannot read …'],
    ['Cannot read \\\\host\\share', 'Cannot read …'],
    ["broken '/srv/a", "broken '…"]
  ])('is passed on without paths of its machine: %s', (message, rest) => {
    expect(told(message)).toBe(says(rest));
  });
});
