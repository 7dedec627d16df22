import { cutBefore } from '../results/graphemes';
import type { ICell } from '../jupyter/notebookTypes';

/** Characters of one line, at most. */
const WIDTH = 90;

/**
 * One cell as a line of an outline: `index id type lines state outputs | first
 * words`, at most 90 characters. The state of a text cell is `-`.
 */
export function outlineLine(cell: ICell): string {
  const { index, cellId, cellType, source, state, outputCount } = cell;
  const facts = [
    index,
    cellId,
    cellType,
    lineCount(source),
    state ?? '-',
    outputCount
  ].join(' ');
  return cut(`${cut(facts, WIDTH - 3)} | ${firstWords(source)}`);
}

/** The words of the first line that holds any. */
function firstWords(source: string): string {
  const line = source.split(/[\r\n]+/).find(each => each.trim() !== '') ?? '';
  // Nothing in it may look like another line, or turn the direction of the text.
  // Joiners stay: they make one picture of several.
  return line
    .replace(/(?:[\s\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf})+/gu, ' ')
    .trim();
}

function lineCount(source: string): number {
  return source === '' ? 0 : source.split(/\r\n|\r|\n/).length;
}

/** At most `width` units, with an ellipsis where something was cut off. */
function cut(line: string, width = WIDTH): string {
  return line.length <= width
    ? line
    : `${line.slice(0, cutBefore(line, width - 1))}…`;
}
