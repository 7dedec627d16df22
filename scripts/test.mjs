/**
 * `npm test`: every check and test, from a bare clone.
 *
 *   node scripts/test.mjs [--long] [STAGE…]
 *
 * Installs what is missing, then runs the stages (all, or the named ones) in
 * two lanes. A stage that fails hides no other. The last line is their sum.
 */
import { build, install, installCollaboration } from './lib/install.mjs';
import { needChromium } from './lib/chromium.mjs';
import { endAll, onEnd } from './lib/processes.mjs';
import { Voice, check, jest, pytest, steadyJest } from './lib/stages.mjs';
import { Trouble, main } from './lib/trouble.mjs';

const long = process.argv.includes('--long');
const wanted = process.argv.slice(2).filter(word => word !== '--long');
const asked = name => wanted.length === 0 || wanted.includes(name);
/** Runs of each property test; the tests have a default of their own. */
const runs = long ? { PROPERTY_RUNS: '100000', LONG: '1' } : {};

const STAGES = {
  lint: voice => check(voice, 'lint'),
  types: voice => check(voice, 'types'),
  generated: voice => check(voice, 'generate', '--', '--check'),
  relay: voice => pytest(voice),
  build: async voice => {
    await build(voice.say);
    return { passed: 1, failed: 0 };
  },
  unit: voice => jest(voice, 'unit', [], runs),
  notebook: voice => jest(voice, 'notebook', [], runs),
  bundle: async voice => {
    await build(voice.say);
    return jest(voice, 'bundle');
  },
  e2e: async voice => {
    const CHROMIUM = await needChromium(voice.say);
    await build(voice.say);
    await installCollaboration(voice.say);
    // Most of a spec file is waiting, so three are no more than two cores do.
    return steadyJest(voice, 'e2e', ['--maxWorkers=3'], { ...runs, CHROMIUM });
  }
};

/**
 * What runs side by side, and what after it: the end-to-end tests have the
 * machine to themselves, as some of them are about time.
 */
const ROUNDS = [
  [
    ['lint', 'types', 'generated', 'relay'],
    ['build', 'unit', 'notebook', 'bundle']
  ],
  [['e2e']]
];

function explain(voice, reason) {
  voice.say(reason instanceof Trouble ? reason.message : String(reason?.stack));
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
  const stage = async (name, work, live = true) => {
    const voice = new Voice(live);
    voice.say(`\n── ${name} ${'─'.repeat(66 - name.length)}`);
    const began = Date.now();
    const { passed, failed } = await work(voice).catch(reason =>
      explain(voice, reason)
    );
    const seconds = ((Date.now() - began) / 1000).toFixed(1);
    rows.push({ name, passed, failed, seconds });
    voice.say(`   ${name}: ${passed} passed, ${failed} failed (${seconds} s)`);
    voice.end();
    return failed === 0;
  };
  const ready = await stage('install', async voice => {
    await install(voice.say, ['requirements', 'requirements-test']);
    return { passed: 1, failed: 0 };
  });
  for (const round of ready ? ROUNDS : []) {
    const lanes = round
      .map(lane => lane.filter(asked))
      .filter(lane => lane.length > 0);
    await Promise.all(
      lanes.map(async lane => {
        for (const name of lane) {
          await stage(name, STAGES[name], lanes.length === 1);
        }
      })
    );
  }
  console.log(`\n${'─'.repeat(70)}`);
  for (const { name, passed, failed, seconds } of rows) {
    const mark = failed === 0 ? '  ' : '✗ ';
    console.log(
      `${mark}${name.padEnd(10)} ${String(passed).padStart(6)} passed ${String(failed).padStart(4)} failed ${seconds.padStart(7)} s`
    );
  }
  const sum = field => rows.reduce((total, row) => total + row[field], 0);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  return sum('failed') === 0 ? 0 : 1;
}

onEnd(() => {
  void endAll().then(() => process.exit(1));
});
await main(runStages, endAll);
