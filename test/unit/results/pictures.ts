/** The smallest files that say what they are: headers, and no pixels. */

function joined(
  ...parts: (string | readonly number[])[]
): Uint8Array<ArrayBuffer> {
  return new Uint8Array(
    parts.flatMap(part =>
      typeof part === 'string'
        ? [...part].map(letter => letter.charCodeAt(0))
        : [...part]
    )
  );
}

const big32 = (n: number) => [
  n >>> 24,
  (n >> 16) & 255,
  (n >> 8) & 255,
  n & 255
];
const big16 = (n: number) => [n >> 8, n & 255];
const little16 = (n: number) => [n & 255, n >> 8];
const little24 = (n: number) => [n & 255, (n >> 8) & 255, n >> 16];
const little32 = (n: number) => big32(n).reverse();
const CRC = [0, 0, 0, 0];

export function PNG(width: number, height: number): Uint8Array<ArrayBuffer> {
  return joined(
    [0x89],
    'PNG\r\n\x1a\n',
    big32(13),
    'IHDR',
    big32(width),
    big32(height),
    [8, 2, 0, 0, 0],
    CRC,
    big32(5),
    'IDAT',
    [1, 2, 3, 4, 5],
    CRC,
    big32(0),
    'IEND',
    CRC
  );
}

export function GIF(width: number, height: number): Uint8Array<ArrayBuffer> {
  return joined('GIF89a', little16(width), little16(height), [0, 0, 0], ';');
}

export function JPEG(width: number, height: number): Uint8Array<ArrayBuffer> {
  return joined(
    [0xff, 0xd8, 0xff, 0xe0],
    big16(16),
    'JFIF\0',
    new Array(9).fill(0),
    // A table, padding, then the frame of a progressive picture.
    [0xff, 0xc4],
    big16(4),
    [1, 2],
    [0xff, 0xff, 0xc2],
    big16(11),
    [8],
    big16(height),
    big16(width),
    [1, 0, 0, 0],
    [0xff, 0xda]
  );
}

function riff(
  ...parts: (string | readonly number[])[]
): Uint8Array<ArrayBuffer> {
  const body = joined('WEBP', ...parts);
  return joined('RIFF', little32(body.length), [...body]);
}

export const WEBP = {
  lossy: (width: number, height: number) =>
    riff(
      'VP8 ',
      little32(10),
      [0, 0, 0, 0x9d, 0x01, 0x2a],
      little16(width | 0x4000),
      little16(height)
    ),
  lossless: (width: number, height: number) =>
    riff('VP8L', little32(5), [
      0x2f,
      ...little32(((width - 1) | ((height - 1) << 14)) >>> 0)
    ]),
  extended: (width: number, height: number) =>
    riff(
      'VP8X',
      little32(10),
      [0, 0, 0, 0],
      little24(width - 1),
      little24(height - 1)
    ),
  unknown: () => riff('VP9 ', little32(4), [0, 0, 0, 0])
};
