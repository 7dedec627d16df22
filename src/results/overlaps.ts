/**
 * How far a pattern matches at places of a text (the Z algorithm): where the
 * pattern repeats itself, what was compared once is not compared again, so
 * that all places of a text together take linear time.
 */
export class Overlaps {
  constructor(private readonly _pattern: string) {}

  /** Forgets the text before; places are asked for in rising order from here. */
  begin(): void {
    this._start = 0;
    this._end = 0;
  }

  /** UTF-16 units of the pattern's beginning that stand at this place. */
  lengthAt(text: Pick<string, 'length' | 'charCodeAt'>, at: number): number {
    let same = 0;
    if (at < this._end) {
      // Here stands what the pattern itself has that far from its beginning.
      const own = this._ownLengths()[at - this._start];
      if (own < this._end - at) {
        return own;
      }
      same = this._end - at;
    }
    while (
      same < this._pattern.length &&
      at + same < text.length &&
      text.charCodeAt(at + same) === this._pattern.charCodeAt(same)
    ) {
      same++;
    }
    if (at + same > this._end) {
      this._start = at;
      this._end = at + same;
    }
    return same;
  }

  /** For each place of the pattern, how much of its beginning stands there. */
  private _ownLengths(): ArrayLike<number> {
    if (!this._own) {
      const own = new Int32Array(this._pattern.length);
      this._own = own;
      const inside = new Overlaps(this._pattern);
      inside._own = own;
      own[0] = this._pattern.length;
      for (let at = 1; at < own.length; at++) {
        own[at] = inside.lengthAt(this._pattern, at);
      }
    }
    return this._own;
  }

  private _own: Int32Array | undefined;
  private _start = 0;
  private _end = 0;
}
