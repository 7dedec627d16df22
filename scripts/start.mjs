/**
 * `npm start`: from a bare clone to a JupyterLab that MCP clients can use.
 * What it takes is in lib/options.mjs.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needChromium } from './lib/chromium.mjs';
import { clientLines } from './lib/clients.mjs';
import { build, install } from './lib/install.mjs';
import { choosePort, startLab } from './lib/lab.mjs';
import { HELP, parseOptions } from './lib/options.mjs';
import { BRIDGE_CLI, CACHE, ROOT } from './lib/paths.mjs';
import { endAll, environment, onEnd, start } from './lib/processes.mjs';
import { main, Trouble } from './lib/trouble.mjs';

const DEMO = join(ROOT, 'demo');

/** Settings under which no notification of JupyterLab's own covers the page. */
const QUIET = {
  '@jupyterlab/apputils-extension:notification': {
    fetchNews: 'false',
    checkForUpdates: false,
    doNotDisturbMode: true
  }
};

/** Where the bridge looks for servers, if this shell says other than usual. */
const PLACES = ['JUPYTER_RUNTIME_DIR', 'JUPYTER_DATA_DIR', 'XDG_DATA_HOME'];

let ready = false;
let temporary = null;

async function run() {
  const options = parseOptions(process.argv.slice(2));
  if (options.help) {
    console.log(HELP);
    return 0;
  }
  // With --json the one line of standard output is for a program.
  const say = options.json ? text => console.error(text) : console.log;
  if (options.port !== undefined) {
    // Known before minutes of building rather than after.
    await choosePort(options.port);
  }
  await install(say);
  const chromium = options.try ? await needChromium(say) : undefined;
  await build(say);
  const root = options.root ?? demoFolder(options.try);
  say('Starting JupyterLab …');
  const lab = await startLab({
    root,
    port: await choosePort(options.port),
    overrides: options.try
      ? { ...QUIET, ...options.overrides }
      : options.overrides,
    browser: !(options['no-browser'] || options.json || options.try)
  });
  ready = true;
  const address = `${lab.url}lab?token=${lab.token}`;
  const bridge = [process.execPath, BRIDGE_CLI];
  const exact = [...bridge, '--server', lab.url, '--token-file', lab.tokenFile];
  if (options.try) {
    const job = start(
      process.execPath,
      [join(ROOT, 'scripts', 'lib', 'try.mjs')],
      {
        env: environment({
          TRY: JSON.stringify({ lab: address, stdio: exact, root, chromium })
        })
      }
    );
    return job.done;
  }
  if (options.json) {
    console.log(
      JSON.stringify({ lab: address, stdio: exact, pid: process.pid })
    );
  } else {
    printReady(address, root, bridge, lab.log);
  }
  const code = await lab.done;
  if (code !== 0) {
    throw new Trouble(`JupyterLab ended by itself. Its log is ${lab.log}.`);
  }
  return 0;
}

/** A folder with the demo notebook: one that stays, or a fresh one for --try. */
function demoFolder(fresh) {
  if (fresh) {
    temporary = mkdtempSync(join(tmpdir(), 'mcp-bridge-try-'));
  }
  const folder = temporary ?? join(CACHE, 'demo');
  mkdirSync(folder, { recursive: true });
  // What a person changed there stays.
  cpSync(DEMO, folder, { recursive: true, force: false });
  return folder;
}

function printReady(address, root, bridge, log) {
  const env = Object.fromEntries(
    PLACES.filter(name => process.env[name]).map(name => [
      name,
      process.env[name]
    ])
  );
  console.log(`
JupyterLab is ready:  ${address}
Its folder:           ${root}
Its log:              ${log}

Open that address, then connect your agent:`);
  for (const { client, how, text } of clientLines(bridge, env)) {
    console.log(`\n${client} (${how}):\n\n${text.replace(/^/gm, '    ')}`);
  }
  console.log('\nCtrl-C ends it.');
}

async function cleanUp() {
  await endAll();
  if (temporary !== null) {
    rmSync(temporary, { recursive: true, force: true });
  }
}

onEnd(() => {
  void cleanUp().finally(() => process.exit(ready ? 0 : 130));
});
await main(run, cleanUp);
