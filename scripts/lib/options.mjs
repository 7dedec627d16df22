import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Trouble } from './trouble.mjs';

export const HELP = `npm start -- [options]

Builds what is missing, starts JupyterLab with the bridge's extension, and
prints what connects Claude Code, Codex, VS Code and Cursor to it.

  --root DIR        the folder to work in (default: a copy of demo/)
  --port N          the port (default: the first free one from 8888 on)
  --overrides FILE  a JupyterLab overrides.json with settings
  --no-browser      open no browser
  --json            print one line of JSON when ready: lab, stdio, pid
  --try             do a short piece of work in a headless browser, print each
                    call and its result, and end: exit code 0 if all is right
  --help            this text

Ctrl-C ends JupyterLab and everything that was started.`;

function folder(text) {
  const path = resolve(text);
  if (!existsSync(path) || !statSync(path).isDirectory()) {
    throw new Trouble(`--root ${text}: there is no such folder.`, 2);
  }
  return path;
}

function port(text) {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < 1 || number > 65535) {
    throw new Trouble(`--port ${text}: a port is a number from 1 to 65535.`, 2);
  }
  return number;
}

function overrides(text) {
  const path = resolve(text);
  if (!existsSync(path)) {
    throw new Trouble(`--overrides ${text}: there is no such file.`, 2);
  }
  try {
    const value = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value;
    }
  } catch {
    // Told below.
  }
  throw new Trouble(
    `--overrides ${text}: this is no JSON object of settings by plugin id.`,
    2
  );
}

const WITH_VALUE = {
  '--root': folder,
  '--port': port,
  '--overrides': overrides
};
const FLAGS = ['--no-browser', '--json', '--try', '--help'];

/** The options of `npm start`, by name without the dashes. */
export function parseOptions(words) {
  const options = {};
  const rest = words.flatMap(word =>
    /^--\w+=/.test(word)
      ? [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]
      : [word]
  );
  while (rest.length > 0) {
    const name = rest.shift();
    if (Object.hasOwn(WITH_VALUE, name)) {
      const value = rest.shift();
      if (value === undefined) {
        throw new Trouble(`${name} needs a value. See --help.`, 2);
      }
      options[name.slice(2)] = WITH_VALUE[name](value);
    } else if (FLAGS.includes(name)) {
      options[name.slice(2)] = true;
    } else {
      throw new Trouble(
        `${name} is no option of npm start. The options are ${[...Object.keys(WITH_VALUE), ...FLAGS].join(', ')}.`,
        2
      );
    }
  }
  return options;
}
