import { PageConfig, URLExt } from '@jupyterlab/coreutils';
import { ServerConnection } from '@jupyterlab/services';
import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { ITabState } from '../../protocol/frames';
import type { IClient } from '../calls/types';
import { VERSION } from '../generated/version';
import { Changes } from '../surfaces/changes';
import { serveMcp } from '../surfaces/mcp';
import type { IBridgePage } from '../tokens';
import { Peers } from '../transports/peers';
import { Relay } from '../transports/relay';
import { claimTabId } from './tab';

/**
 * Connects this tab to the relay of its Jupyter server.
 * @returns what to dispose to hang up, when the person turned it off.
 */
export function connectRelay(
  app: JupyterFrontEnd,
  page: IBridgePage
): { dispose(): void } {
  const server = app.serviceManager.serverSettings;
  const tabId = claimTabId(page.clock);

  const stateChanged = new Changes();
  let subscription: { dispose(): void } | undefined;
  const state = async (client: IClient): Promise<ITabState> => {
    const [engine, id] = await Promise.all([page.loadEngine(), tabId]);
    subscription ??= engine.stateChanged.subscribe(() => stateChanged.emit());
    return {
      id,
      title: document.title,
      user: app.serviceManager.user.identity?.username ?? '',
      root: PageConfig.getOption('serverRoot'),
      url: window.location.origin + window.location.pathname,
      ...engine.describe(client)
    };
  };

  const peers: Peers = new Peers({
    clients: page.clients,
    state,
    stateChanged,
    send: (peer, body) => relay.send(peer, body),
    serve: async (channel, client, scope) =>
      serveMcp({
        channel,
        client,
        scope,
        engine: await page.loadEngine(),
        version: VERSION
      })
  });
  const relay: Relay = new Relay({
    peers,
    clock: page.clock,
    random: () => Math.random(),
    onState: found => page.setRelay(found),
    onRevived: () => {
      void page.loadEngine().then(engine => engine.revived());
    },
    dial: () => {
      const url = URLExt.join(server.wsUrl, 'mcp-bridge', 'tab');
      const token =
        server.appendToken && server.token !== ''
          ? `?token=${encodeURIComponent(server.token)}`
          : '';
      return new server.WebSocket(url + token);
    },
    probe: async () => {
      try {
        const { status } = await ServerConnection.makeRequest(
          URLExt.join(server.baseUrl, 'mcp-bridge', 'tab'),
          {},
          server
        );
        // The relay answers a plain request with 400; a page in its place
        // (a static host, a login form) is no relay either.
        return status === 404 || status < 300
          ? 'absent'
          : status === 401 || status === 403
            ? 'refused'
            : status === 400
              ? 'there'
              : 'unreachable';
      } catch {
        return 'unreachable';
      }
    }
  });

  const nudge = (): void => {
    if (document.visibilityState === 'visible') {
      relay.nudge();
    }
  };
  window.addEventListener('online', nudge);
  document.addEventListener('visibilitychange', nudge);
  document.addEventListener('resume', nudge);
  relay.start();
  return {
    dispose: () => {
      window.removeEventListener('online', nudge);
      document.removeEventListener('visibilitychange', nudge);
      document.removeEventListener('resume', nudge);
      peers.turnedOff();
      relay.dispose();
      peers.dispose();
      subscription?.dispose();
    }
  };
}
