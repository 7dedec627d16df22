import catalogue from '../../protocol/catalogue.json';
import { version } from '../package.json';
import { readCatalogue } from '../../protocol/catalogue';
import { systemClock } from './clock';
import { logToStderr } from './log';
import { HELP, readOptions, UsageError, type IOptions } from './options';
import { RuntimeFolder } from './servers/discovery';
import { GivenError, givenServer, readTokenFile } from './servers/given';
import { runtimeFolder, thisPlatform } from './servers/runtimeFolder';
import type { IDiscovery } from './servers/server';

/** How long sockets may take to close once the client is gone. */
const GOODBYE_MS = 500;

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  switch (options.command) {
    case 'help':
      process.stdout.write(HELP);
      break;
    case 'version':
      process.stdout.write(`${version}\n`);
      break;
    case 'status': {
      const { readStatus, printStatus } = await import('./status');
      const status = await readStatus(await discoveryOf(options), version);
      process.stdout.write(
        options.json ? `${JSON.stringify(status)}\n` : printStatus(status)
      );
      break;
    }
    case 'stdio':
      await serve(options);
      break;
  }
}

async function serve(options: IOptions): Promise<void> {
  const { serveStdio } = await import('./clients/stdio');
  const serving = await serveStdio({
    input: process.stdin,
    output: process.stdout,
    catalogue: readCatalogue(catalogue),
    version,
    scope: options.scope,
    folder: process.cwd(),
    discovery: await discoveryOf(options),
    log: logToStderr
  });
  // What was overlooked must not end a person's work with the other tools.
  process.on('unhandledRejection', reason => logToStderr(stackOf(reason)));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.once(signal, () => void serving.close());
  }
  await serving.ended;
  // Sockets say goodbye; whatever does not is left behind.
  process.stdin.destroy();
  setTimeout(() => process.exit(0), GOODBYE_MS).unref();
}

async function discoveryOf(options: IOptions): Promise<IDiscovery> {
  const { server, tokenFile } = options;
  if (server === null) {
    return new RuntimeFolder(runtimeFolder(thisPlatform()), systemClock);
  }
  if (tokenFile === null) {
    const token = process.env.JUPYTER_TOKEN || null;
    return givenServer(server, () => Promise.resolve(token));
  }
  await readTokenFile(tokenFile);
  return givenServer(server, () => readTokenFile(tokenFile));
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : 'unknown';
}

main().catch((error: unknown) => {
  if (error instanceof UsageError || error instanceof GivenError) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  } else {
    logToStderr(`stopped by an error: ${stackOf(error)}`);
    process.exitCode = 1;
  }
});
