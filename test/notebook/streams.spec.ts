import { type Cell, CodeCell } from '@jupyterlab/cells';
import { NotebookActions, type NotebookPanel } from '@jupyterlab/notebook';
import { OutputCollector } from '../../src/jupyter/outputs';
import { outputsOf, SentStreams } from '../../src/jupyter/streams';
import { cleanText } from '../../src/results/index';
import { readCell } from '../../src/tools/cells';
import { caseText } from './support/disk';
import {
  attachSession,
  ScriptedKernel,
  type ScriptedRequest
} from './support/kernel';
import { Page } from './support/page';

const B13 = 'b13_restart_loses_state.ipynb';

/** Two bars, the inner one below the outer one, as tqdm draws them. */
const NESTED = [0, 1, 2].flatMap(outer => [
  `\router: ${outer}/3`,
  ...[0, 1, 2].flatMap(inner => ['\n', `\rinner: ${inner}/3 `, '\x1b[A'])
]);

let page: Page;
let panel: NotebookPanel;
let kernel: ScriptedKernel;

beforeEach(async () => {
  page = new Page({ [B13]: caseText(B13) });
  panel = await page.open(B13);
  kernel = new ScriptedKernel();
  attachSession(panel, { kernel });
  SentStreams.follow(panel);
});

afterEach(() => {
  if (panel.model) {
    panel.model.dirty = false;
  }
  page.dispose();
});

function codeCell(): CodeCell {
  const cell = panel.content.widgets[0];
  if (!(cell instanceof CodeCell)) {
    throw new Error('Not a code cell');
  }
  return cell;
}

/** Runs the cell as JupyterLab does. */
async function run(): Promise<ScriptedRequest> {
  void CodeCell.execute(codeCell(), panel.sessionContext).catch(
    () => undefined
  );
  await kernel.last.begin();
  return kernel.last;
}

const read = (): Promise<unknown> =>
  page.call(readCell, { notebookPath: B13, cellId: 'keep-1' });
const shownBy = (cell: Cell) =>
  cell instanceof CodeCell ? outputsOf(cell.model.outputs) : [];
const shown = () => shownBy(codeCell());
const stdout = (text: string) => ({
  output_type: 'stream',
  name: 'stdout',
  text
});

it('are given as they were sent, whoever runs the cell (b32)', async () => {
  const collected = new OutputCollector();
  const request = await run();
  for (const text of NESTED) {
    await request.print(text);
    collected.addText('stdout', text);
  }
  await request.ok();
  expect(shown()).toEqual(collected.outputs());
  expect(await read()).toMatchObject({ outputs: collected.outputs() });
  expect(cleanText(String(shown()[0].text)).split('\n')).toEqual([
    'outer: 2/3',
    'inner: 2/3 '
  ]);
});

it('keep what stood in them before the first carriage return', async () => {
  const request = await run();
  await request.print('begin ');
  await request.print('loading\x1b[31m');
  await request.print('\r\x1b[Kdone');
  expect(shown()).toEqual([stdout('begin loading\x1b[31m\r\x1b[Kdone')]);
});

it('are kept one by one, between other outputs, and cleared with them', async () => {
  const request = await run();
  const bar = 'abc\r\x1b[Kd';
  await request.print(bar);
  await request.say('stream', { name: 'stderr', text: bar });
  await request.say('display_data', { data: {}, metadata: {} });
  await request.print(bar);
  expect(shown()).toMatchObject([
    stdout(bar),
    { name: 'stderr', text: bar },
    { output_type: 'display_data' },
    stdout(bar)
  ]);
  await request.say('clear_output', { wait: true });
  await request.print('after');
  expect(shown()).toEqual([stdout('after')]);
  await request.print('\r\x1b[K!');
  expect(shown()).toEqual([stdout('after\r\x1b[K!')]);
});

it('leave an answer to a prompt where it is', async () => {
  const request = await run();
  await request.print('a\r\x1b[Kb');
  const { outputs } = codeCell().model;
  outputs.add({ output_type: 'stream', name: 'stdin', text: '42\n' });
  await request.print('c\r\x1b[Kd');
  expect(shown()).toMatchObject([
    stdout('a\r\x1b[Kb'),
    { name: 'stdin', text: '42\n' },
    stdout('c\r\x1b[Kd')
  ]);
});

it('are not those of what an Output widget keeps for itself', async () => {
  const request = await run();
  request.future.registerMessageHook(() => false);
  await request.print('a\r\x1b[Kb');
  expect(shown()).toEqual([]);
  await request.print('c');
  expect(shown()).toEqual([]);
});

it('give way to what somebody else made of them', async () => {
  const request = await run();
  await request.print('a\r\x1b[Kb');
  const { outputs } = codeCell().model;
  outputs.get(0).streamText?.insert(0, 'theirs ');
  const theirs = outputs.get(0).streamText?.text ?? '';
  expect(shown()).toEqual([stdout(theirs)]);
  outputs.fromJSON([stdout('new')]);
  expect(shown()).toEqual([stdout('new')]);
});

it('are those of the last run', async () => {
  await (await run()).print('a\r\x1b[Kb');
  const again = await run();
  await again.print('c\r\x1b[Kd');
  expect(shown()).toEqual([stdout('c\r\x1b[Kd')]);
});

it('is played out in the cell that the person moved meanwhile', async () => {
  const request = await run();
  await request.print('\router: 0/3');
  NotebookActions.moveCells(panel.content, 0, 1);
  for (const text of NESTED) {
    await request.print(text);
  }
  await request.ok();
  const [text] = shownBy(panel.content.widgets[1]).map(each => each.text);
  expect(cleanText(String(text))).toBe('outer: 2/3\ninner: 2/3 ');
});
