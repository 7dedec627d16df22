import { ToolError } from '../calls/errors';

const SVG = 'http://www.w3.org/2000/svg';
/** Characters of an SVG that are drawn: more would stop the page for long. */
const LONGEST = 8 * 1024 * 1024;
/** What browsers take where an SVG says nothing. */
const DEFAULT = { width: 300, height: 150 };
/** CSS pixels of a unit; of those that depend on a font, at its usual size. */
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  em: 16,
  rem: 16,
  ex: 8
};

/** In CSS pixels. */
export interface ISize {
  readonly width: number;
  readonly height: number;
}

/** An SVG as it was read, with the size that it asks for. */
export interface ISvg {
  readonly root: Element;
  readonly size: ISize;
}

/**
 * Reads an SVG without running or loading anything of it.
 * @throws ToolError unsupported_type for what is no SVG, too_large
 */
export function readSvg(text: string): ISvg {
  if (text.length > LONGEST) {
    throw new ToolError(
      'too_large',
      `its image/svg+xml data has ${text.length} characters, and at most ${LONGEST} are drawn.`
    );
  }
  const root = parse(text) ?? parse(withNamespace(text));
  if (!root) {
    throw new ToolError(
      'unsupported_type',
      'its image/svg+xml data is broken (it is no SVG).'
    );
  }
  return { root, size: sizeOf(root) };
}

/** Its text at another size, without what stood before its root element. */
export function sized({ root, size }: ISvg, { width, height }: ISize): string {
  const copy = root.ownerDocument.importNode(root, true);
  if (!copy.hasAttribute('viewBox')) {
    copy.setAttribute('viewBox', `0 0 ${size.width} ${size.height}`);
  }
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  return new XMLSerializer().serializeToString(copy);
}

function parse(text: string): Element | null {
  const { documentElement: root } = new DOMParser().parseFromString(
    // An XML declaration has to be the first thing there is.
    text.trim(),
    'image/svg+xml'
  );
  return root.namespaceURI === SVG &&
    root.localName === 'svg' &&
    !root.querySelector('parsererror')
    ? root
    : null;
}

/** JupyterLab too shows an SVG that names no namespace. */
function withNamespace(text: string): string {
  return text.replace(/<svg(?=[\s>/])/, `<svg xmlns="${SVG}"`);
}

function sizeOf(root: Element): ISize {
  const box = (root.getAttribute('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [boxWidth, boxHeight] =
    box.length === 4 && box[2] > 0 && box[3] > 0
      ? [box[2], box[3]]
      : [undefined, undefined];
  const width = pixels(root.getAttribute('width'));
  const height = pixels(root.getAttribute('height'));
  if (boxWidth === undefined || boxHeight === undefined) {
    return {
      width: width ?? DEFAULT.width,
      height: height ?? DEFAULT.height
    };
  }
  const ratio = boxWidth / boxHeight;
  return {
    width: width ?? (height === undefined ? boxWidth : height * ratio),
    height: height ?? (width === undefined ? boxHeight : width / ratio)
  };
}

/** A length in CSS pixels; undefined for one that depends on the page. */
function pixels(length: string | null): number | undefined {
  const found = /^\s*\+?(\d*\.?\d+(?:e[+-]?\d+)?)([a-z]*)\s*$/i.exec(
    length ?? ''
  );
  const value = found
    ? Number(found[1]) * (UNITS[found[2].toLowerCase()] ?? NaN)
    : NaN;
  return Number.isFinite(value) && value > 0 ? value : undefined;
}
