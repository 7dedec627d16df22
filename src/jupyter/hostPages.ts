import { VERSION } from '../generated/version';
import { serveMcp } from '../surfaces/mcp';
import type { IBridgePage } from '../tokens';
import { HostPages } from '../transports/messagePort';
import { randomHex } from './tab';

/**
 * Serves MCP to the host pages that the settings name, as they are now and as
 * they change.
 */
export function serveHostPages(page: IBridgePage): void {
  const pages = new HostPages({
    window,
    clock: page.clock,
    serve: (channel, { origin, scope }, end) => {
      // One client for each port; shown by the origin, which can't be forged.
      const { client, dispose } = page.clients.connect(randomHex(16), origin);
      void page
        .loadEngine()
        .then(engine =>
          serveMcp({
            channel,
            client,
            scope,
            isHostPage: true,
            engine,
            version: VERSION,
            onEnd: dispose
          })
        )
        .catch((reason: unknown) => {
          console.error(reason);
          end('The tools of this JupyterLab could not be loaded.');
          dispose();
        });
    }
  });
  const follow = (): void =>
    pages.setOrigins(page.settings.current.postMessageOrigins);
  page.settings.changed.connect(follow);
  follow();
}
