/**
 * `npm test`: every check and test, from a bare clone.
 *
 *   node scripts/test.mjs [--long] [--again] [STAGE…]
 *
 * Installs what is missing, then runs the stages (all, or the named ones) in
 * two lanes. A stage that fails hides no other. The last line is their sum.
 *
 * A stage that passed on exactly the files that are here is not run again
 * (`--again`, or naming it, runs it), except where time is real: the
 * end-to-end tests are run each time.
 */
import { build, install, installOnTop } from './lib/install.mjs';
import { needChromium } from './lib/chromium.mjs';
import { endAll, onEnd } from './lib/processes.mjs';
import { keepPassed, passedBefore, stateOfClone } from './lib/passed.mjs';
import { Voice, check, jest, pytest, steadyJest } from './lib/stages.mjs';
import { Trouble, main } from './lib/trouble.mjs';

const long = process.argv.includes('--long');
const again = process.argv.includes('--again');
const wanted = process.argv
  .slice(2)
  .filter(word => word !== '--long' && word !== '--again');
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
    await installOnTop(voice.say);
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

/** What passes once on some files passes again on them. */
const STEADY = ['lint', 'types', 'generated', 'relay', 'unit', 'notebook'];

function explain(voice, reason) {
  voice.say(reason instanceof Trouble ? reason.message : String(reason?.stack));
  return { passed: 0, failed: 1 };
}

async function runStages() {
  const unknown = wanted.filter(name => !Object.hasOwn(STAGES, name));
  if (unknown.length > 0) {
    throw new Trouble(
      `There is no stage ${unknown.join(', ')}. The stages are ${Object.keys(STAGES).join(', ')}; the options are --long and --again.`,
      2
    );
  }
  const rows = [];
  const quick = !long && !again && wanted.length === 0;
  let state = null;
  const stage = async (name, work, live = true) => {
    const voice = new Voice(live);
    voice.say(`\n── ${name} ${'─'.repeat(66 - name.length)}`);
    const began = Date.now();
    const before = quick && STEADY.includes(name) && passedBefore(name, state);
    if (before) {
      voice.say(
        `   Not run: all of it passed on exactly these files, ${before.at}.`
      );
    }
    const { passed, failed } = before
      ? { passed: before.passed, failed: 0 }
      : await work(voice).catch(reason => explain(voice, reason));
    const seconds = ((Date.now() - began) / 1000).toFixed(1);
    rows.push({ name, passed, failed, seconds, before: Boolean(before) });
    voice.say(`   ${name}: ${passed} passed, ${failed} failed (${seconds} s)`);
    voice.end();
    if (STEADY.includes(name) && !before && !long) {
      keepPassed(name, failed === 0 ? state : null, passed);
    }
    return failed === 0;
  };
  const ready = await stage('install', async voice => {
    await install(voice.say, ['requirements', 'requirements-test']);
    return { passed: 1, failed: 0 };
  });
  state = stateOfClone();
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
  for (const { name, passed, failed, seconds, before } of rows) {
    const mark = failed > 0 ? '✗ ' : before ? '= ' : '  ';
    console.log(
      `${mark}${name.padEnd(10)} ${String(passed).padStart(6)} passed ${String(failed).padStart(4)} failed ${seconds.padStart(7)} s`
    );
  }
  if (rows.some(({ before }) => before)) {
    console.log(
      '= passed before, on exactly these files; npm test -- --again runs it again'
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
