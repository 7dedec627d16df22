/** Types that MCP's clients take as pictures. */
export const PICTURE_TYPES = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif'
] as const;

export type PictureType = (typeof PICTURE_TYPES)[number];

/** Pixels of the longer side: larger pictures are refused by models. */
export const LONGEST_SIDE = 8000;

/** What the beginning of a picture tells. */
export interface IPictureHeader {
  readonly kind: PictureType;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/**
 * The bytes of base64, which may be kept as lines and may miss its padding;
 * null for what is no base64.
 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) {
      bytes[i] = binary.charCodeAt(i);
    }
    return bytes;
  } catch {
    return null;
  }
}

/** Base64 on one line, padded. */
export function encodeBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  // A call takes only so many arguments.
  for (let i = 0; i < bytes.length; i += 0x8000) {
    parts.push(String.fromCharCode(...bytes.subarray(i, i + 0x8000)));
  }
  return btoa(parts.join(''));
}

/**
 * Kind and size of a picture, from its header; nothing is decoded. null for
 * what is no picture, has no pixels, or ends before its end.
 */
export function readPicture(bytes: Uint8Array): IPictureHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const read of [readPng, readJpeg, readGif, readWebp]) {
    try {
      const header = read(view);
      if (header) {
        return header.width > 0 && header.height > 0 ? header : null;
      }
    } catch {
      // A read past the end: it was cut short.
      return null;
    }
  }
  return null;
}

const PNG_START = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

function readPng(view: DataView): IPictureHeader | null {
  if (!startsWith(view, 0, PNG_START) || name(view, 12) !== 'IHDR') {
    return null;
  }
  // A PNG that lacks its end breaks some readers.
  let at = 8;
  while (name(view, at + 4) !== 'IEND') {
    at += 12 + view.getUint32(at);
  }
  return {
    kind: 'image/png',
    width: view.getUint32(16),
    height: view.getUint32(20)
  };
}

/** Frame headers (SOF), which hold the size; the other three are tables. */
function isFrame(marker: number): boolean {
  return (
    marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
  );
}

function readJpeg(view: DataView): IPictureHeader | null {
  if (!startsWith(view, 0, [0xff, 0xd8, 0xff])) {
    return null;
  }
  let at = 2;
  for (;;) {
    if (view.getUint8(at) !== 0xff) {
      throw new RangeError('No marker where one must be');
    }
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      // Padding.
      at += 1;
    } else if (isFrame(marker)) {
      return {
        kind: 'image/jpeg',
        height: view.getUint16(at + 5),
        width: view.getUint16(at + 7)
      };
    } else if (marker === 0xd9 || marker === 0xda) {
      throw new RangeError('No size before the picture');
    } else {
      at += 2 + view.getUint16(at + 2);
    }
  }
}

function readGif(view: DataView): IPictureHeader | null {
  const start = view.byteLength < 6 ? '' : name(view, 0) + name(view, 2);
  return start === 'GIF8F87a' || start === 'GIF8F89a'
    ? {
        kind: 'image/gif',
        width: view.getUint16(6, true),
        height: view.getUint16(8, true)
      }
    : null;
}

function readWebp(view: DataView): IPictureHeader | null {
  if (
    view.byteLength < 12 ||
    name(view, 0) !== 'RIFF' ||
    name(view, 8) !== 'WEBP'
  ) {
    return null;
  }
  if (view.getUint32(4, true) + 8 > view.byteLength) {
    throw new RangeError('Shorter than it says');
  }
  const size = webpSize(view);
  return size && { kind: 'image/webp', ...size };
}

function webpSize(
  view: DataView
): Pick<IPictureHeader, 'width' | 'height'> | null {
  switch (name(view, 12)) {
    case 'VP8 ':
      return startsWith(view, 23, [0x9d, 0x01, 0x2a])
        ? {
            width: view.getUint16(26, true) & 0x3fff,
            height: view.getUint16(28, true) & 0x3fff
          }
        : null;
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return view.getUint8(20) === 0x2f
        ? { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
        : null;
    }
    case 'VP8X':
      return {
        width: threeBytes(view, 24) + 1,
        height: threeBytes(view, 27) + 1
      };
    default:
      return null;
  }
}

function threeBytes(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

/** Four letters. */
function name(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map(i => view.getUint8(at + i)));
}

function startsWith(
  view: DataView,
  at: number,
  wanted: readonly number[]
): boolean {
  return (
    view.byteLength >= at + wanted.length &&
    wanted.every((byte, i) => view.getUint8(at + i) === byte)
  );
}
