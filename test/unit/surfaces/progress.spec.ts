import { Progress } from '../../../src/surfaces/progress';
import { FakeClock } from '../transports/fakeClock';

const SAME = (text: string) => text;

function setUp() {
  const clock = new FakeClock();
  const sent: { text: string; n: number; at: number }[] = [];
  const progress = new Progress(
    async (text, n) => {
      sent.push({ text, n, at: clock.now() });
    },
    clock,
    SAME
  );
  return { clock, sent, progress };
}

describe('Progress', () => {
  it('sends at most four messages a second, and all that was printed', async () => {
    const { clock, sent, progress } = setUp();
    for (let i = 0; i < 200; i++) {
      progress.printed(`${i}\n`);
      await clock.advance(10);
    }
    await progress.finish();
    const spans = sent.slice(1, -1).map((each, i) => each.at - sent[i].at);
    expect(Math.min(...spans)).toBeGreaterThanOrEqual(250);
    expect(sent.length).toBeLessThanOrEqual(10);
    expect(sent.map(({ text }) => text).join('')).toBe(
      Array.from({ length: 200 }, (_, i) => `${i}\n`).join('')
    );
    expect(sent.map(({ n }) => n)).toEqual(sent.map((_, i) => i + 1));
  });

  it('keeps the last 500 characters of a flood, and no half of a pair', async () => {
    const { sent, progress } = setUp();
    progress.printed(`${'x'.repeat(1000)}😀${'y'.repeat(499)}`);
    await progress.finish();
    expect(sent.map(({ text }) => text)).toEqual(['y'.repeat(499)]);
  });

  it('is silent without output and after its end', async () => {
    const { clock, sent, progress } = setUp();
    progress.printed('');
    await progress.finish();
    progress.printed('late');
    await clock.advance(1000);
    expect(sent).toEqual([]);
    expect(clock.waiting).toBe(0);
  });

  it('has sent everything when it is finished, also over a slow or broken connection', async () => {
    const done: string[] = [];
    const clock = new FakeClock();
    let fail = true;
    const progress = new Progress(
      async text => {
        await new Promise(resolve => setImmediate(resolve));
        if (fail) {
          fail = false;
          throw new Error('gone');
        }
        done.push(text);
      },
      clock,
      SAME
    );
    progress.printed('a');
    progress.printed('b');
    await progress.finish();
    expect(done).toEqual(['b']);
  });
});
