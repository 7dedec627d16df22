import { withField } from '../../../src/calls/outcome';
import { pictureOf, withPicture } from '../../../src/calls/picture';
import type { Outcome } from '../../../src/calls/types';

const picture = { data: 'QUJD', mimeType: 'image/png' };

describe('a picture beside a result', () => {
  const data = withPicture({ success: true }, picture);

  it('is not in its text', () => {
    expect(JSON.parse(JSON.stringify(data))).toEqual({ success: true });
    expect(Object.keys(data)).toEqual(['success']);
    expect(pictureOf(data)).toEqual(picture);
    expect(pictureOf({ success: true })).toBeUndefined();
  });

  it('stays with it as fields are added, as for dialogs and answers', () => {
    const done: Outcome = { kind: 'done', data };
    const told = withField(done, 'dialogs', []);
    expect(told.kind !== 'refused' && pictureOf(told.data)).toEqual(picture);
    expect(pictureOf({ untrusted: true, ...data })).toEqual(picture);
  });
});
