/**
 * The work of `npm start -- --try`, as a process of its own: an open tab, a
 * real client over stdio, a few calls. Prints each call and its result; the
 * exit code is 0 only if every result is right.
 *
 * TRY holds {lab, stdio, root, chromium} as JSON.
 */
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { chromium } from 'playwright-core';
import { ROOT } from './paths.mjs';

const {
  lab,
  stdio,
  root,
  chromium: executablePath
} = JSON.parse(process.env.TRY);
const CONNECT_MS = 60_000;
let wrong = 0;

/** A notebook of our own: what the person has in the folder stays as it is. */
function placeNotebook() {
  const names = ['try.ipynb'].concat(
    Array.from({ length: 50 }, (_, n) => `try-${n + 1}.ipynb`)
  );
  const name = names.find(one => !existsSync(join(root, one)));
  copyFileSync(join(ROOT, 'demo', 'demo.ipynb'), join(root, name));
  return name;
}

function shorten(value) {
  const text = JSON.stringify(value);
  return text.length > 500 ? `${text.slice(0, 499)}…` : text;
}

/** Whether `actual` holds at least what `wanted` names; functions decide by themselves. */
function holds(actual, wanted) {
  if (typeof wanted === 'function') {
    return wanted(actual);
  }
  if (Array.isArray(wanted) || typeof wanted !== 'object' || wanted === null) {
    return isDeepStrictEqual(actual, wanted);
  }
  return (
    typeof actual === 'object' &&
    actual !== null &&
    Object.entries(wanted).every(([key, value]) => holds(actual[key], value))
  );
}

/** Makes a call, prints it and its result, and checks what is given. */
async function call(client, name, args, wanted) {
  const result = await client.callTool({ name, arguments: args });
  const answer = result.structuredContent ?? {};
  const right = holds({ isError: result.isError === true, ...answer }, wanted);
  console.log(`\n${right ? '✓' : '✗'} ${name} ${shorten(args)}`);
  console.log(`  ${shorten(answer.data ?? answer)}`);
  if (!right) {
    wrong++;
    console.log(`  This was to hold ${describe(wanted)}.`);
  }
  return answer.data ?? {};
}

function describe(wanted) {
  return JSON.stringify(wanted, (_key, value) =>
    typeof value === 'function' ? `(${value})` : value
  );
}

async function untilConnected(client) {
  const end = Date.now() + CONNECT_MS;
  for (;;) {
    const result = await client.callTool({ name: 'get_context' });
    if (!result.isError) {
      return;
    }
    if (Date.now() > end) {
      throw new Error(
        `The tab was not found: ${result.structuredContent?.message}`
      );
    }
    await new Promise(resolve => setTimeout(resolve, 200));
  }
}

async function work(client, page, notebookPath) {
  const { tools } = await client.listTools();
  console.log(`${tools.length} tools: ${tools.map(t => t.name).join(', ')}`);
  await untilConnected(client);
  await call(
    client,
    'get_context',
    {},
    {
      isError: false,
      data: { app: { name: 'JupyterLab' } }
    }
  );
  const ok = { isError: false, data: { status: 'ok' } };
  const { cells } = await call(
    client,
    'read_notebook',
    { notebookPath, view: 'cells' },
    {
      isError: false,
      data: { notebookPath, cells: list => list?.length === 4 }
    }
  );
  const first = cells?.[1]?.cellId;
  await call(client, 'run_cell', { notebookPath, cellId: first }, ok);
  const added = await call(
    client,
    'add_cell',
    { notebookPath, content: 'sorted(measurements)[-1]' },
    { isError: false, data: { cellId: id => typeof id === 'string' } }
  );
  const cellId = added.cellId;
  await call(
    client,
    'run_cell',
    { notebookPath, cellId },
    {
      isError: false,
      data: {
        status: 'ok',
        outputs: list => list?.[0]?.data?.['text/plain'] === '40.3'
      }
    }
  );
  const edited = await call(
    client,
    'edit_cell',
    { notebookPath, cellId, content: '1 / 0', revision: added.revision },
    { isError: false, data: { cellId } }
  );
  await call(
    client,
    'run_cell',
    { notebookPath, cellId },
    {
      isError: true,
      data: { success: false, errorName: 'ZeroDivisionError' }
    }
  );
  await call(
    client,
    'edit_cell',
    {
      notebookPath,
      cellId,
      content:
        "import time\nfor i in range(23):\n    time.sleep(1)\n    print(i)\n'done'",
      revision: edited.revision
    },
    { isError: false, data: { cellId } }
  );
  let run = await call(
    client,
    'run_cell',
    { notebookPath, cellId },
    {
      isError: false,
      data: { status: 'pending', pendingId: id => typeof id === 'string' }
    }
  );
  for (let tries = 0; tries < 3 && run.status === 'pending'; tries++) {
    run = await call(
      client,
      'wait_for_result',
      { pendingId: run.pendingId },
      { isError: false }
    );
  }
  const shown = await page.evaluate(
    "[...document.querySelectorAll('.jp-Notebook .jp-OutputArea-output')].map(one => one.textContent).join(' ')"
  );
  const seen = run.status === 'ok' && /'done'/.test(shown);
  console.log(`\n${seen ? '✓' : '✗'} the open notebook shows the last output`);
  wrong += seen ? 0 : 1;
}

const notebookPath = placeNotebook();
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
});
try {
  const page = await browser.newPage();
  const address = new URL(lab);
  address.pathname = `${address.pathname}/tree/${notebookPath}`;
  await page.goto(address.href);
  await page.waitForSelector('.jp-Notebook .jp-Cell', { timeout: CONNECT_MS });
  const [command, ...args] = stdio;
  const client = new Client({ name: 'npm start -- --try', version: '1' });
  await client.connect(new StdioClientTransport({ command, args, cwd: root }));
  await work(client, page, notebookPath);
  await client.close();
} finally {
  await browser.close();
  rmSync(join(root, notebookPath), { force: true });
}
console.log(
  wrong === 0 ? '\nAll of it is right.' : `\n${wrong} of it went wrong.`
);
process.exit(wrong === 0 ? 0 : 1);
