import { randomBytes } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import type { ICatalogue } from '../../../protocol/catalogue';
import type { Scope } from '../../../protocol/scopes';
import { systemClock } from '../clock';
import type { Log } from '../log';
import type { IDiscovery } from '../servers/server';
import { LineTransport } from './lines';
import { Outward } from './outward';

export interface IStdioOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly catalogue: ICatalogue;
  readonly version: string;
  readonly scope: Scope;
  readonly folder: string;
  readonly discovery: IDiscovery;
  readonly log: Log;
}

/** A client on stdio that is being served. */
export interface IServing {
  /** Resolves when the client is gone and its sockets are being closed. */
  readonly ended: Promise<void>;
  /** Ends it from this side. */
  close(): Promise<void>;
}

/** Serves MCP on stdio to the process that started this one, until its input ends. */
export async function serveStdio(options: IStdioOptions): Promise<IServing> {
  const { input, output, discovery, log, ...rest } = options;
  let closed: () => void = () => undefined;
  const ended = new Promise<void>(resolve => {
    closed = resolve;
  });
  const outward = new Outward({
    ...rest,
    log,
    transport: new LineTransport(input, output),
    clientId: randomBytes(16).toString('hex'),
    closed,
    inward: async (client, folders, changed) => {
      const [{ Router }, { dialRelay }] = await Promise.all([
        import('../tabs/router'),
        import('../servers/relay')
      ]);
      return new Router({
        client,
        folders,
        changed,
        discovery,
        dial: dialRelay,
        clock: systemClock,
        random: Math.random,
        log
      });
    }
  });
  await outward.start();
  return { ended, close: () => outward.close() };
}
