import * as fc from 'fast-check';
import {
  decodeBase64,
  encodeBase64,
  readPicture
} from '../../../src/results/picture';
import { GIF, JPEG, PNG, WEBP } from './pictures';

describe('decodeBase64()', () => {
  it('joins lines, and takes it without its padding', () => {
    expect(decodeBase64('QU\nJD\r\n RA=\t=\n')).toEqual(
      new Uint8Array([65, 66, 67, 68])
    );
    expect(decodeBase64('QUJDRA')).toEqual(new Uint8Array([65, 66, 67, 68]));
  });

  it.each(['not base64 at all!', 'QUJDQ', 'QUJD=QUJD', 'QUI==', 'é', 'QU-_'])(
    'says that %j is none',
    text => {
      expect(decodeBase64(text)).toBeNull();
    }
  );

  it('gives back what encodeBase64() wrote', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.nat(3),
        (piece, times) => {
          const bytes = new Uint8Array(piece.length * 40 * times);
          bytes.set(piece.subarray(0, bytes.length));
          const text = encodeBase64(bytes);
          expect(text).toMatch(
            /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2,3}=*)?$/
          );
          expect(text.length % 4).toBe(0);
          expect(decodeBase64(text)).toEqual(bytes);
        }
      )
    );
  });
});

describe('readPicture()', () => {
  it.each([
    ['image/png', PNG(640, 480), 640, 480],
    ['image/gif', GIF(30, 40), 30, 40],
    ['image/jpeg', JPEG(1920, 1080), 1920, 1080],
    ['image/webp', WEBP.lossy(500, 300), 500, 300],
    ['image/webp', WEBP.lossless(16384, 1), 16384, 1],
    ['image/webp', WEBP.extended(70000, 66000), 70000, 66000]
  ])('reads kind and size of %s', (kind, bytes, width, height) => {
    expect(readPicture(bytes)).toEqual({ kind, width, height });
  });

  it('reads from the middle of a buffer', () => {
    const whole = new Uint8Array(200);
    const png = PNG(3, 2);
    whole.set(png, 50);
    expect(readPicture(whole.subarray(50, 50 + png.length))).toEqual({
      kind: 'image/png',
      width: 3,
      height: 2
    });
  });

  it.each([
    ['nothing', new Uint8Array()],
    ['text', new TextEncoder().encode('<html><body>Not here</body></html>')],
    ['a PNG without pixels', PNG(0, 10)],
    ['a PNG cut short', PNG(10, 10).subarray(0, -12)],
    ['a JPEG without a size', JPEG(1, 1).subarray(0, 20)],
    ['a WebP cut short', WEBP.lossy(10, 10).subarray(0, -1)],
    ['a WebP of an unknown sort', WEBP.unknown()]
  ])('says that %s is no picture', (_what, bytes) => {
    expect(readPicture(bytes)).toBeNull();
  });

  it('never fails, whatever the bytes', () => {
    const start = fc.constantFrom(
      PNG(9, 9),
      GIF(9, 9),
      JPEG(9, 9),
      WEBP.extended(9, 9)
    );
    fc.assert(
      fc.property(start, fc.nat(60), fc.uint8Array(), (whole, cut, rest) => {
        const bytes = new Uint8Array(cut + rest.length);
        bytes.set(whole.subarray(0, cut));
        bytes.set(rest, cut);
        const header = readPicture(bytes);
        expect(header === null || header.width * header.height > 0).toBe(true);
      })
    );
  });
});
