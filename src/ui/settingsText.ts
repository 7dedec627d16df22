import type { TranslationBundle } from '@jupyterlab/translation';
import { brief } from '../calls/words';
import type { IFault } from '../jupyter/readSettings';
import type { IBridgePage } from '../tokens';

/** Characters of what holds: lists can be long, and the tooltip is small. */
const SHOWN = 100;

/** Shows in the status bar what is wrong with the settings, from now on. */
export function tellFaults(page: IBridgePage, trans: TranslationBundle): void {
  const tell = (): void =>
    page.setProblem('settings', settingsText(page.settings.faults, trans));
  page.settings.changed.connect(tell);
  tell();
}

/** What is wrong with the settings and what holds instead, for the person. */
export function settingsText(
  faults: readonly IFault[],
  trans: TranslationBundle
): string | null {
  return faults.length === 0
    ? null
    : faults.map(fault => sentence(fault, trans)).join('\n');
}

function sentence({ name, held }: IFault, trans: TranslationBundle): string {
  if (name === null) {
    return trans.__(
      'Settings: they cannot be read, so agents may read and nothing else. Correct the settings of MCP Bridge and reload this page.'
    );
  }
  return held === undefined
    ? trans.__('Settings: there is none named “%1”, so it does nothing.', name)
    : trans.__(
        'Settings: “%1” is not valid. Until it is corrected this holds: %2.',
        name,
        brief(JSON.stringify(held), SHOWN)
      );
}
