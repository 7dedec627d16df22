import type { ICellModel } from '@jupyterlab/cells';
import type { CellState } from './notebookTypes';

/** What a cell's own model does not tell of its last run. */
export interface ICellEnd {
  /** Whether outputs of it may not be in the cell. */
  readonly missing: boolean;
  /** Its state while the cell is not under way; absent: as the cell looks. */
  readonly state?: CellState;
}

/** What is looked at in a change of a cell's model. */
interface IModelChange {
  readonly name: string;
  readonly newValue: unknown;
}

type Model = Pick<ICellModel, 'stateChanged'>;

/**
 * How runs ended that were lost sight of, or whose kernel went: the cell then
 * shows no more than a part of its outputs, as if it had ended well or had
 * never been run. Kept until the cell runs again, whoever runs it.
 */
export class CellEnds {
  /** @param end - a function where it may change: asked each time. */
  set(model: Model, end: ICellEnd | (() => ICellEnd)): void {
    if (!this._ends.has(model)) {
      model.stateChanged.connect(this._onState, this);
    }
    this._ends.set(model, typeof end === 'function' ? end : () => end);
  }

  of(model: object): ICellEnd | undefined {
    return this._ends.get(model)?.();
  }

  forget(model: Model): void {
    if (this._ends.delete(model)) {
      model.stateChanged.disconnect(this._onState, this);
    }
  }

  private _onState(model: Model, { name, newValue }: IModelChange): void {
    if (name === 'executionState' && newValue === 'running') {
      this.forget(model);
    } else if (name === 'executionCount' && typeof newValue === 'number') {
      // Its answer has come after all.
      const missing = this.of(model)?.missing ?? false;
      this.set(model, { missing });
    }
  }

  private readonly _ends = new WeakMap<object, () => ICellEnd>();
}
