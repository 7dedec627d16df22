import type { TranslationBundle } from '@jupyterlab/translation';
import type { IClient } from '../calls/types';
import type { RelayState } from '../transports/relayState';

/** What the status bar item tells. */
export interface IStatus {
  readonly relay: RelayState;
  readonly clients: readonly IClient[];
  /** Sentences about what does not work, for instance a tool's name that was taken. */
  readonly problems: readonly string[];
}

/** The item's few words, and the sentences of its tooltip. */
export function statusText(
  status: IStatus,
  trans: TranslationBundle
): { text: string; detail: string; alert: boolean } {
  const { relay, clients, problems } = status;
  const lines =
    clients.length > 0
      ? [
          trans.__('Connected agents:'),
          ...clients.map(client => `${client.name} (${client.number})`)
        ]
      : [relayDetail(relay, trans)];
  if (clients.length > 0 && relay !== 'connected' && relay !== 'off') {
    lines.push(relayDetail(relay, trans));
  }
  const text =
    clients.length === 1
      ? trans.__('MCP: %1', clients[0].name)
      : clients.length > 1
        ? trans._n('MCP: %1 agent', 'MCP: %1 agents', clients.length)
        : relayWords(relay, trans);
  return {
    text:
      problems.length === 0
        ? text
        : trans._n(
            '%2 (%1 problem)',
            '%2 (%1 problems)',
            problems.length,
            text
          ),
    detail: [...lines, ...problems].join('\n'),
    alert: problems.length > 0 || ALERTING.includes(relay)
  };
}

const ALERTING: readonly RelayState[] = [
  'refused',
  'server-outdated',
  'page-outdated'
];

function relayWords(relay: RelayState, trans: TranslationBundle): string {
  switch (relay) {
    case 'off':
      return trans.__('MCP: off');
    case 'connecting':
      return trans.__('MCP: connecting');
    case 'connected':
      return trans.__('MCP: no agent');
    case 'absent':
      return trans.__('MCP: no relay');
    case 'refused':
      return trans.__('MCP: not allowed');
    case 'offline':
      return trans.__('MCP: server away');
    case 'server-outdated':
    case 'page-outdated':
      return trans.__('MCP: update needed');
  }
}

function relayDetail(relay: RelayState, trans: TranslationBundle): string {
  switch (relay) {
    case 'off':
      return trans.__('The bridge is turned off in the settings.');
    case 'connecting':
      return trans.__('Connecting to the relay of this Jupyter server.');
    case 'connected':
      return trans.__('Ready. No agent is connected.');
    case 'absent':
      return trans.__(
        'This server has no relay, so agents outside the browser cannot connect. Where there is a Jupyter server: install the Python package jupyterlab_mcp_bridge in its environment and restart it.'
      );
    case 'refused':
      return trans.__(
        'The Jupyter server does not let you use the relay. You may have been logged out, or you may not run kernels here.'
      );
    case 'offline':
      return trans.__(
        'The Jupyter server cannot be reached. The bridge connects again when it is back.'
      );
    case 'server-outdated':
      return trans.__(
        'The Python package jupyterlab_mcp_bridge of this server is older than this page: update it and restart Jupyter.'
      );
    case 'page-outdated':
      return trans.__('This page is older than the Jupyter server: reload it.');
  }
}
