import type { TranslationBundle } from '@jupyterlab/translation';
import { modelContextOf, WebMcp } from '../surfaces/webmcp';
import type { IBridgePage } from '../tokens';
import { randomHex } from './tab';

/**
 * Offers the tools to the browser's own API, as they are now and as they
 * change; says in the status bar what could not be offered.
 */
export async function offerTools(
  page: IBridgePage,
  trans: TranslationBundle
): Promise<void> {
  const context = modelContextOf(document);
  if (!context) {
    return;
  }
  const webMcp = new WebMcp({
    context,
    engine: await page.loadEngine(),
    client: page.clients.meet(randomHex(16), 'WebMCP'),
    onFailures: failures => page.setProblem('webmcp', tell(failures, trans))
  });
  // What is offered depends on more settings than which tools there are.
  page.settings.changed.connect(() => void webMcp.update());
  await webMcp.update();
}

/** What could not be offered, and why, for the person. */
function tell(
  failures: ReadonlyMap<string, string>,
  trans: TranslationBundle
): string | null {
  if (failures.size === 0) {
    return null;
  }
  const names = (wanted: (reason: string) => boolean): string =>
    [...failures]
      .filter(([, reason]) => wanted(reason))
      .map(([name]) => name)
      .join(', ');
  const taken = names(reason => reason === TAKEN);
  const others = names(reason => reason !== TAKEN);
  const reasons = new Set(
    [...failures.values()].filter(each => each !== TAKEN)
  );
  return [
    ...(taken
      ? [
          trans.__(
            'WebMCP: the page already has tools of another extension with these names, so they are not offered: %1.',
            taken
          )
        ]
      : []),
    ...(others
      ? [
          trans.__(
            'WebMCP: the browser does not take these tools (%1): %2.',
            [...reasons].join(', '),
            others
          )
        ]
      : [])
  ].join('\n');
}

/** What the browser answers for a name that is registered already. */
const TAKEN = 'InvalidStateError';
