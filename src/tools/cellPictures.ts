import { list } from '../calls/words';
import type { ICell } from '../jupyter/notebookTypes';
import { PICTURE_TYPES, type PictureType } from '../results/index';
import { isRecord } from '../../protocol/values';

/** A type that a picture can be made from. */
export type SourceType = PictureType | 'image/svg+xml';

/** One way in which an output has its picture. */
export interface ISource {
  readonly type: SourceType;
  /** Base64, or the text of an SVG; undefined when what stands there is no text. */
  readonly text: string | undefined;
}

/** An output, or a cell's attachment, as far as it is a picture. */
export interface IPictureOutput {
  readonly index: number;
  /** The attachment's name. */
  readonly attachment?: string;
  /** What it is in a word, for messages. */
  readonly what: string;
  /** The best first; empty where it is no picture. */
  readonly sources: readonly ISource[];
}

/** Those that need no drawing come first. */
const TYPES: readonly SourceType[] = [...PICTURE_TYPES, 'image/svg+xml'];

/**
 * What a cell shows, in order: its outputs; or its attachments, where it is a
 * cell that has no outputs.
 */
export function pictureOutputs(cell: ICell): readonly IPictureOutput[] {
  const { state, attachments = {} } = cell;
  return state === undefined
    ? Object.entries(attachments).map(([attachment, bundle], index) => ({
        index,
        attachment,
        ...inBundle(bundle)
      }))
    : cell.outputs.map((output, index) => ({ index, ...inOutput(output) }));
}

function inOutput(output: unknown): Pick<IPictureOutput, 'what' | 'sources'> {
  return isRecord(output) && isRecord(output.data)
    ? inBundle(output.data)
    : {
        what: isRecord(output) ? plain(output.output_type) : 'unknown',
        sources: []
      };
}

function inBundle(bundle: unknown): Pick<IPictureOutput, 'what' | 'sources'> {
  const types = new Map(
    Object.entries(isRecord(bundle) ? bundle : {}).map(([key, value]) => [
      key.split(';', 1)[0].trim().toLowerCase(),
      value
    ])
  );
  return {
    what: list([...types.keys()].map(plain), 5) || 'empty',
    sources: TYPES.filter(type => types.has(type)).map(type => ({
      type,
      text: joined(types.get(type))
    }))
  };
}

/** Notebook files may keep a text as a list of lines. */
function joined(value: unknown): string | undefined {
  return typeof value === 'string'
    ? value
    : Array.isArray(value) && value.every(line => typeof line === 'string')
      ? value.join('')
      : undefined;
}

/** A name as messages repeat it: what is none is not passed on. */
function plain(name: unknown): string {
  return typeof name === 'string' && /^[\w.+/-]{1,80}$/.test(name)
    ? name
    : 'unknown';
}
