/**
 * What bounding a result takes beside `JSON.stringify` of the same result:
 * results of 1, 10 and 100 MB of several kinds, for both surfaces. Each is
 * measured in a process of its own, so that its memory is its own.
 *
 *   node bench/results.mjs [megabytes,… [kind,…]]
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { KIND_NAMES, mostOf, resultOf } from './outputs.mjs';

const SELF = fileURLToPath(import.meta.url);
/** For 100 MB of tiny values, which take many times as much. */
const HEAP = '--max-old-space-size=6144';
/** What a result may take beside `JSON.stringify`. */
const MOST = 4;
/** As a page has them: the server's token and a cookie. */
const SECRETS = ['0123456789abcdef0123456789abcdef', '2|1234abcd|5678'];

/**
 * Medians of how long each action takes, in milliseconds. They take turns, so
 * that what else the machine does slows all of them down alike.
 */
function mediansOf(actions, runs) {
  const times = actions.map(() => []);
  for (let i = 0; i < runs; i++) {
    actions.forEach((action, n) => {
      const start = performance.now();
      action();
      times[n].push(performance.now() - start);
    });
  }
  return times.map(
    each => each.sort((a, b) => a - b)[Math.floor(each.length / 2)]
  );
}

/** In the child: measures one kind and size, and prints it as JSON. */
async function measureOne(bundle, kind, megabytes) {
  const { bound, cap, Kept, redactor } = await import(
    pathToFileURL(bundle).href
  );
  const data = resultOf(kind, megabytes);
  const redact = redactor(SECRETS);
  const keeping = () => {
    const kept = new Kept({ now: () => 0, random: () => 0, redact });
    return (whole, field, characters) =>
      kept.keep('client', whole, field, characters);
  };
  JSON.stringify(data);
  const before = process.resourceUsage().maxRSS;
  const [stringify, plain, mcp] = mediansOf(
    [
      () => JSON.stringify(data).length,
      () => bound(data, { limit: 40000, keep: keeping(), redact }),
      () => cap(data, { cap: 40000, auditId: 1, keep: keeping(), redact })
    ],
    megabytes < 5 ? 15 : megabytes < 50 ? 7 : 3
  );
  const after = process.resourceUsage().maxRSS;
  console.log(
    JSON.stringify({
      kind,
      megabytes,
      stringify,
      bound: plain,
      cap: mcp,
      ratio: Math.max(plain, mcp) / stringify,
      extraMegabytes: Math.max(0, after - before) / 1024
    })
  );
}

/**
 * Measures every kind at every size, and calls `tell` with each. Times are
 * medians in milliseconds, `ratio` is the slower surface's, `extraMegabytes`
 * is what bounding needed above the peak of `JSON.stringify`.
 */
export function benchResults(tell, sizes = [1, 10, 100], kinds = KIND_NAMES) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-results-'));
  const bundle = join(folder, 'results.mjs');
  try {
    buildSync({
      entryPoints: [join(SELF, '../../src/results/index.ts')],
      bundle: true,
      format: 'esm',
      outfile: bundle
    });
    return kinds.flatMap(kind =>
      sizes
        .filter(size => size <= mostOf(kind))
        .map(size => {
          const args = [HEAP, SELF, '--one', bundle, kind, String(size)];
          const row = JSON.parse(
            execFileSync(process.execPath, args, { encoding: 'utf8' })
          );
          tell(row);
          return row;
        })
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A measurement as a line of a table. */
export function formatResult(row) {
  const { kind, megabytes, stringify, ratio, extraMegabytes } = row;
  const ms = value => value.toFixed(1).padStart(8);
  return [
    kind.padEnd(18),
    `${megabytes} MB`.padStart(7),
    `JSON.stringify${ms(stringify)}`,
    `WebMCP${ms(row.bound)}`,
    `MCP${ms(row.cap)}`,
    `${ratio.toFixed(2)} times`.padStart(11),
    `+${extraMegabytes.toFixed(0)} MB`.padStart(8),
    ratio > MOST ? `  above ${MOST}` : ''
  ].join('  ');
}

if (process.argv[1] === SELF) {
  const [, , first, second, ...rest] = process.argv;
  if (first === '--one') {
    await measureOne(second, rest[0], Number(rest[1]));
  } else {
    benchResults(
      row => console.log(formatResult(row)),
      first?.split(',').map(Number),
      second?.split(',')
    );
  }
}
