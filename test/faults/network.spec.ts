import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import WebSocket from 'ws';
import { Agent, BRIDGE, type IReply } from '../e2e/support/agent';
import { families } from '../e2e/support/family';
import { Home, Lab } from '../e2e/support/lab';
import { cell, notebook } from '../e2e/support/notebooks';
import { startBrowser, Tab } from '../e2e/support/tab';
import { Wire } from '../e2e/support/wire';
import { pause } from '../e2e/support/processes';

const LONG = process.env.LONG === '1';
/** How long the network is off: the case's own 90 s, or as long as is needed to see it. */
const OFF_MS = LONG ? 90_000 : 1500;

jest.setTimeout(LONG ? 400_000 : 60_000);

const PATH = 'network.ipynb';
/** How long the slow cell runs. */
const RUN_MS = OFF_MS + 2000;
const SLOW = `import time
with open("ran.txt", "a") as f:
    f.write("x")
for i in range(${RUN_MS / 500}):
    print("tick", i, flush=True)
    time.sleep(0.5)
print("end")`;

/** Whether a call was answered by the bridge alone. */
function isAway({ isError, message }: IReply): boolean {
  return (
    isError && /does not answer|No JupyterLab tab|unknown as yet/.test(message)
  );
}

/** b38: the network goes in the middle of a run, and comes back. */
describe('the network is off while a cell runs', () => {
  let home: Home;
  let lab: Lab;
  let browser: Browser;
  let agent: Agent;
  let tab: Tab;
  /** Between the browser and the server, and between a bridge and the server. */
  let wire: Wire;
  let side: Wire;

  beforeAll(async () => {
    home = await Home.make();
    await home.write(
      PATH,
      notebook(cell('slow', SLOW), cell('quick', '40 + 2'))
    );
    const [started, opened] = await Promise.all([
      Lab.start(home, { settings: { executionTimeout: 1 } }),
      startBrowser()
    ]);
    lab = started;
    browser = opened;
    wire = await Wire.to(lab.port);
    side = await Wire.to(lab.port);
    agent = await Agent.in(home);
    tab = await Tab.open(browser, { url: wire.url, token: lab.token });
    await tab.openNotebook(PATH);
    await agent.untilConnected();
    expect(await ended(await run('quick'))).toHaveReply({ isError: false });
  }, 120_000);

  afterAll(async () => {
    await agent?.close();
    await browser?.close();
    wire?.close();
    side?.close();
    await lab?.stop();
    await home?.remove();
  }, 60_000);

  /** By a client that is patient enough to see it sleep through. */
  const call = (name: string, args = {}, by = agent) =>
    by.call(name, args, { timeout: OFF_MS + 60_000 });
  const run = (cellId: string, by = agent) =>
    call('run_cell', { notebookPath: PATH, cellId }, by);
  const read = (cellId: string) =>
    call('read_cell', { notebookPath: PATH, cellId });
  const wait = ({ data }: IReply, by = agent) =>
    call('wait_for_result', { pendingId: data.pendingId }, by);
  const ran = async () =>
    (await readFile(join(home.root, 'ran.txt'), 'utf8').catch(() => '')).length;

  /** Waits for a call that is pending, also while nobody can be reached. */
  async function ended(first: IReply, by = agent): Promise<IReply> {
    const end = Date.now() + (LONG ? 200_000 : 40_000);
    let last = first;
    while (
      (last.data.status === 'pending' || isAway(last)) &&
      Date.now() < end
    ) {
      await pause(200);
      last = await wait(first, by);
    }
    return last;
  }

  /** Starts the slow cell; it is pending when this resolves. */
  async function start(by = agent): Promise<IReply> {
    const pending = await run('slow', by);
    expect(pending).toHaveReply({ data: { status: 'pending' } });
    return pending;
  }

  async function works(): Promise<void> {
    expect(await ended(await run('quick'))).toHaveReply({
      isError: false,
      data: { status: 'ok' }
    });
  }

  const messages = (reply: IReply) => JSON.stringify(reply.data.outputs);

  /**
   * JupyterLab looks again after ten to thirty seconds; the person need not
   * wait for that.
   */
  async function reconnected(): Promise<void> {
    if (!LONG) {
      await tab.command('notebook:reconnect-to-kernel');
    }
  }

  it('between bridge and server: the run goes on, its result is fetched later', async () => {
    const before = await ran();
    const other = await Agent.start(
      [...BRIDGE, '--server', side.url],
      { ...home.env, JUPYTER_TOKEN: lab.token },
      home.root,
      'through the wire'
    );
    await other.untilConnected();
    const pending = await start(other);
    const waiting = wait(pending, other);
    side.cut();
    expect(await waiting).toHaveReply({
      isError: true,
      code: 'internal_error',
      message: expect.stringContaining('unknown')
    });
    expect(await read('slow')).toHaveReply({
      data: { state: 'running', outputsMayBeMissing: false }
    });
    await pause(OFF_MS);
    side.mend();
    const end = await ended(pending, other);
    expect(end).toHaveReply({ isError: false, data: { status: 'ok' } });
    expect(end.data.outputsMayBeMissing).toBeUndefined();
    expect(messages(end)).toMatch(/tick 0.*tick 5.*end/);
    await other.close();
    expect(await ran()).toBe(before + 1);
  });

  it('silent: what was held back arrives, and nothing is missing', async () => {
    const before = await ran();
    const pending = await start();
    wire.silence();
    const waiting = wait(pending);
    await pause(OFF_MS);
    wire.mend();
    const answer = await waiting;
    // For longer it is told that the tab does not answer.
    expect(answer).toHaveReply(
      LONG ? { code: 'internal_error' } : { isError: false }
    );
    const end = await ended(answer.isError ? pending : answer);
    expect(end).toHaveReply({ isError: false, data: { status: 'ok' } });
    expect(messages(end)).toMatch(/tick 0.*tick 5.*end/);
    expect(await read('slow')).toHaveReply({ data: { state: 'done' } });
    await works();
    expect(await ran()).toBe(before + 1);
  });

  it.each([
    ['the browser', /chrom/],
    ['everything', /chrom|guard\.mjs|cli\.js/]
  ])('asleep (%s): nothing is taken for dead', async (_, which) => {
    const before = await ran();
    const pending = await start();
    const asleep = families(which);
    expect(asleep.length).toBeGreaterThan(4);
    const waiting = wait(pending);
    asleep.forEach(pid => process.kill(pid, 'SIGSTOP'));
    await pause(OFF_MS);
    asleep.forEach(pid => process.kill(pid, 'SIGCONT'));
    await waiting;
    const end = await ended(pending);
    expect(end).toHaveReply({ isError: false, data: { status: 'ok' } });
    expect(messages(end)).toMatch(/tick 0.*end/);
    await works();
    expect(await ran()).toBe(before + 1);
  });

  it('cut and refused: the call at the time is unknown, and the run has all its outputs', async () => {
    const before = await ran();
    const pending = await start();
    const waiting = wait(pending);
    wire.cut();
    const unknown = await waiting;
    expect(unknown).toHaveReply({ isError: true, code: 'internal_error' });
    expect(unknown.message).toMatch(
      /outcome of the call call-\d+ \(run_cell\) is unknown.*cell "slow" of "network.ipynb" may be missing: read_cell/
    );
    await pause(OFF_MS);
    wire.mend();
    await reconnected();
    const end = await ended(pending);
    // The server keeps what the kernel said while nobody listened.
    expect(end).toHaveReply({
      isError: false,
      data: { status: 'ok', outputsMayBeMissing: true }
    });
    expect(messages(end)).toMatch(/tick 0.*tick 5.*end/);
    expect(await read('slow')).toHaveReply({
      data: { state: 'done', outputsMayBeMissing: true }
    });
    await works();
    expect(await ran()).toBe(before + 1);
  });

  it('cut, and another page has the kernel too: nothing is called complete', async () => {
    // Then the server keeps nothing for the one that is away.
    const before = await ran();
    const model = await tab.panel(PATH);
    const id = await model.evaluate(
      each => each.sessionContext.session?.kernel?.id
    );
    const other = new WebSocket(
      `${lab.url.replace('http', 'ws')}api/kernels/${id}/channels?session_id=other&token=${lab.token}`
    );
    await once(other, 'open');
    const pending = await start();
    wire.cut();
    // Until the kernel is done.
    await pause(Math.max(OFF_MS, RUN_MS + 1000));
    wire.mend();
    await reconnected();
    const end = await ended(pending);
    other.close();
    expect(end).toHaveReply({ isError: true, code: 'internal_error' });
    expect(end.message).toMatch(
      /outcome of the run is unknown.*cell "slow" of "network.ipynb" may be missing: read_cell/
    );
    expect(await read('slow')).toHaveReply({
      data: { state: 'unknown', outputsMayBeMissing: true }
    });
    await works();
    expect(await ran()).toBe(before + 1);
  });

  // The tab asks first, and waits for ten seconds.
  if (LONG) {
    it('silent, and the sockets stay dead: the tab finds out and connects anew', async () => {
      const before = await ran();
      const pending = await start();
      wire.silence();
      await pause(OFF_MS);
      wire.mend({ strand: true });
      // As the browser does when its network is back.
      await tab.page.evaluate('window.dispatchEvent(new Event("online"))');
      const end = await ended(pending);
      // What the server had sent into the dead sockets is lost.
      expect(end).toHaveReply({ isError: true, code: 'internal_error' });
      expect(end.message).toContain('outcome of the run is unknown');
      expect(await read('slow')).toHaveReply({
        data: { state: 'unknown', outputsMayBeMissing: true }
      });
      await works();
      expect(await ran()).toBe(before + 1);
    });
  }
});
