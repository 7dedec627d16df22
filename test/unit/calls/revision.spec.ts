import { ToolError } from '../../../src/calls/errors';
import { canonicalJSON, Revisions, tabKey } from '../../../src/calls/revision';

const OBJECT = 'cell a of x.ipynb';
const revisions = new Revisions(new Uint8Array(32).fill(1));

function codeOf(verify: () => void): string {
  try {
    verify();
    return 'ok';
  } catch (reason) {
    return reason instanceof ToolError ? reason.code : String(reason);
  }
}

function verify(token: string, object = OBJECT, content = 'x = 1'): string {
  return codeOf(() => revisions.verify(token, [object], content));
}

describe('Revisions', () => {
  const token = revisions.issue(OBJECT, 'x = 1');

  it('are 16 characters, the same for the same object and content', () => {
    expect(token).toMatch(/^[A-Za-z0-9_-]{16}$/);
    expect(revisions.issue(OBJECT, 'x = 1')).toBe(token);
  });

  it('say nothing of equal content in another object but its digest', () => {
    const other = revisions.issue('cell b of x.ipynb', 'x = 1');
    expect(other.slice(0, 8)).toBe(token.slice(0, 8));
    expect(other.slice(8)).not.toBe(token.slice(8));
  });

  it('are accepted for their object and content', () => {
    expect(verify(token)).toBe('ok');
  });

  it('are accepted under a name that the object had before', () => {
    expect(
      codeOf(() =>
        revisions.verify(token, ['cell a of y.ipynb', OBJECT], 'x = 1')
      )
    ).toBe('ok');
  });

  it('are stale when the content changed', () => {
    expect(verify(token, OBJECT, 'x = 2')).toBe('stale_revision');
  });

  it('are stale when another key made them', () => {
    const marks = new Set<string>();
    for (let i = 2; i < 40; i++) {
      const other = new Revisions(new Uint8Array(32).fill(i));
      const foreign = other.issue(OBJECT, 'x = 1');
      marks.add(foreign[0]);
      expect(verify(foreign)).toBe(
        foreign[0] === token[0] ? 'tampered_revision' : 'stale_revision'
      );
    }
    expect(marks.size).toBeGreaterThan(10);
  });

  it('are tampered when they are another object’s', () => {
    expect(verify(revisions.issue('cell b', 'x = 1'))).toBe(
      'tampered_revision'
    );
  });

  it.each(Array.from({ length: 15 }, (_, i) => i + 1))(
    'are tampered when character %i was changed',
    i => {
      const changed =
        token.slice(0, i) + (token[i] === 'A' ? 'B' : 'A') + token.slice(i + 1);
      expect(verify(changed)).toBe('tampered_revision');
    }
  );

  it.each(['', 'x', `${token}x`, token.replace(/.$/, '+'), '0'.repeat(15)])(
    '%j is none of ours',
    none => {
      expect(verify(none)).toBe('tampered_revision');
    }
  );
});

describe('tabKey', () => {
  const random = (bytes: Uint8Array): void => void bytes.fill(9);

  function storage(): Pick<Storage, 'getItem' | 'setItem'> {
    const items = new Map<string, string>();
    return {
      getItem: name => items.get(name) ?? null,
      setItem: (name, value) => void items.set(name, value)
    };
  }

  it('is kept over reloads', () => {
    const kept = storage();
    const key = tabKey(kept, random);
    expect(key).toEqual(new Uint8Array(32).fill(9));
    expect(tabKey(kept, bytes => void bytes.fill(3))).toEqual(key);
  });

  it('is made anew where the storage holds something else', () => {
    const kept = storage();
    kept.setItem('jupyterlab-mcp-bridge:revision-key', 'no key');
    expect(tabKey(kept, random)).toEqual(new Uint8Array(32).fill(9));
  });

  it('does without a storage', () => {
    const broken = {
      getItem: () => {
        throw new Error('forbidden');
      },
      setItem: () => {
        throw new Error('forbidden');
      }
    };
    expect(tabKey(broken, random)).toHaveLength(32);
    expect(tabKey(undefined, random)).toHaveLength(32);
  });
});

describe('canonicalJSON', () => {
  it('does not depend on the order of keys', () => {
    expect(canonicalJSON([{ b: 1, a: { d: [2, 1], c: null } }])).toBe(
      canonicalJSON([{ a: { c: null, d: [2, 1] }, b: 1 }])
    );
    expect(canonicalJSON([2, 1])).not.toBe(canonicalJSON([1, 2]));
  });
});
