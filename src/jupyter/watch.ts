import type { NotebookPanel } from '@jupyterlab/notebook';
import { Signal } from '@lumino/signaling';
import type { IServices } from './services';

/**
 * Calls back when what a tab tells about itself may have changed: notebooks
 * opened, closed, renamed, changed or saved, kernels started and ended.
 */
export class StateWatch {
  constructor(
    services: Pick<IServices, 'app' | 'notebooks'>,
    private readonly _changed: () => void
  ) {
    const { app, notebooks } = services;
    notebooks?.forEach(panel => this._follow(panel));
    notebooks?.widgetAdded.connect(this._onAdded, this);
    app.serviceManager.kernels.runningChanged.connect(this._tell, this);
  }

  dispose(): void {
    Signal.clearData(this);
  }

  private _onAdded(_tracker: unknown, panel: NotebookPanel): void {
    this._follow(panel);
    this._changed();
  }

  private _follow({ context }: NotebookPanel): void {
    context.pathChanged.connect(this._tell, this);
    context.saveState.connect(this._tell, this);
    context.disposed.connect(this._tell, this);
    context.sessionContext.kernelChanged.connect(this._tell, this);
    context.model.stateChanged.connect(this._onModel, this);
    void context.ready.then(() => this._changed());
  }

  private _onModel(_model: unknown, change: { readonly name: string }): void {
    if (change.name === 'dirty') {
      this._changed();
    }
  }

  private _tell(): void {
    this._changed();
  }
}
