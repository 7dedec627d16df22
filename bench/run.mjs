/**
 * `npm run bench`: how long calls take, beside what they cannot be faster
 * than, all in one run.
 *
 *   node bench/run.mjs [--runs N] [--json FILE] [--beside FOLDER]
 *
 * FOLDER holds prebuilt extensions, each in a folder of its own, one of which
 * registers a `get_context` too: it is called beside ours, in the same page.
 * `pip install --prefix DIR jupyter-webmcp` makes one, DIR/share/jupyter/labextensions.
 *
 * Builds what is missing; what is measured is in results.mjs and measure.ts.
 */
import { build as bundle } from 'esbuild';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { needChromium } from '../scripts/lib/chromium.mjs';
import { build, install } from '../scripts/lib/install.mjs';
import { CACHE, ROOT } from '../scripts/lib/paths.mjs';
import {
  endAll,
  environment,
  onEnd,
  start
} from '../scripts/lib/processes.mjs';
import { main } from '../scripts/lib/trouble.mjs';
import { benchResults, formatResult } from './results.mjs';

async function run() {
  const say = text => console.error(text);
  await install(say);
  await build(say);
  const CHROMIUM = await needChromium(say);
  // Three folders deep, as the test harness that it uses expects.
  const folder = join(CACHE, 'bench', 'out');
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, 'measure.cjs');
  await bundle({
    entryPoints: [join(ROOT, 'bench', 'measure.ts')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    packages: 'external',
    outfile,
    logLevel: 'warning'
  });
  const code = await start(
    process.execPath,
    [outfile, ...process.argv.slice(2)],
    {
      env: environment({ CHROMIUM })
    }
  ).done;
  // Last, because it takes minutes and gigabytes.
  console.log(
    '\nBounding results, beside JSON.stringify (at most 4 times, ms)'
  );
  benchResults(row => console.log(formatResult(row)));
  return code;
}

onEnd(() => {
  void endAll().then(() => process.exit(1));
});
await main(run, endAll);
