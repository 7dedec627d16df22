/**
 * What bounding a result takes beside `JSON.stringify` of the same result:
 * outputs of 1, 10 and 100 MB of several kinds. Each is measured in a process
 * of its own, so that its memory is its own.
 *
 *   node bench/results.mjs [megabytes,…]
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';

const SELF = fileURLToPath(import.meta.url);
const MEGABYTE = 1024 * 1024;
const RUNS = 5;

/** One line of each kind of output; it is repeated up to the size. */
const KINDS = {
  'plain lines': 'row 00001 of the table is ok\n',
  'other scripts': '日本語のテキスト 😀 é\n',
  colours: '\u001b[32mrow\u001b[0m 00001 of the table is ok\n',
  'lines with CRLF': 'row 00001 of the table is ok\r\n',
  'a progress bar': ' 10%|███       | 10/100 [00:01<00:05,  9.9it/s]\r',
  'one line': 'x'
};

/** A result with an output of that kind and size. */
function resultOf(kind, megabytes) {
  const line = KINDS[kind];
  const text = line.repeat((megabytes * MEGABYTE) / line.length);
  // As it arrives, in one piece.
  const flat = Buffer.from(text, 'utf16le').toString('utf16le');
  return {
    success: true,
    status: 'ok',
    outputs: [{ output_type: 'stream', name: 'stdout', text: flat }]
  };
}

function medianOf(action) {
  const times = [];
  for (let i = 0; i < RUNS; i++) {
    const start = performance.now();
    action();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[Math.floor(RUNS / 2)];
}

/** In the child: measures one kind and size, and prints it as JSON. */
async function measureOne(bundle, kind, megabytes) {
  const { bound } = await import(pathToFileURL(bundle).href);
  const data = resultOf(kind, megabytes);
  const stringify = medianOf(() => JSON.stringify(data).length);
  const before = process.resourceUsage().maxRSS;
  const boundTime = medianOf(() => bound(data, { limit: 40000 }));
  const after = process.resourceUsage().maxRSS;
  console.log(
    JSON.stringify({
      kind,
      megabytes,
      stringify,
      bound: boundTime,
      ratio: boundTime / stringify,
      extraMegabytes: (after - before) / 1024
    })
  );
}

/**
 * Measures every kind at every size. Times are medians in milliseconds,
 * `extraMegabytes` is what bounding needed above the peak of `JSON.stringify`.
 */
export function benchResults(sizes = [1, 10, 100]) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-results-'));
  const bundle = join(folder, 'results.mjs');
  try {
    buildSync({
      entryPoints: [join(SELF, '../../src/results/bound.ts')],
      bundle: true,
      format: 'esm',
      outfile: bundle
    });
    return Object.keys(KINDS).flatMap(kind =>
      sizes.map(size => {
        const args = [SELF, '--one', bundle, kind, String(size)];
        return JSON.parse(
          execFileSync(process.execPath, args, { encoding: 'utf8' })
        );
      })
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The measurements as lines of a table. */
export function formatResults(rows) {
  return rows.map(
    ({ kind, megabytes, stringify, bound, ratio, extraMegabytes }) =>
      [
        kind.padEnd(16),
        `${megabytes} MB`.padStart(7),
        `JSON.stringify ${stringify.toFixed(1)} ms`.padStart(26),
        `bounding ${bound.toFixed(1)} ms`.padStart(20),
        `${ratio.toFixed(2)} times`.padStart(12),
        `+${Math.max(0, extraMegabytes).toFixed(0)} MB`.padStart(8)
      ].join('  ')
  );
}

if (process.argv[1] === SELF) {
  if (process.argv[2] === '--one') {
    const [, , , bundle, kind, size] = process.argv;
    await measureOne(bundle, kind, Number(size));
  } else {
    const sizes = process.argv[2]?.split(',').map(Number);
    console.log(formatResults(benchResults(sizes)).join('\n'));
  }
}
