import { Dialog, InputDialog, showErrorMessage } from '@jupyterlab/apputils';
import { ReactWidget } from '@jupyterlab/ui-components';
import { Panel, Widget } from '@lumino/widgets';
import { createElement } from 'react';
import { DialogBook } from '../../src/dialogs/book';
import { PasswordFields } from '../../src/dialogs/passwords';
import { followDialogs } from '../../src/dialogs/tracker';
import type { IOpened } from '../../src/dialogs/types';
import { RealClock } from '../support/realClock';

const FIRST = 5;

let book: DialogBook;
let opened: IOpened[];
let following: { dispose(): void };
let passwords: PasswordFields;

/** What becomes of a dialog is not asked: it is disposed of after the test. */
function ignore(result: unknown): void {
  Promise.resolve(result).catch(() => {});
}

function follow(): void {
  book = new DialogBook({ clock: new RealClock(), firstId: FIRST });
  opened = [];
  book.onOpened(each => void opened.push(each));
  passwords = new PasswordFields();
  passwords.watch(document);
  following = followDialogs({
    tracker: Dialog.tracker,
    book,
    notices: new Set(['Kernel Restarting']),
    passwords
  });
}

beforeEach(follow);

afterEach(async () => {
  following.dispose();
  passwords.unwatch();
  for (;;) {
    const shown: Dialog<unknown>[] = [];
    Dialog.tracker.forEach(each => {
      if (each.isAttached) {
        shown.push(each);
      }
    });
    if (shown.length === 0) {
      break;
    }
    shown.forEach(each => each.reject());
    await new Promise(resolve => setTimeout(resolve));
  }
  Dialog.flush();
});

describe('followDialogs', () => {
  it('lists an open dialog as {id, title, body, buttons, shown}', async () => {
    const dialog = new Dialog({
      title: 'Restart Kernel?',
      body: 'Do you want to restart the kernel of demo.ipynb? All variables will be lost.',
      buttons: [Dialog.cancelButton(), Dialog.warnButton({ label: 'Restart' })]
    });
    ignore(dialog.launch());
    await book.readable();
    expect(book.list()).toEqual([
      {
        id: `dialog-${FIRST}`,
        title: 'Restart Kernel?',
        body: 'Do you want to restart the kernel of demo.ipynb? All variables will be lost.',
        buttons: ['Cancel', 'Restart'],
        shown: true
      }
    ]);
  });

  it('does not list a dialog that was built and never launched', async () => {
    ignore(new Dialog({ title: 'Launched' }).launch());
    new Dialog({ title: 'Built' });
    await book.readable();
    expect(book.list().map(({ title }) => title)).toEqual(['Launched']);
  });

  it('lists queued dialogs with shown false, readable like the others', async () => {
    ignore(new Dialog({ title: 'First', body: 'one' }).launch());
    ignore(new Dialog({ title: 'Second', body: 'two' }).launch());
    ignore(new Dialog({ title: 'Third', body: new Widget() }).launch());
    await book.readable();
    expect(
      book.list().map(({ title, body, shown }) => ({ title, body, shown }))
    ).toEqual([
      { title: 'First', body: 'one', shown: true },
      { title: 'Second', body: 'two', shown: false },
      { title: 'Third', body: '', shown: false }
    ]);
  });

  it('shows the next dialog when the first one is answered', async () => {
    const first = new Dialog({ title: 'First' }).launch();
    const second = new Dialog({ title: 'Second' }).launch();
    await book.readable();
    expect(book.click(`dialog-${FIRST}`, 'ok')).toEqual({
      dialogId: `dialog-${FIRST}`,
      button: 'Ok'
    });
    expect((await first).button.label).toBe('Ok');
    await book.readable();
    expect(book.list()).toMatchObject([
      { id: `dialog-${FIRST + 1}`, title: 'Second', shown: true }
    ]);
    book.click(`dialog-${FIRST + 1}`, 0);
    expect((await second).button.label).toBe('Cancel');
    expect(book.list()).toEqual([]);
  });

  it('tells the title of a dialog that opens as another is answered', async () => {
    const first = new Dialog({ title: 'First' }).launch();
    ignore(first.then(() => new Dialog({ title: 'Second' }).launch()));
    await book.readable();
    book.click(`dialog-${FIRST}`, 'ok');
    await first;
    await Promise.resolve();
    expect(await book.tell()).toMatchObject([{ title: 'Second', shown: true }]);
  });

  it('does not mention a dialog that the person closed', async () => {
    const dialog = new Dialog({ title: 'Closed' });
    const result = dialog.launch();
    await book.readable();
    dialog.node.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })
    );
    await result;
    expect(book.list()).toEqual([]);
    expect(() => book.click(`dialog-${FIRST}`, 0)).toThrow(/is not open/);
  });

  it('does not mention a dialog that was closed in the queue', async () => {
    ignore(new Dialog({ title: 'First' }).launch());
    const second = new Dialog({ title: 'Second' });
    ignore(second.launch());
    second.close();
    await book.readable();
    expect(book.list().map(({ title }) => title)).toEqual(['First']);
  });

  it('tells of a dialog when it is launched, not when it is built', async () => {
    const dialog = new Dialog({ title: 'Later' });
    expect(opened).toEqual([]);
    ignore(dialog.launch());
    expect(opened).toMatchObject([{ id: `dialog-${FIRST}`, ownable: true }]);
    ignore(dialog.launch());
    await opened[0].readable;
    expect(opened).toHaveLength(1);
    expect(book.list()[0].title).toBe('Later');
  });

  it('takes up dialogs that were open before', async () => {
    following.dispose();
    ignore(new Dialog({ title: 'Shown' }).launch());
    ignore(new Dialog({ title: 'Queued' }).launch());
    await new Promise(resolve => setTimeout(resolve, 20));
    follow();
    await book.readable();
    expect(book.list()).toMatchObject([
      { title: 'Shown', shown: true },
      { title: 'Queued', shown: false }
    ]);
  });

  it('says of the notice of a kernel that died that it belongs to no call', () => {
    ignore(
      new Dialog({
        title: 'Kernel Restarting',
        body: 'The kernel for a.ipynb appears to have died. It will restart automatically.',
        buttons: [Dialog.okButton()]
      }).launch()
    );
    ignore(new Dialog({ title: 'Kernel Restarting?', body: 'x' }).launch());
    expect(opened.map(({ ownable }) => ownable)).toEqual([false, true]);
  });
});

describe('the input of a dialog', () => {
  const cases: [string, () => unknown, unknown][] = [
    [
      'text',
      () => InputDialog.getText({ title: 'T', text: 'a name' }),
      'a name'
    ],
    ['a number', () => InputDialog.getNumber({ title: 'T', value: 3 }), '3'],
    [
      'a checkbox',
      () => InputDialog.getBoolean({ title: 'T', value: true }),
      true
    ],
    [
      'a list',
      () => InputDialog.getItem({ title: 'T', items: ['a', 'b'], current: 1 }),
      'b'
    ],
    [
      'several of a list',
      () =>
        InputDialog.getMultipleItems({
          title: 'T',
          items: ['a', 'b', 'c'],
          defaults: ['a', 'c']
        }),
      'a, c'
    ],
    [
      'none, though the footer has an option',
      () =>
        new Dialog({
          title: 'T',
          body: 'text',
          checkbox: { label: 'Again', checked: false }
        }).launch(),
      undefined
    ],
    ['none', () => new Dialog({ title: 'T', body: 'x' }).launch(), undefined]
  ];

  it.each(cases)('is that of the first field: %s', async (_, open, value) => {
    ignore(open());
    await book.readable();
    expect(book.list()[0].input).toBe(value);
  });

  it('of a text area is its text', async () => {
    const body = new Widget();
    body.node.innerHTML =
      '<input type="hidden" value="no"><textarea></textarea><input value="2">';
    body.node.querySelector('textarea')!.value = 'two\nlines';
    ignore(new Dialog({ title: 'T', body }).launch());
    await book.readable();
    expect(book.list()[0].input).toBe('two\nlines');
  });

  it.each([
    ['the chosen one of a group', 'checked', 'right'],
    ['nothing while none is chosen', '', '']
  ])('of radio buttons: %s', async (_, chosen, value) => {
    const body = new Widget();
    body.node.innerHTML = `<input type="radio" name="way" value="left"><input type="radio" name="way" value="right" ${chosen}><input type="radio" name="other" value="no" checked>`;
    ignore(new Dialog({ title: 'T', body }).launch());
    await book.readable();
    expect(book.list()[0].input).toBe(value);
  });

  it('is never a password, and not the field after it', async () => {
    ignore(InputDialog.getPassword({ title: 'T', text: 'secret-1234' }));
    await book.readable();
    expect(JSON.stringify(book.list())).not.toContain('secret-1234');
    expect(book.list()[0]).not.toHaveProperty('input');
  });

  it('is not a password that is shown on demand, whenever that was', async () => {
    const body = new Widget();
    body.node.innerHTML = '<input type="password">';
    ignore(new Dialog({ title: 'T', body }).launch());
    await book.readable();
    const field = body.node.querySelector('input')!;
    field.type = 'text';
    field.value = 'short';
    expect(book.list()[0]).not.toHaveProperty('input');
    await Promise.resolve();
    expect(book.list()[0]).not.toHaveProperty('input');
    expect(passwords.has(field)).toBe(true);
  });
});

describe('a button', () => {
  it('is off while the input is not valid', async () => {
    const result = InputDialog.getText({
      title: 'Name',
      text: 'abc',
      pattern: '[0-9]+'
    });
    await book.readable();
    document
      .querySelector('input')!
      .dispatchEvent(new Event('input', { bubbles: true }));
    expect(() => book.click(`dialog-${FIRST}`, 'Ok')).toThrow(
      /input is not valid/
    );
    expect(book.isOpen(`dialog-${FIRST}`)).toBe(true);
    book.click(`dialog-${FIRST}`, 'Cancel');
    expect((await result).button.accept).toBe(false);
  });

  it('keeps the value of input fields', async () => {
    const result = InputDialog.getText({ title: 'Name', text: 'kept' });
    await book.readable();
    book.click(`dialog-${FIRST}`, 'OK');
    expect((await result).value).toBe('kept');
  });

  it('that warns is known as such', async () => {
    ignore(
      new Dialog({
        title: 'T',
        buttons: [Dialog.cancelButton(), Dialog.warnButton({ label: 'Delete' })]
      }).launch()
    );
    await book.readable();
    expect(book.isWarning(`dialog-${FIRST}`, 'delete')).toBe(true);
    expect(book.isWarning(`dialog-${FIRST}`, 0)).toBe(false);
  });
});

describe('an error dialog', () => {
  it('has a text body and a single button', async () => {
    ignore(showErrorMessage('File Load Error for a.txt', 'It is binary.'));
    await book.readable();
    expect(book.list()[0]).toMatchObject({
      title: 'File Load Error for a.txt',
      body: 'It is binary.',
      buttons: ['Close']
    });
    expect(book.isError(`dialog-${FIRST}`)).toBe(true);
  });

  it('is none with two buttons, or with another body', async () => {
    ignore(new Dialog({ title: 'Two', body: 'text' }).launch());
    ignore(
      new Dialog({
        title: 'Widget',
        body: new Widget(),
        buttons: [Dialog.okButton()]
      }).launch()
    );
    await book.readable();
    expect(book.list().map(({ id }) => book.isError(id))).toEqual([
      false,
      false
    ]);
  });
});

describe('the body of a dialog', () => {
  it('is read with a line for each block, without what is no text', async () => {
    const body = new Widget();
    body.node.innerHTML =
      '<p>First  line</p><div>second <b>bold</b></div><select><option>no</option></select><style>p {}</style>' +
      '<span style="display: none">hidden</span><ul><li>a</li><li>b</li></ul>' +
      '<a style="display: block">one</a><a style="display: block">two</a>';
    ignore(new Dialog({ title: 'T', body }).launch());
    await book.readable();
    expect(book.list()[0].body).toBe('First line\nsecond bold\na\nb\none\ntwo');
  });

  /** After so long React lets others go on before it draws the next part. */
  function Slow(): string {
    const end = performance.now() + 20;
    while (performance.now() < end);
    return 'Search';
  }

  /** As the search of tabs and sessions: parts of it are drawn by React. */
  function drawnLater(): Panel {
    const list = new Panel();
    list.addWidget(ReactWidget.create(createElement(Slow)));
    list.addWidget(ReactWidget.create(createElement('p', {}, 'work.ipynb')));
    const body = new Panel();
    body.addWidget(list);
    body.node.insertAdjacentHTML('afterbegin', '<h3>Open Tabs</h3>');
    return body;
  }

  it('is told with the parts in it that are drawn later', async () => {
    ignore(new Dialog({ title: 'T', body: drawnLater() }).launch());
    expect(await book.tell()).toMatchObject([
      { body: 'Open Tabs\nSearch\nwork.ipynb' }
    ]);
  });

  it('is told so too when it waited in the queue', async () => {
    const first = new Dialog({ title: 'First' }).launch();
    ignore(new Dialog({ title: 'Second', body: drawnLater() }).launch());
    await book.tell();
    book.click(`dialog-${FIRST}`, 'ok');
    await first;
    expect(await book.tell()).toMatchObject([
      { title: 'Second', body: 'Open Tabs\nSearch\nwork.ipynb', shown: true }
    ]);
  });
});
