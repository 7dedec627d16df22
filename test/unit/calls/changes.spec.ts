import { Changes } from '../../../src/calls/changes';

const client = (id: string) => ({ id, name: id, number: 1 });
const change = {
  kind: 'add',
  notebookPath: 'n.ipynb',
  cellId: 'a',
  after: 'x'
} as const;

describe('Changes', () => {
  it('gives each change an id that no other has', () => {
    const changes = new Changes(7);
    expect(changes.record(client('a'), change)).toBe('change-7');
    expect(changes.record(client('b'), change)).toBe('change-8');
  });

  it('shows a client its own changes only', () => {
    const changes = new Changes(1);
    changes.record(client('a'), change);
    expect(changes.of(client('a'))).toEqual([{ changeId: 'change-1', change }]);
    expect(changes.of(client('b'))).toEqual([]);
  });

  it('lets the oldest go beyond 200', () => {
    const changes = new Changes(0);
    for (let i = 0; i < 205; i++) {
      changes.record(client('a'), change);
    }
    const kept = changes.of(client('a'));
    expect(kept).toHaveLength(200);
    expect(kept[0].changeId).toBe('change-5');
  });
});
