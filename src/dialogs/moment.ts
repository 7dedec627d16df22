import type { IClock } from '../calls/types';

/** Something that is over at the latest after some milliseconds. */
export class Moment {
  constructor(clock: IClock, ms: number) {
    let resolve = (): void => {};
    this.promise = new Promise(done => {
      resolve = done;
    });
    const timer = ms > 0 ? clock.after(ms, () => this.over()) : null;
    this.over = () => {
      timer?.dispose();
      this._isOver = true;
      resolve();
    };
  }

  get isOver(): boolean {
    return this._isOver;
  }

  readonly promise: Promise<void>;
  readonly over: () => void;
  private _isOver = false;
}
