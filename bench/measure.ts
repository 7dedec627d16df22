import { writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startBrowser } from '../test/e2e/support/tab';
import { measureSockets } from './sockets';
import type { IComparison, IMiddle, ISummary } from './statistics';
import { measureBeside, measureTools } from './tools';

function print(summaries: readonly ISummary[]): void {
  const ms = (value: number) => value.toFixed(2).padStart(9);
  console.log(`${''.padEnd(40)}   median       p95  (ms)`);
  for (const { name, median, p95 } of summaries) {
    console.log(`${name.padEnd(40)}${ms(median)} ${ms(p95)}`);
  }
}

function ratio(compared: IComparison, limit: number): string {
  const { name, base } = compared;
  return `${name} / ${base} = ${told(compared.ratio)} (at most ${limit})`;
}

function told({ median, low, high }: IMiddle): string {
  return `${median.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;
}

/** What else the machine does: above its number of cores, times say little. */
function load(): string {
  const [minute] = loadavg();
  return `${minute?.toFixed(1)} on ${availableParallelism()} cores`;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '60' },
      beside: { type: 'string' },
      json: { type: 'string' }
    }
  });
  const rounds = Math.max(5, Number(values.runs) || 60);
  const before = load();
  const browser = await startBrowser();
  try {
    const { runCell, runCode, overStdio, tools } = await measureTools(
      browser,
      rounds
    );
    const beside =
      values.beside === undefined
        ? []
        : [await measureBeside(browser, rounds, resolve(values.beside))];
    const sockets = await measureSockets(browser, rounds);
    const pairs = [runCell, runCode, overStdio, ...beside, ...sockets];
    const paired = pairs.flatMap(each => each.summaries);
    const alone = tools.filter(
      ({ name }) => !paired.some(each => each.name === name)
    );
    const summaries = [...paired, ...alone];
    print(summaries);
    const comparisons = [
      ratio(runCell, 1.1),
      ratio(runCode, 1.1),
      `${overStdio.name} - ${overStdio.base} = ${told(overStdio.difference)} ms (at most 5)`,
      ...beside.map(each => ratio(each, 0.2)),
      ...sockets.map(each => ratio(each, 1))
    ];
    console.log(`\n${comparisons.join('\n')}`);
    console.log(`\nload average ${before}, ${load()} at the end`);
    if (values.json !== undefined) {
      writeFileSync(
        values.json,
        `${JSON.stringify({ summaries, comparisons, load: before }, null, 2)}\n`
      );
    }
  } finally {
    await browser.close();
  }
}

main().catch((reason: unknown) => {
  console.error(reason);
  process.exitCode = 1;
});
