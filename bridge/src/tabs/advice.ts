import { Refusal } from '../refusal';
import type { IFailure } from '../servers/failure';
import type { IPassedOver } from '../servers/server';

/** What the bridge sees, as far as telling why no tab can be called needs it. */
export interface ISurroundings {
  /** Where servers were looked for. */
  readonly place: string;
  readonly servers: readonly {
    readonly shown: string;
    readonly isOpen: boolean;
    /** Whether the person turned the bridge off in the page that was last there. */
    readonly isTurnedOff: boolean;
    readonly failure: IFailure | null;
  }[];
  readonly passedOver: readonly IPassedOver[];
  readonly tabs: readonly ITabSummary[];
}

/** A tab as lists of tabs show it. */
export interface ITabSummary {
  /** Null until it answered. */
  readonly id: string | null;
  readonly title: string;
  /** Its server's address, without a token. */
  readonly server: string;
  /** Why it cannot be used; null while it can. */
  readonly problem: string | null;
  readonly isFrozen: boolean;
}

/** Why no tab can be called, and what the person has to do. */
export function noTab(around: ISurroundings): Refusal {
  const reasons = [
    ...around.tabs.flatMap(tab =>
      tab.problem !== null
        ? [`a JupyterLab page of ${tab.server} cannot be used: ${tab.problem}`]
        : tab.id === null
          ? [
              `a JupyterLab page of ${tab.server} is connected but does not answer: bring it to the front, or reload it`
            ]
          : []
    ),
    ...around.servers.flatMap(({ failure }) =>
      failure === null ? [] : [failure.message]
    ),
    ...around.servers
      .filter(
        ({ shown, isOpen }) =>
          isOpen && !around.tabs.some(tab => tab.server === shown)
      )
      .map(({ shown, isTurnedOff }) =>
        isTurnedOff
          ? `the person turned the bridge off in the JupyterLab page of ${shown} (setting bridge of MCP Bridge): only they can turn it on there`
          : `JupyterLab runs at ${shown}, but no page of it is connected: open ${shown}lab in a browser; where one is open, the bridge is off in it (setting bridge of MCP Bridge)`
      ),
    ...around.passedOver
      .filter(each => each.notable)
      .map(({ name, reason }) => `the file ${name} was passed over: ${reason}`)
  ];
  const running = around.servers.length > 0 || around.tabs.length > 0;
  const first = running
    ? 'No JupyterLab tab is connected.'
    : reasons.length > 0
      ? 'No running Jupyter server was found that can be used.'
      : 'No running Jupyter server was found.';
  const last = running
    ? 'Then call again: no new connection is needed.'
    : 'Ask the person to start JupyterLab (jupyter lab), with the jupyterlab_mcp_bridge extension installed, and to open it in a browser; then call again: no new connection is needed.';
  return new Refusal(
    'operation_refused',
    [first, ...reasons.map(sentence), last].join(' ')
  );
}

/** Several tabs have an equal claim: they are listed. */
export function severalTabs(tabs: readonly ITabSummary[]): Refusal {
  const list = tabs.map(
    ({ id, title, server }) => `${id} ${JSON.stringify(title)} at ${server}`
  );
  return new Refusal(
    'operation_refused',
    `${tabs.length} JupyterLab tabs are connected, and nothing in this call says which is meant: name a notebook or kernel that only one of them has open, or ask the person to close the others. The tabs: ${list.join('; ')}.`
  );
}

/** The chosen tab does not answer: nothing was sent to it. */
export function frozenTab(tab: ITabSummary): Refusal {
  return new Refusal(
    'operation_refused',
    `The JupyterLab tab ${JSON.stringify(tab.title)} at ${tab.server} does not answer: the browser has frozen it in the background, it is busy, or the network to it is off. Nothing was done. Ask the person to bring that tab to the front, then call again.`
  );
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
