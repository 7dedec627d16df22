import { Signal } from '@lumino/signaling';
import { CellEnds } from '../../../src/jupyter/cellEnds';

function setUp() {
  const ends = new CellEnds();
  const cell: { stateChanged: Signal<never, never> } = {
    stateChanged: new Signal<never, never>({} as never)
  };
  Object.assign(cell, { stateChanged: new Signal(cell as never) });
  const change = (name: string, newValue: unknown) =>
    cell.stateChanged.emit({ name, newValue } as never);
  return { ends, cell: cell as never, change };
}

describe('CellEnds', () => {
  it('should keep what is known until the cell runs again, whoever runs it', () => {
    const { ends, cell, change } = setUp();
    ends.set(cell, { missing: true, state: 'unknown' });
    change('trusted', true);
    change('executionState', 'idle');
    change('executionCount', null);
    expect(ends.of(cell)).toEqual({ missing: true, state: 'unknown' });
    change('executionState', 'running');
    expect(ends.of(cell)).toBeUndefined();
  });

  it('should forget the state, and not what is missing, when the answer comes after all', () => {
    const { ends, cell, change } = setUp();
    ends.set(cell, { missing: true, state: 'unknown' });
    change('executionCount', 4);
    expect(ends.of(cell)).toEqual({ missing: true });
  });

  it('should ask each time where the state may change', () => {
    const { ends, cell } = setUp();
    const states = ['queued', 'running', 'done'] as const;
    let n = 0;
    ends.set(cell, () => ({ missing: true, state: states[n] }));
    for (n = 0; n < states.length; n++) {
      expect(ends.of(cell)?.state).toBe(states[n]);
    }
  });

  it('should listen no more once it has forgotten', () => {
    const { ends, cell, change } = setUp();
    ends.set(cell, { missing: true });
    ends.set(cell, { missing: false, state: 'error' });
    ends.forget(cell);
    change('executionCount', 4);
    expect(ends.of(cell)).toBeUndefined();
  });
});
