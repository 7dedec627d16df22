import { type Redact, shortened } from '../results/index';
import type { ICell } from '../jupyter/notebookTypes';

/** Characters of one line, at most. */
const WIDTH = 90;

/**
 * One cell as a line of an outline: `index id type lines state outputs | first
 * words`, at most 90 characters. The state of a text cell is `-`.
 */
export function outlineLine(cell: ICell, redact: Redact): string {
  const { index, cellId, cellType, source, state, outputCount } = cell;
  const facts = [
    index,
    cellId,
    cellType,
    lineCount(source),
    state ?? '-',
    outputCount
  ].join(' ');
  const words = firstWords(source, redact);
  return shortened(
    `${shortened(facts, WIDTH - 3, redact)} | ${words}`,
    WIDTH,
    redact
  );
}

/** The words of the first line that holds any. */
function firstWords(source: string, redact: Redact): string {
  const line = source.split(/[\r\n]+/).find(each => each.trim() !== '') ?? '';
  // Nothing in it may look like another line, or turn the direction of the text.
  // Joiners stay: they make one picture of several.
  return redact(line)
    .replace(/(?:[\s\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf})+/gu, ' ')
    .trim();
}

function lineCount(source: string): number {
  return source === '' ? 0 : source.split(/\r\n|\r|\n/).length;
}
