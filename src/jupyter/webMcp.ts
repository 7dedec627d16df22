import { modelContextOf, WebMcp } from '../surfaces/webmcp';
import type { IBridgePage } from '../tokens';
import { randomHex } from './tab';

/**
 * Offers the tools to the browser's own API, as they are now and as they
 * change; says in the status bar what could not be offered.
 */
export async function offerTools(page: IBridgePage): Promise<void> {
  const context = modelContextOf(document);
  if (!context || page.settings.current.webmcp === 'off') {
    return;
  }
  const webMcp = new WebMcp({
    context,
    engine: await page.loadEngine(),
    client: page.clients.meet(randomHex(16), 'WebMCP'),
    onFailures: failures => page.setProblem('webmcp', tell(failures))
  });
  await webMcp.update();
}

function tell(failures: ReadonlyMap<string, string>): string | null {
  return failures.size > 0 ? [...failures.keys()].join(', ') : null;
}
