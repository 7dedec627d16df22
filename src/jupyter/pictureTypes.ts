import type { IPictureHeader } from '../results/index';

/** A picture as the page drew it. */
export interface IDrawn extends IPictureHeader {
  readonly bytes: Uint8Array;
}

/**
 * Draws pictures in the page, in hidden tabs too. Each is at most `cap` bytes
 * and `LONGEST_SIDE` pixels a side, scaled down as far as that takes. Failures are ToolErrors: too_large where
 * that does not help, unsupported_type for what the browser cannot draw.
 */
export interface IPictures {
  /** Draws an SVG as PNG. None of its scripts runs, nothing it names is fetched. */
  draw(svg: string, cap: number): Promise<IDrawn>;
  /** Makes a picture smaller; of an animation its first frame. */
  shrink(
    bytes: Uint8Array<ArrayBuffer>,
    header: IPictureHeader,
    cap: number
  ): Promise<IDrawn>;
}
