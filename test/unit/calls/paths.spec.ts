import fc from 'fast-check';
import { ToolError } from '../../../src/calls/errors';
import {
  canonicalFilePath,
  canonicalPath,
  folderOf,
  joinPath,
  newPath
} from '../../../src/calls/paths';
import { PROPERTY } from '../../support/property';

const RULES = { allowHidden: false };

function codeOf(path: string, rules = RULES): string {
  try {
    return canonicalFilePath(path, rules);
  } catch (reason) {
    if (reason instanceof ToolError) {
      return reason.code;
    }
    throw reason;
  }
}

describe('canonicalPath', () => {
  it.each([
    ['a b.ipynb', 'a b.ipynb'],
    ['A%20B.ipynb', 'A%20B.ipynb'],
    ['x#1?.ipynb', 'x#1?.ipynb'],
    ['2030-01-07 11:27.ipynb', '2030-01-07 11:27.ipynb'],
    ['RTC:dir/c.ipynb', 'dir/c.ipynb'],
    ['RTC:/dir/c.ipynb', 'dir/c.ipynb'],
    ['/abs.ipynb', 'abs.ipynb'],
    ['//abs.ipynb', 'abs.ipynb'],
    ['./a/./b.ipynb', 'a/b.ipynb'],
    ['a//b.ipynb', 'a/b.ipynb'],
    ['drive:c.ipynb', 'drive:c.ipynb'],
    ['...dots', 'not_found'],
    ['a/.ipynb_checkpoints/b.ipynb', 'not_found'],
    ['.hidden', 'not_found'],
    ['..', 'not_found'],
    ['a/..', 'not_found'],
    ['/../etc/passwd', 'not_found'],
    ['RTC:../x', 'not_found'],
    ['a\0b', 'validation_failed'],
    ['RTC:\0', 'validation_failed'],
    ['C:\\x', 'validation_failed'],
    ['\\\\host\\share', 'validation_failed'],
    ['name.', 'validation_failed'],
    ['name ', 'validation_failed'],
    ['dir /b.ipynb', 'validation_failed'],
    ['half \ud83d.ipynb', 'validation_failed'],
    ['a'.repeat(255), 'a'.repeat(255)],
    ['a'.repeat(256), 'validation_failed'],
    ['ü'.repeat(128), 'validation_failed'],
    [`${'\u{1f600}'.repeat(64)}/x`, 'validation_failed'],
    ['d/'.repeat(1499) + 'ab', 'd/'.repeat(1499) + 'ab'],
    ['d/'.repeat(1499) + 'abc', 'validation_failed'],
    ['', 'validation_failed'],
    ['RTC:', 'validation_failed'],
    ['/', 'validation_failed']
  ])('%j is %s', (path, expected) => {
    expect(codeOf(path)).toBe(expected);
  });

  it('keeps the two forms of an accent apart', () => {
    expect(codeOf('na\u00efve')).not.toBe(codeOf('nai\u0308ve'));
  });

  it('lets hidden parts through where the server serves them', () => {
    expect(codeOf('.hidden/c.ipynb', { allowHidden: true })).toBe(
      '.hidden/c.ipynb'
    );
    expect(codeOf('.hidden/../c', { allowHidden: true })).toBe('not_found');
  });

  it('answers hidden, outside and absent alike', () => {
    const message = (path: string): string => {
      try {
        return canonicalPath(path, RULES);
      } catch (reason) {
        return String(reason).replaceAll(path, 'PATH');
      }
    };
    expect(message('.hidden/c')).toBe(message('../c'));
  });

  it('is the same when it is done twice, and never leaves the root', () => {
    const part = fc.oneof(
      fc.constantFrom('.', '..', '', 'a', '.b', 'RTC:', 'c:d', ' '),
      fc.string({ maxLength: 4 })
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), parts => {
        const once = codeOf(parts.join('/'));
        if (/_/.test(once)) {
          return;
        }
        expect(codeOf(once)).toBe(once);
        expect(once.split('/')).not.toContain('..');
        expect(once.startsWith('/')).toBe(false);
      }),
      PROPERTY
    );
  });
});

describe('newPath', () => {
  it.each([
    ['dir', 'a.txt', 'dir/a.txt'],
    ['', 'foo:bar.txt', 'foo:bar.txt'],
    ['', 'a'.repeat(244), 'a'.repeat(244)],
    ['', 'a'.repeat(245), 'validation_failed'],
    ['', '.env', 'validation_failed'],
    ['', '.', 'validation_failed'],
    ['dir', '..', 'validation_failed'],
    ['', 'a/b', 'validation_failed'],
    ['', 'a\u007fb', 'validation_failed'],
    ['', 'a\u0085b', 'validation_failed'],
    ['', 'a\u2066b', 'validation_failed'],
    ['..', 'a', 'not_found']
  ])('%j in %j is %s', (folder, name, expected) => {
    let made: string;
    try {
      made = newPath(folder, name, RULES);
    } catch (reason) {
      made = reason instanceof ToolError ? reason.code : String(reason);
    }
    expect(made).toBe(expected);
  });

  it('lets a name begin with a dot where the server serves such', () => {
    expect(newPath('', '.env', { allowHidden: true })).toBe('.env');
  });
});

describe('folderOf and joinPath', () => {
  it.each([
    ['a/b/c', 'a/b', 'c'],
    ['c', '', 'c']
  ])('%s lies in %j', (path, folder, name) => {
    expect(folderOf(path)).toBe(folder);
    expect(joinPath(folder, name)).toBe(path);
  });
});
