import { ToolError } from '../calls/errors';
import {
  decodeBase64,
  type IPictureHeader,
  LONGEST_SIDE,
  readPicture
} from '../results/index';
import type { IDrawn, IPictures } from './pictureTypes';
import { type ISize, readSvg, sized } from './svg';

/** A picture of more pixels than this would take the page's memory: 256 MB decoded. */
const PIXELS = 64_000_000;
/** What an SVG is drawn at, at most, in pixels of its longer side. */
const DRAWN_SIDE = 2000;
/** Below this a picture shows nothing: it is not made smaller still. */
const LEAST_SIDE = 8;
/** Of JPEG and WebP. */
const QUALITY = 0.85;

/**
 * Draws in a canvas of the page. Nothing here waits for a frame, so it goes
 * on in a hidden tab; `toDataURL`, because `toBlob` may wait for an idle page.
 */
export class Pictures implements IPictures {
  async draw(svg: string, cap: number): Promise<IDrawn> {
    const parsed = readSvg(svg);
    const size = within(parsed.size, DRAWN_SIDE);
    // As an image an SVG runs no script and loads nothing (SVG 2, secure static mode).
    const text = encodeURIComponent(sized(parsed, size).toWellFormed());
    const image = await loadImage(`data:image/svg+xml;charset=utf-8,${text}`);
    // Most are made for white paper, and some readers put black under them.
    return fit(image, size, 'image/png', cap, 'white');
  }

  async shrink(
    bytes: Uint8Array<ArrayBuffer>,
    header: IPictureHeader,
    cap: number
  ): Promise<IDrawn> {
    const { kind, width, height } = header;
    if (width * height > PIXELS) {
      throw new ToolError(
        'too_large',
        `it has ${width} x ${height} pixels and ${bytes.length} bytes: too large to be scaled down to ${cap} bytes here.`
      );
    }
    const bitmap = await decode(new Blob([bytes], { type: kind }));
    try {
      const factor = bytes.length > cap ? smallerBy(bytes.length, cap) : 1;
      const size = within(scaled(bitmap, factor), LONGEST_SIDE);
      return fit(bitmap, size, kind === 'image/gif' ? 'image/png' : kind, cap);
    } finally {
      bitmap.close();
    }
  }
}

/** Draws it ever smaller until it takes at most `cap` bytes. */
function fit(
  source: CanvasImageSource,
  first: ISize,
  kind: string,
  cap: number,
  background?: string
): IDrawn {
  let size = first;
  for (;;) {
    const drawn = paint(source, size, kind, background);
    if (drawn.bytes.length <= cap) {
      return drawn;
    }
    if (Math.max(size.width, size.height) <= LEAST_SIDE) {
      throw new ToolError(
        'too_large',
        `it cannot be brought below ${cap} bytes.`
      );
    }
    size = scaled(size, smallerBy(drawn.bytes.length, cap));
  }
}

function paint(
  source: CanvasImageSource,
  { width, height }: ISize,
  kind: string,
  background: string | undefined
): IDrawn {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) {
    throw notDrawn();
  }
  if (background !== undefined) {
    context.fillStyle = background;
    context.fillRect(0, 0, width, height);
  }
  context.imageSmoothingQuality = 'high';
  context.drawImage(source, 0, 0, width, height);
  const bytes = decodeBase64(written(canvas, kind).replace(/^[^,]*,/, ''));
  // A browser that cannot write the kind writes PNG.
  const header = bytes && readPicture(bytes);
  if (!header) {
    throw notDrawn();
  }
  return { bytes, ...header };
}

function written(canvas: HTMLCanvasElement, kind: string): string {
  try {
    return canvas.toDataURL(kind, QUALITY);
  } catch {
    // Browsers that take an SVG with HTML in it for somebody else's picture.
    throw notDrawn();
  }
}

async function decode(blob: Blob): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(blob);
  } catch {
    throw new ToolError(
      'unsupported_type',
      'the browser cannot decode it, so it could not be scaled down.'
    );
  }
}

function loadImage(url: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve(image);
    image.onerror = () => reject(notDrawn());
    image.src = url;
  });
}

function notDrawn(): ToolError {
  return new ToolError('unsupported_type', 'the browser cannot draw it.');
}

/** The factor for both sides that should bring the bytes below the cap. */
function smallerBy(bytes: number, cap: number): number {
  return Math.min(0.9, 0.95 * Math.sqrt(cap / bytes));
}

function scaled({ width, height }: ISize, factor: number): ISize {
  return {
    width: Math.max(1, Math.floor(width * factor)),
    height: Math.max(1, Math.floor(height * factor))
  };
}

function within({ width, height }: ISize, side: number): ISize {
  const factor = Math.min(1, side / Math.max(width, height));
  return {
    width: Math.max(1, Math.round(width * factor)),
    height: Math.max(1, Math.round(height * factor))
  };
}
