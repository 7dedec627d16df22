import { randomBytes } from 'node:crypto';
import { PROTOCOL_VERSION } from '../../protocol/frames';
import { systemClock } from './clock';
import { dialRelay } from './servers/relay';
import type { IDiscovery } from './servers/server';
import type { ISurroundings } from './tabs/advice';
import { Router } from './tabs/router';

/** What `status` tells. */
export interface IStatus extends ISurroundings {
  readonly version: string;
  readonly protocol: number;
  readonly node: string;
}

/** Looks around as a client would, with the smallest scope, and goes again. */
export async function readStatus(
  discovery: IDiscovery,
  version: string
): Promise<IStatus> {
  const router = new Router({
    client: {
      id: randomBytes(16).toString('hex'),
      info: { name: 'jupyterlab-mcp-bridge status', version },
      scope: 'read',
      elicit: null
    },
    discovery,
    dial: dialRelay,
    clock: systemClock,
    random: Math.random,
    log: () => undefined,
    folders: () => [],
    changed: () => undefined
  });
  try {
    await router.settle();
    return {
      version,
      protocol: PROTOCOL_VERSION,
      node: process.version,
      ...router.look()
    };
  } finally {
    router.dispose();
  }
}

/** The status for people. */
export function printStatus(status: IStatus): string {
  const lines = [
    `jupyterlab-mcp-bridge ${status.version}, protocol ${status.protocol}, Node ${status.node}`,
    `Looked in ${status.place}`
  ];
  if (status.servers.length === 0) {
    lines.push('No running Jupyter server was found.');
  }
  for (const server of status.servers) {
    lines.push(
      `${server.shown}  ${server.failure === null ? 'connected' : server.failure.message}`
    );
    const tabs = status.tabs.filter(tab => tab.server === server.shown);
    if (server.isOpen && tabs.length === 0) {
      lines.push(
        server.isTurnedOff
          ? '  the bridge is turned off in its tab (setting bridge)'
          : `  no tab is open: open ${server.shown}lab`
      );
    }
    for (const tab of tabs) {
      lines.push(
        `  tab ${tab.id ?? '(does not answer)'} ${JSON.stringify(tab.title)}${tab.problem === null ? '' : `: ${tab.problem}`}`
      );
    }
  }
  for (const { name, reason } of status.passedOver) {
    lines.push(`passed over ${name}: ${reason}`);
  }
  return `${lines.join('\n')}\n`;
}
