import type { DocumentRegistry } from '@jupyterlab/docregistry';
import type { Contents } from '@jupyterlab/services';

/**
 * A new text with the line ends of what an editor holds: "\n", which a save
 * turns into those of the file. Before a "\n" a carriage return would be saved
 * twice, and the editor would count the two as one character. What is there
 * already with such line ends (a shared document has the file's) keeps them.
 */
export function heldEnds(before: string, text: string): string {
  if (before.includes('\r\n')) {
    return text;
  }
  const plain = text.replace(/\r+\n/g, '\n');
  return before.includes('\r') ? plain : plain.replace(/\r/g, '\n');
}

/** What there is to say when a save writes other line ends than were sent. */
export function otherEnds(
  context: DocumentRegistry.Context,
  sent: string,
  held: string
): string | undefined {
  const ending = endingOf(context);
  const saved = ending ? held.replace(/\n/g, ending) : held;
  return held === sent || saved === sent
    ? undefined
    : `The line ends of the new text that are not ${ending ? NAMES[ending] : 'LF'} were made so, because the file is open, and JupyterLab keeps one kind.`;
}

const NAMES = { '\r\n': 'CRLF', '\r': 'CR' };

/** The line end that a text is saved with in place of "\n", if any. */
function endingOf(
  context: DocumentRegistry.Context
): keyof typeof NAMES | undefined {
  const kept: unknown = Reflect.get(context, '_lineEnding');
  return kept === '\r\n' || kept === '\r' ? kept : undefined;
}

/**
 * JupyterLab saves a text with one kind of line end: the one it met when it
 * loaded the file, where that was not a plain line feed. What there is to say
 * when such a save changes lines that nobody edited; undefined otherwise.
 */
export async function mixedEnds(
  context: DocumentRegistry.Context,
  contents: Pick<Contents.IManager, 'get'>
): Promise<string | undefined> {
  const kept = endingOf(context);
  if (!kept) {
    return undefined;
  }
  const asText = { type: 'file', format: 'text', content: true } as const;
  // Where it cannot be read, the save says why.
  const file = await contents.get(context.path, asText).catch(() => undefined);
  const others = kept === '\r' ? /\n/ : /(?<!\r)\n/;
  return others.test(String(file?.content ?? ''))
    ? `Its file had line ends of more than one kind. JupyterLab keeps one of a file that is open, and saved ${NAMES[kept]} in place of each LF, in lines that were not edited too.`
    : undefined;
}
