import type { DocumentRegistry } from '@jupyterlab/docregistry';
import { nullTranslator } from '@jupyterlab/translation';
import { assertInRoom, Rooms, roomTitles } from '../../../src/jupyter/rooms';

type Context = Pick<DocumentRegistry.Context, 'path' | 'model'>;

function document(
  path: string,
  { collaborative = false, isEnded = false, isDisposed = false } = {}
): Context {
  const sharedModel = { isDisposed: isEnded };
  const model: unknown = { collaborative, isDisposed, sharedModel };
  return { path, model: model as Context['model'] };
}

/** The rooms of a page with these documents, while a dialog is open. */
function rooms(
  documents: Context[],
  dialog?: { title: string; body: string }
): Rooms {
  return new Rooms({
    dialogs: () => (dialog ? [dialog] : []),
    titles: roomTitles(nullTranslator),
    documents: () => documents
  });
}

const EXPIRED = {
  title: 'Session expired',
  body: 'Reload the browser tab to continue.'
};

it.each([
  'Document session error',
  'Session expired',
  'Collaboration extension updated',
  'Document error',
  'Edit Conflict'
])('a dialog titled %s says so in its words (b39)', title => {
  const a = document('a.ipynb');
  expect(rooms([a], { title, body: 'Because.' }).lost(a)).toBe(
    `${title}: Because.`
  );
});

it('the titles are known in the language of the page too', () => {
  const french = {
    ...nullTranslator,
    load: () => ({
      ...nullTranslator.load(''),
      __: (text: string) => (text === 'Session expired' ? 'Finie' : text)
    })
  };
  const titles = roomTitles(french as unknown as typeof nullTranslator);
  expect([...titles]).toEqual(
    expect.arrayContaining(['Finie', 'Session expired'])
  );
});

it('another dialog says nothing', () => {
  const a = document('a.ipynb');
  expect(rooms([a]).lost(a)).toBeUndefined();
  expect(
    rooms([a], { title: 'File Save Error for a.ipynb', body: '' }).lost(a)
  ).toBeUndefined();
});

it('a dialog that names a document is about that one', () => {
  const [a, b] = [document('dir/a.ipynb'), document('RTC:b.ipynb')];
  const body = 'Could not find b.ipynb';
  const both = rooms([a, b], { title: 'Document session error', body });
  expect(both.lost(a)).toBeUndefined();
  expect(both.lost(b)).toContain(body);
});

it('one that names none is about what is shared, or about all where nothing is', () => {
  const alone = document('alone.txt');
  const shared = document('a.ipynb', { collaborative: true });
  expect(rooms([alone, shared], EXPIRED).lost(shared)).toBeDefined();
  expect(rooms([alone, shared], EXPIRED).lost(alone)).toBeUndefined();
  expect(rooms([alone], EXPIRED).lost(alone)).toBeDefined();
});

it('a document whose shared model was ended is lost without a dialog', () => {
  const kept = document('a.ipynb', { collaborative: true });
  const ended = document('b.ipynb', { collaborative: true, isEnded: true });
  const both = rooms([kept, ended]);
  expect(both.lost(kept)).toBeUndefined();
  const lost = both.lost(ended);
  expect(lost).toMatch(/closed and opened again/);
  expect(() => assertInRoom('b.ipynb', lost)).toThrow(
    expect.objectContaining({
      code: 'operation_refused',
      message: expect.stringContaining('b.ipynb')
    })
  );
  expect(() => assertInRoom('a.ipynb', undefined)).not.toThrow();
});

it('a document that was closed is not', () => {
  const closed = document('a.ipynb', { isEnded: true, isDisposed: true });
  expect(rooms([]).lost(closed)).toBeUndefined();
});
