/**
 * `npm test`: every check and test, from a bare clone.
 *
 *   node scripts/test.mjs [--long] [STAGE…]
 *
 * Installs what is missing, then runs the stages (all, or the named ones) in
 * order. A stage that fails hides no other. The last line is their sum.
 */
import { build, install } from './lib/install.mjs';
import { needChromium } from './lib/chromium.mjs';
import { endAll, onEnd } from './lib/processes.mjs';
import { check, jest, pytest } from './lib/stages.mjs';
import { Trouble, main } from './lib/trouble.mjs';

const say = text => console.log(text);
const long = process.argv.includes('--long');
const wanted = process.argv.slice(2).filter(word => word !== '--long');
/** Runs of each property test; the tests have a default of their own. */
const runs = long ? { PROPERTY_RUNS: '100000', LONG: '1' } : {};

const STAGES = {
  lint: () => check('lint'),
  types: () => check('types'),
  generated: () => check('generate', '--', '--check'),
  relay: () => pytest(),
  unit: () => jest(['unit'], [], runs),
  notebook: () => jest(['notebook'], [], runs),
  build: async () => {
    await build(say);
    return { passed: 1, failed: 0 };
  },
  bundle: () => jest(['bundle']),
  e2e: async () => {
    const CHROMIUM = await needChromium(say);
    await build(say);
    return jest(['e2e'], ['--runInBand'], { ...runs, CHROMIUM });
  }
};

function explain(reason) {
  console.error(reason instanceof Trouble ? reason.message : reason);
  return { passed: 0, failed: 1 };
}

async function runStages() {
  const unknown = wanted.filter(name => !Object.hasOwn(STAGES, name));
  if (unknown.length > 0) {
    throw new Trouble(
      `There is no stage ${unknown.join(', ')}. The stages are ${Object.keys(STAGES).join(', ')}; the only option is --long.`,
      2
    );
  }
  const rows = [];
  const stage = async (name, work) => {
    say(`\n── ${name} ${'─'.repeat(66 - name.length)}`);
    const began = Date.now();
    const { passed, failed } = await work().catch(explain);
    const seconds = ((Date.now() - began) / 1000).toFixed(1);
    rows.push({ name, passed, failed, seconds });
    say(`   ${name}: ${passed} passed, ${failed} failed (${seconds} s)`);
    return failed === 0;
  };
  const ready = await stage('install', async () => {
    await install(say, ['requirements', 'requirements-test']);
    return { passed: 1, failed: 0 };
  });
  if (ready) {
    for (const [name, work] of Object.entries(STAGES)) {
      if (wanted.length === 0 || wanted.includes(name)) {
        await stage(name, work);
      }
    }
  }
  say(`\n${'─'.repeat(70)}`);
  for (const { name, passed, failed, seconds } of rows) {
    const mark = failed === 0 ? '  ' : '✗ ';
    say(
      `${mark}${name.padEnd(10)} ${String(passed).padStart(6)} passed ${String(failed).padStart(4)} failed ${seconds.padStart(7)} s`
    );
  }
  const sum = field => rows.reduce((total, row) => total + row[field], 0);
  say(`${sum('passed')} passed, ${sum('failed')} failed`);
  return sum('failed') === 0 ? 0 : 1;
}

onEnd(() => {
  void endAll().then(() => process.exit(1));
});
await main(runStages, endAll);
