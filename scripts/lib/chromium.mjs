import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { run } from './processes.mjs';
import { Trouble } from './trouble.mjs';

const USUAL = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe'
];

const find = () =>
  [process.env.CHROMIUM ?? '', ...USUAL].find(
    path => path !== '' && existsSync(path)
  );

/** The path of Chromium or Chrome, installed with apt where none is found. */
export async function needChromium(say) {
  const found = find();
  if (found !== undefined) {
    return found;
  }
  const hasApt = spawnSync('apt-get', ['--version']).status === 0;
  if (hasApt && process.getuid?.() === 0) {
    say('Installing Chromium with apt …');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const failure =
      'Chromium could not be installed with apt. Install it or Google Chrome by hand, or set CHROMIUM to its path.';
    await run('apt-get', ['update', '-q'], { env, failure });
    await run(
      'apt-get',
      ['install', '-qy', '--no-install-recommends', 'chromium'],
      { env, failure }
    );
    const installed = find();
    if (installed !== undefined) {
      return installed;
    }
  }
  throw new Trouble(
    'The browser tests need Chromium or Google Chrome. Install one (on Debian: apt install chromium), or set CHROMIUM to its path.'
  );
}
