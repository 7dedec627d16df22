import type { IClock } from '../calls/types';

/** Milliseconds between two messages: at most four a second. */
const INTERVAL = 250;
/** Characters of printed text that one message keeps, the last ones. */
const KEEP = 500;

/**
 * Sends what running code prints as progress: at once when it has been quiet,
 * else gathered. `finish` sends the rest, so that all of it is out before the
 * result.
 */
export class Progress {
  constructor(
    private readonly _send: (text: string, n: number) => Promise<void>,
    private readonly _clock: IClock,
    /** Makes printed text fit to be read: as a terminal shows it, without secrets. */
    private readonly _clean: (text: string) => string = text => text
  ) {}

  printed(text: string): void {
    if (this._finished || text === '') {
      return;
    }
    this._text = (this._text + text).slice(-2 * KEEP);
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
    if (this._text === '') {
      return;
    }
    const text = lastCharacters(this._clean(this._text), KEEP);
    this._text = '';
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

  private _text = '';
  private _count = 0;
  private _last = -INTERVAL;
  private _finished = false;
  private _timer: { dispose(): void } | null = null;
  private _sent: Promise<void> = Promise.resolve();
}

/** The last `keep` units at most, without half of a pair at the start. */
function lastCharacters(text: string, keep: number): string {
  return text.slice(-keep).replace(/^[\udc00-\udfff]/, '');
}
