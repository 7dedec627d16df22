import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cell, notebook } from '../e2e/support/notebooks';
import { runsOf } from '../e2e/support/runs';
import { useSession } from '../e2e/support/session';
import { pause } from '../e2e/support/processes';

jest.setTimeout(90_000);

const WORK = 'work.ipynb';
/** Prints more than waits for a server, and then writes a file. */
const FLOOD = `import time
from IPython.display import clear_output
print('begun', flush=True)
time.sleep(1.5)
for i in range(4000):
    clear_output(wait=True)
    print(i, 'x' * 4000)
open('printed', 'w').close()`;

const session = useSession({
  [WORK]: notebook(
    cell('flood', FLOOD),
    cell('fails', `${FLOOD}\n1 / 0`),
    cell('after', '1 + 1')
  )
});
const { call, run, ended, code } = runsOf(session, WORK);

/** The process id of the server, as Jupyter itself writes it down. */
function serverPid(): number {
  const [id] = readdirSync(session.home.runtime).flatMap(
    name => /^jpserver-(\d+)\.json$/.exec(name)?.[1] ?? []
  );
  return Number(id);
}

/** Lets the server alone stand still, as on a busy machine, until all is printed. */
async function whileServerStands<T>(work: () => Promise<T>): Promise<T> {
  const printed = join(session.home.root, 'printed');
  rmSync(printed, { force: true });
  const server = serverPid();
  const answer = work();
  await pause(1000);
  process.kill(server, 'SIGSTOP');
  while (!existsSync(printed)) {
    await pause(100);
  }
  // The end comes right behind.
  await pause(500);
  process.kill(server, 'SIGCONT');
  return answer;
}

beforeAll(async () => {
  await session.tab.openNotebook(WORK);
  expect(await ended(await run('after'))).toHaveReply({ isError: false });
  expect(await ended(await code('1'))).toHaveReply({ isError: false });
}, 60_000);

describe('a kernel that prints faster than the server reads', () => {
  it('ends code whose end was dropped, and says what may be missing', async () => {
    const reply = await ended(await whileServerStands(() => code(FLOOD)));
    expect(reply).toHaveReply({
      isError: false,
      data: { status: 'ok', outputsMayBeMissing: true }
    });
  });

  it.each([
    ['flood', false, 'done'],
    ['fails', true, 'error']
  ])('ends the cell %s too, and frees it', async (cellId, isError, state) => {
    const reply = await ended(await whileServerStands(() => run(cellId)));
    expect(reply).toHaveReply({ isError, data: { outputsMayBeMissing: true } });
    expect(await call('read_cell', { notebookPath: WORK, cellId })).toHaveReply(
      { data: { state, outputsMayBeMissing: true } }
    );
    const panel = await session.tab.panel(WORK);
    expect(
      await panel.evaluate(({ content }) =>
        content.widgets.map(({ promptNode }) => promptNode?.textContent)
      )
    ).not.toContain('[*]:');
    expect(await ended(await run('after'))).toHaveReply({
      isError: false,
      data: { status: 'ok' }
    });
  });
});
