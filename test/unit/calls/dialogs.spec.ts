import { FIRST_CALL, FIRST_DIALOG, Rig, settle } from './rig';

const CALL = `call-${FIRST_CALL}`;
const DIALOG = `dialog-${FIRST_DIALOG}`;
const SECOND = `dialog-${FIRST_DIALOG + 1}`;
const ERROR = { isText: true };

let rig: Rig;

beforeEach(() => {
  rig = new Rig();
});

describe('A dialog that opens while a tool waits for exactly one call', () => {
  it('belongs to that call: the tool returns a pending result with the dialog', async () => {
    const { answer } = await rig.start();
    await rig.clock.advance(300);
    await rig.page.open('Restart Kernel?', ['Cancel', 'Restart']);
    expect(answer.data).toEqual({
      status: 'pending',
      pendingId: CALL,
      tool: 'run_code',
      message: expect.stringContaining('answer_dialog'),
      dialog: {
        id: DIALOG,
        title: 'Restart Kernel?',
        body: 'body of Restart Kernel?',
        buttons: ['Cancel', 'Restart'],
        shown: true
      }
    });
  });

  it('belongs to it when the command opens it before it returns', async () => {
    const { client } = rig.agent;
    const answer = rig.pending.run(
      { client, tool: 't', command: 'c', args: {}, scope: 'run' },
      rig.agent,
      () => {
        rig.page.openNow('At once');
        return new Promise(() => {});
      }
    );
    expect(await answer).toMatchObject({ data: { dialog: { id: DIALOG } } });
  });

  it('belongs to it while wait_for_result waits', async () => {
    await rig.start();
    await rig.clock.advance(20_000);
    const again = rig.wait(CALL);
    await rig.page.open('Late');
    expect(again.data.dialog).toMatchObject({ id: DIALOG, title: 'Late' });
  });

  it('belongs to it also when the user or another client opened it', async () => {
    // Theirs, and not waited for: they may open one at any time.
    const first = await rig.page.open("The other client's", ['Go on']);
    const { answer } = await rig.start();
    first.closed = () => void rig.page.openNow('And now?');
    const other = rig.answerDialog(DIALOG, 'Go on', rig.caller('b'));
    await settle();
    expect(other.data).toMatchObject({ success: true });
    expect(answer.data.dialog).toMatchObject({ title: 'And now?' });
  });

  it('is waited for until it can be read', async () => {
    const { answer } = await rig.start();
    let drawn = (): void => {};
    await rig.page.open('Slow', ['Ok'], {
      draw: () => new Promise(resolve => (drawn = resolve))
    });
    expect(answer.isThere).toBe(false);
    drawn();
    await settle();
    expect(answer.data.dialog).toMatchObject({ title: 'Slow' });
  });

  it('does not hold the answer back when it is never drawn', async () => {
    const { answer } = await rig.start();
    await rig.page.open('Never', ['Ok'], { draw: () => new Promise(() => {}) });
    await rig.clock.advance(250);
    expect(answer.data.dialog).toMatchObject({ id: DIALOG });
  });

  it('is not told when the person closed it before it was', async () => {
    const { call, answer } = await rig.start();
    rig.page.openNow('Gone').close();
    await settle();
    expect(answer.isThere).toBe(false);
    await call.done();
    expect(answer.data).toEqual({ success: true });
  });
});

describe('A dialog belongs to no call', () => {
  it('when several calls are waited for', async () => {
    const one = await rig.start();
    const two = await rig.start(rig.caller('b'));
    await rig.page.open('Whose?');
    expect([one.answer.isThere, two.answer.isThere]).toEqual([false, false]);
  });

  it('when no call is waited for', async () => {
    const { call } = await rig.start();
    await rig.clock.advance(20_000);
    await rig.page.open("The user's");
    const again = rig.wait(CALL);
    await settle();
    expect(again.isThere).toBe(false);
    await call.done();
    expect(again.data).toEqual({ success: true });
  });

  it('when it is the notice of a kernel that died', async () => {
    const { answer } = await rig.start();
    await rig.page.open('Kernel Restarting', ['Ok'], { ownable: false });
    expect(answer.isThere).toBe(false);
  });
});

it('Results list of notices that say the same the first three', async () => {
  const rig = new Rig();
  for (let i = 0; i < 5; i++) {
    await rig.page.open('Session expired', ['Ok'], { ownable: false });
    await rig.page.open('Asked', ['Ok']);
  }
  const titles = rig.book.list().map(({ title }) => title);
  expect(titles.filter(title => title === 'Session expired').length).toBe(3);
  expect(titles.filter(title => title === 'Asked').length).toBe(5);
});

describe('While the dialog of a call is open', () => {
  it('wait_for_result returns the pending result with the dialog again at once', async () => {
    await rig.start();
    await rig.page.open('Open');
    for (let i = 0; i < 3; i++) {
      const again = rig.wait(CALL);
      await settle();
      expect(again.data).toMatchObject({
        status: 'pending',
        dialog: { id: DIALOG }
      });
    }
  });

  it('and the call has settled, wait_for_result returns its result', async () => {
    const { call } = await rig.start();
    await rig.page.open('Open');
    await call.done({ success: true, result: 1 });
    const again = rig.wait(CALL);
    await settle();
    expect(again.data).toEqual({ success: true, result: 1 });
    expect(rig.book.isOpen(DIALOG)).toBe(true);
  });
});

describe('The extension never closes a dialog for the agent', () => {
  it.each(['Cancel and Ok', 'Close'])('not one with %s', async labels => {
    const abort = new AbortController();
    const caller = rig.caller('a', { signal: abort.signal });
    const buttons = labels.split(' and ');
    const { call } = await rig.start(caller);
    const dialog = await rig.page.open('Open', buttons);
    // The call times out, is cancelled, ends, is delivered and forgotten.
    rig.wait(CALL, 1, caller);
    await rig.clock.advance(20_000);
    abort.abort();
    await call.done();
    rig.wait(CALL);
    await rig.clock.advance(60 * 60_000);
    rig.pending.dispose();
    await settle();
    expect(dialog.clicked).toEqual([]);
    expect(rig.page.queue).toEqual([dialog]);
    expect(rig.book.list()).toMatchObject([{ id: DIALOG, shown: true }]);
  });
});

describe('An error dialog', () => {
  it('is told as a sign that the call probably failed', async () => {
    const { answer } = await rig.start();
    await rig.page.open('File Load Error', ['Close'], ERROR);
    expect(answer.data.message).toMatch(/probably failed/);
  });

  it('is reported once: after that, wait_for_result waits as usual', async () => {
    await rig.start();
    await rig.page.open('File Load Error', ['Close'], ERROR);
    const again = rig.wait(CALL);
    await rig.clock.advance(19_999);
    expect(again.isThere).toBe(false);
    await rig.clock.advance(1);
    expect(again.data).toMatchObject({
      status: 'pending',
      dialog: { id: DIALOG, title: 'File Load Error' }
    });
  });

  it('that nobody read, because the call was cancelled, is reported', async () => {
    const abort = new AbortController();
    await rig.start(rig.caller('a', { signal: abort.signal }));
    rig.page.openNow('Error', ['Close'], ERROR);
    abort.abort();
    await settle();
    const again = rig.wait(CALL);
    await settle();
    expect(again.data).toMatchObject({ dialog: { id: DIALOG } });
  });
});

describe('answer_dialog', () => {
  it('returns the result of the call with answered', async () => {
    const { call } = await rig.start();
    const dialog = await rig.page.open('Restart?', ['Cancel', 'Restart']);
    dialog.closed = () => void call.done({ success: true, result: true });
    const answer = rig.answerDialog(DIALOG, 'restart');
    await settle();
    expect(dialog.clicked).toEqual([1]);
    expect(answer.data).toEqual({
      success: true,
      result: true,
      answered: { dialogId: DIALOG, button: 'Restart' }
    });
  });

  it('returns a pending result with answered when the call goes on', async () => {
    await rig.start();
    await rig.page.open('Restart?');
    const answer = rig.answerDialog(DIALOG, 'Ok');
    await rig.clock.advance(19_999);
    expect(answer.isThere).toBe(false);
    await rig.clock.advance(1);
    expect(answer.data).toMatchObject({
      status: 'pending',
      pendingId: CALL,
      answered: { dialogId: DIALOG, button: 'Ok' }
    });
    expect(answer.data).not.toHaveProperty('dialog');
  });

  it('passes a refusal of the call on with answered', async () => {
    const { call } = await rig.start();
    const dialog = await rig.page.open('Restart?');
    dialog.closed = () => void call.refused('no');
    const answer = rig.answerDialog(DIALOG, 0);
    await settle();
    expect(answer.data).toEqual({
      error: 'no',
      answered: { dialogId: DIALOG, button: 'Cancel' }
    });
  });

  it('tells the dialog that its click opened', async () => {
    await rig.start();
    const dialog = await rig.page.open('First');
    dialog.closed = () => void rig.page.openNow('Second');
    const answer = rig.answerDialog(DIALOG, 'Ok');
    await settle();
    expect(answer.data).toMatchObject({
      status: 'pending',
      dialog: { id: SECOND, title: 'Second', shown: true },
      answered: { dialogId: DIALOG }
    });
  });

  it('otherwise returns {success: true, answered}', async () => {
    await rig.page.open("The user's");
    const answer = rig.answerDialog(DIALOG, 'Ok');
    await settle();
    expect(answer.data).toEqual({
      success: true,
      answered: { dialogId: DIALOG, button: 'Ok' }
    });
  });

  it('returns no result that the agent got already', async () => {
    const { call } = await rig.start();
    await rig.page.open('Open');
    await call.done();
    rig.wait(CALL);
    await settle();
    const answer = rig.answerDialog(DIALOG, 'Ok');
    await settle();
    expect(answer.data).toEqual({
      success: true,
      answered: { dialogId: DIALOG, button: 'Ok' }
    });
  });

  it("gives a call's result only to its own client", async () => {
    const { call } = await rig.start();
    const dialog = await rig.page.open('Open');
    dialog.closed = () => void call.done({ success: true, secret: 1 });
    const answer = rig.answerDialog(DIALOG, 'Ok', rig.caller('b'));
    await settle();
    expect(answer.data).toEqual({
      success: true,
      answered: { dialogId: DIALOG, button: 'Ok' }
    });
    const own = rig.wait(CALL);
    await settle();
    expect(own.data).toMatchObject({ secret: 1 });
  });

  it('after an error dialog waits for at most 1 second, and says so', async () => {
    await rig.start();
    await rig.page.open('File Load Error', ['Close'], ERROR);
    const answer = rig.answerDialog(DIALOG, 'Close');
    await rig.clock.advance(999);
    expect(answer.isThere).toBe(false);
    await rig.clock.advance(1);
    expect(answer.data).toMatchObject({
      status: 'pending',
      pendingId: CALL,
      message: expect.stringMatching(/within a second/),
      answered: { dialogId: DIALOG, button: 'Close' }
    });
    expect(rig.pending.list(rig.agent.client)).toHaveLength(1);
  });

  it('after an error dialog returns the result when the call ends in time', async () => {
    const { call } = await rig.start();
    await rig.page.open('File Load Error', ['Close'], ERROR);
    const answer = rig.answerDialog(DIALOG, 'Close');
    await rig.clock.advance(500);
    await call.done();
    expect(answer.data).toMatchObject({ success: true });
  });

  it('leaves the call as it was when the button is not there', async () => {
    await rig.start();
    await rig.page.open('Open');
    const answer = rig.answerDialog(DIALOG, 'Nope');
    await settle();
    expect(answer.error).toMatchObject({ code: 'validation_failed' });
    expect(rig.clock.waiting).toBe(0);
    const next = await rig.start(rig.caller('b'));
    await rig.page.open('Next');
    // The failed answer no longer counts as waiting: the call does own it.
    expect(next.answer.isThere).toBe(true);
  });
});

describe('A queued dialog', () => {
  it('of a call: its pending result names the dialog that is shown', async () => {
    await rig.page.open("The user's");
    const { answer } = await rig.start();
    await rig.page.open("The call's");
    expect(answer.data).toMatchObject({
      dialog: { id: SECOND, shown: false },
      message: expect.stringContaining(`${DIALOG}, "The user's"`)
    });
  });

  it('cannot be answered', async () => {
    await rig.page.open("The user's");
    await rig.start();
    const queued = await rig.page.open("The call's");
    const answer = rig.answerDialog(SECOND, 'Ok');
    await settle();
    expect(answer.error).toMatchObject({
      code: 'operation_refused',
      message: expect.stringContaining(DIALOG)
    });
    expect(queued.clicked).toEqual([]);
  });

  it('that is an error is told as a sign that the call probably failed', async () => {
    await rig.page.open("The user's");
    const { answer } = await rig.start();
    await rig.page.open('Load Error', ['Close'], ERROR);
    expect(answer.data.message).toMatch(/probably failed.*queue behind/);
    expect(answer.data.message).toContain(`${DIALOG}, "The user's"`);
  });

  it('that is an error is reported once, and again once it is shown', async () => {
    const first = await rig.page.open("The user's");
    await rig.start();
    await rig.page.open('Load Error', ['Close'], ERROR);
    const again = rig.wait(CALL);
    await rig.clock.advance(5_000);
    expect(again.isThere).toBe(false);
    first.close();
    await settle();
    expect(again.data).toMatchObject({
      dialog: { id: SECOND, shown: true },
      message: expect.stringMatching(/probably failed/)
    });
    const last = rig.wait(CALL);
    await rig.clock.advance(19_999);
    expect(last.isThere).toBe(false);
  });

  it('that is an error is told at once when it was shown since', async () => {
    const first = await rig.page.open("The user's");
    await rig.start();
    await rig.page.open('Load Error', ['Close'], ERROR);
    first.close();
    await settle();
    const again = rig.wait(CALL);
    await settle();
    expect(again.data).toMatchObject({ dialog: { id: SECOND, shown: true } });
  });

  it('can be answered once it is shown', async () => {
    const first = await rig.page.open("The user's");
    const { call } = await rig.start();
    const queued = await rig.page.open("The call's");
    queued.closed = () => void call.done();
    first.close();
    await settle();
    const answer = rig.answerDialog(SECOND, 'Ok');
    await settle();
    expect(answer.data).toMatchObject({ success: true });
  });
});

describe('Without dialogId', () => {
  it('exactly one open dialog is needed, shown or queued', async () => {
    const choose = () => rig.book.choose(undefined, rig.book.meant());
    expect(choose).toThrow(/No dialog is open/);
    await rig.page.open('One');
    expect(choose().id).toBe(DIALOG);
    await rig.page.open('Two');
    expect(choose).toThrow(
      `2 dialogs are open, say which with "dialogId": ${DIALOG} "One", ${SECOND} "Two" (queued).`
    );
  });
});
