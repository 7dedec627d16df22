import type { IClock } from '../calls/types';
import { Printed, type Redact } from '../results/index';

/** Milliseconds between two messages: at most four a second. */
const INTERVAL = 250;

/**
 * Sends what running code prints as progress: at once when it has been quiet,
 * else gathered. `finish` sends the rest, so that all of it is out before the
 * result.
 */
export class Progress {
  constructor(
    private readonly _send: (text: string, n: number) => Promise<void>,
    private readonly _clock: IClock,
    private readonly _redact: Redact
  ) {}

  printed(text: string): void {
    if (this._finished || text === '') {
      return;
    }
    this._printed.add(text);
    if (!this._timer) {
      const wait = this._last + INTERVAL - this._clock.now();
      if (wait <= 0) {
        this._flush();
      } else {
        this._timer = this._clock.after(wait, () => {
          this._timer = null;
          this._flush();
        });
      }
    }
  }

  /** After this nothing more is sent. */
  async finish(): Promise<void> {
    this._timer?.dispose();
    this._timer = null;
    this._flush();
    this._finished = true;
    await this._sent;
  }

  private _flush(): void {
    const text = this._printed.take(this._redact);
    if (text === '') {
      return;
    }
    this._last = this._clock.now();
    const n = ++this._count;
    this._sent = this._sent
      .then(() => this._send(text, n))
      .catch(() => {
        // The connection is gone; the result will find that out too.
      });
  }

  private readonly _printed = new Printed();
  private _count = 0;
  private _last = -INTERVAL;
  private _finished = false;
  private _timer: { dispose(): void } | null = null;
  private _sent: Promise<void> = Promise.resolve();
}
