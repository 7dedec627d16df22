import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { readCatalogue } from '../../../../protocol/catalogue';
import type { Scope } from '../../../../protocol/scopes';
import { Outward } from '../../../../bridge/src/clients/outward';
import { systemClock, type IClock } from '../../../../bridge/src/clock';
import { RuntimeFolder } from '../../../../bridge/src/servers/discovery';
import { dialRelay } from '../../../../bridge/src/servers/relay';
import type { IDiscovery } from '../../../../bridge/src/servers/server';
import { Router } from '../../../../bridge/src/tabs/router';
import catalogue from './catalogue.json';

export interface IBridgeOptions {
  readonly place: string;
  readonly scope?: Scope;
  readonly capabilities?: ClientCapabilities;
  readonly name?: string;
  readonly folder?: string;
  readonly clock?: IClock;
  readonly discovery?: IDiscovery;
}

/** A bridge in this process, with a real MCP client at its outer end. */
export class Bridge {
  private constructor(
    readonly client: Client,
    readonly log: string[],
    private readonly _outer: InMemoryTransport
  ) {}

  static async start(options: IBridgeOptions): Promise<Bridge> {
    const { place, scope = 'run', capabilities = {} } = options;
    const { name = 'test client', folder = '/', clock = systemClock } = options;
    const discovery =
      options.discovery ??
      new RuntimeFolder(place, systemClock, () => 'running');
    const [inner, outer] = InMemoryTransport.createLinkedPair();
    const log: string[] = [];
    const outward = new Outward({
      transport: inner,
      catalogue: readCatalogue(catalogue),
      version: '0.0.0',
      scope,
      clientId: `${name}-`.padEnd(32, '0'),
      folder,
      log: line => log.push(line),
      closed: () => undefined,
      inward: (client, folders, changed) =>
        Promise.resolve(
          new Router({
            client,
            folders,
            changed,
            discovery,
            dial: dialRelay,
            clock,
            random: () => 0.5,
            log: line => log.push(line)
          })
        )
    });
    await outward.start();
    const client = new Client({ name, version: '3.1' }, { capabilities });
    return new Bridge(client, log, outer);
  }

  /** Says hello; handlers of the client are set before. */
  async connect(): Promise<this> {
    await this.client.connect(this._outer);
    return this;
  }

  async call(
    name: string,
    args: Record<string, unknown> = {},
    options: Parameters<Client['callTool']>[2] = {}
  ) {
    const result = await this.client.callTool(
      { name, arguments: args },
      undefined,
      options
    );
    return result as {
      isError?: boolean;
      content: { type: string; text: string }[];
      structuredContent: Record<string, unknown> & {
        data: Record<string, unknown>;
        code: string;
        message: string;
      };
    };
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

/** Waits until something holds; fails with what it was last. */
export async function until<T>(
  what: () => T | Promise<T>,
  ms = 20_000
): Promise<T> {
  const end = performance.now() + ms;
  for (;;) {
    const value = await what();
    if (value) {
      return value;
    }
    if (performance.now() > end) {
      throw new Error(`it did not come to hold: ${what}`);
    }
    await new Promise(resolve => setTimeout(resolve, 5));
  }
}
