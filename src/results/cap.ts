import { type Keep, keepWhole, previewOf, someId, vitalFields } from './bound';
import {
  capBytes,
  type IEnvelope,
  type ITruncation,
  note,
  sizeOf
} from './envelope';
import {
  type IJsonObject,
  isObject,
  type Json,
  mapObject,
  without
} from './json';
import { write } from './measure';
import { type IOwnText, ownText } from './ownText';
import { formatPath, valueAt, withValueAt } from './path';
import { prepareCounted } from './prepare';
import type { Redact } from './redact';
import { Cuts, type IShortened, shortenings } from './shorten';
import { costOf, fittingHead } from './text';

export interface ICapOptions {
  /** Bytes of UTF-8 JSON that the envelope may have; at least 4,000. */
  readonly cap: number;
  readonly auditId: number | null;
  /**
   * The path of the text that the tool reads in parts. Where that text is
   * itself a part, the data says so: `range` has its `offset` and the whole's
   * `total`. The data's `revision` goes into the next range.
   */
  readonly range?: string;
  readonly keep?: Keep;
  readonly redact?: Redact;
}

/** Fields of R's that the envelope tells in its own way. */
const NOT_DATA = [
  'truncated',
  'truncationNote',
  'truncation',
  'truncationCount'
];

/** Fields that the last resort keeps. */
const VITAL = [
  'untrusted',
  'success',
  'isError',
  'status',
  'pendingId',
  'error'
];

/**
 * A result for the MCP surface (Q, Long results): the envelope, never longer
 * than the cap. R's steps run on the original, without the text that the tool
 * reads in parts; that one is cut last, to the room that is left.
 */
export function cap(data: unknown, options: ICapOptions): IEnvelope {
  return new Capper(data, options).present();
}

/** Bytes that always hold a grapheme that must not be split. */
const LITTLE = 600;

/** Makes an envelope once the whole's id is known. */
type Build = (resultId: string | null) => IEnvelope;

class Capper {
  constructor(
    data: unknown,
    private readonly _options: ICapOptions
  ) {
    this._limit = capBytes(_options.cap);
    const { whole, characters } = prepareCounted(data, _options.redact);
    this._whole = without(whole, NOT_DATA);
    this._characters = characters;
    this._own = ownText(this._whole, _options.range);
  }

  present(): IEnvelope {
    const whole = this._envelope(this._whole, null);
    if (sizeOf(whole, this._limit) <= this._limit) {
      return whole;
    }
    const cut = this._own ? this._cutOwn(this._own) : this._cutAny();
    return cut ?? this._lastResort();
  }

  /** R's steps, until one is enough. */
  private _cutAny(): IEnvelope | null {
    for (const { value, cuts } of this._shortenings(this._whole)) {
      const envelope = isObject(value) ? this._withCuts(value, cuts) : null;
      if (envelope) {
        return envelope;
      }
    }
    return null;
  }

  /** The steps for everything else, then the tool's own text. */
  private _cutOwn(own: IOwnText): IEnvelope | null {
    const half = Math.floor(this._limit / 2);
    const wanted = Math.min(costOf(own.text, 'bytes', half), half);
    const others = withValueAt(this._whole, own.path, '');
    for (const { value, cuts, wanted: least } of this._tries(others, wanted)) {
      if (isObject(value) && valueAt(value, own.path) === '') {
        const full = withValueAt(value, own.path, own.text);
        const envelope =
          (isObject(full) ? this._withCuts(full, cuts) : null) ??
          this._withOwnCut(value, cuts, own, least);
        if (envelope) {
          return envelope;
        }
      }
    }
    return null;
  }

  /** What else is left in each try, and how much of the own text it wants. */
  private *_tries(
    others: Json,
    wanted: number
  ): Generator<IShortened & { readonly wanted: number }> {
    let last: IShortened = { value: others, cuts: new Cuts() };
    yield { ...last, wanted };
    for (last of this._shortenings(others)) {
      yield { ...last, wanted };
    }
    // Little of it is better than the last resort, which has nothing of it.
    yield { ...last, wanted: Math.min(wanted, LITTLE) };
  }

  private _shortenings(root: Json): Iterable<IShortened> {
    return shortenings(root, this._limit, 'bytes');
  }

  /** The envelope with a step's cuts told, if there are any and it fits. */
  private _withCuts(value: IJsonObject, cuts: Cuts): IEnvelope | null {
    const { largest } = cuts;
    if (largest === null) {
      return null;
    }
    const { path, place, unit, total, omitted, head } = largest;
    const field = formatPath(path);
    const returned = total - omitted;
    const isText = unit === 'characters';
    const text = valueAt(value, place);
    return this._ifFits(field, resultId => {
      const end = note(
        returned,
        total,
        resultId === null ? null : 'read_result'
      );
      const data =
        isText && typeof text === 'string'
          ? withValueAt(value, place, `${text}\n${end}`)
          : value;
      const nextRange =
        isText && resultId !== null
          ? { offset: head, length: total - head }
          : null;
      return this._envelope(isObject(data) ? data : value, {
        field,
        returned,
        total,
        nextRange,
        resultId,
        ...told(cuts)
      });
    });
  }

  /** The envelope with the tool's own text cut, if `wanted` bytes fit. */
  private _withOwnCut(
    value: IJsonObject,
    cuts: Cuts,
    own: IOwnText,
    wanted: number
  ): IEnvelope | null {
    const { path, text, offset, total, revision } = own;
    const field = formatPath(path);
    const all = new Cuts();
    all.add({
      path,
      place: path,
      unit: 'characters',
      total: text.length,
      omitted: text.length,
      head: 0
    });
    all.join(cuts);
    /** `numbers` stands for those that are not known yet, none longer. */
    const build = (
      length: number,
      resultId: string | null,
      numbers?: number
    ) => {
      const returned = numbers ?? length;
      const nextRange = {
        offset: numbers ?? offset + length,
        length: numbers ?? text.length - length,
        ...(revision === null ? {} : { revision })
      };
      const end = note(returned, total, 'nextRange');
      const data = withValueAt(value, path, `${text.slice(0, length)}\n${end}`);
      all.told[0] = {
        path: field,
        omittedCharacters: numbers ?? text.length - length
      };
      return this._envelope(
        mapObject(isObject(data) ? data : value, (each, key) =>
          key === 'nextRange' ? nextRange : each
        ),
        { field, returned, total, nextRange, resultId, ...told(all) }
      );
    };
    const empty = build(
      0,
      this._someId(),
      Math.max(total, offset + text.length)
    );
    const room = this._limit - sizeOf(empty, this._limit);
    if (room < wanted) {
      return null;
    }
    const length = fittingHead(text, room, 'bytes');
    if (length >= text.length) {
      return null;
    }
    // Ranges of a part that was kept would count from the part's start.
    const keeps = offset === 0 || cuts.count > 0;
    return build(length, keeps ? this._keep(field) : null);
  }

  /** What is left when no step was enough (R, Bounding, step 4). */
  private _lastResort(): IEnvelope {
    const json = write(this._whole);
    const total = json.length;
    const build = (
      preview: string,
      resultId: string | null,
      digits?: number
    ) => {
      const data = vitalFields(this._whole, VITAL, this._limit, 'bytes');
      const returned = digits ?? preview.length;
      const next =
        resultId === null
          ? null
          : { offset: returned, length: digits ?? total - returned };
      data.message = `The result has ${total} characters of JSON, and more than the ${this._limit} bytes that fit, also when its values are shortened; "preview" is its beginning.`;
      data.preview = `${preview}\n${note(returned, total, resultId === null ? null : 'read_result')}`;
      return this._envelope(data, {
        field: 'preview',
        returned,
        total,
        nextRange: next,
        resultId,
        cuts: [],
        count: 1
      });
    };
    const empty = build('', this._someId(), total);
    const room = this._limit - sizeOf(empty, this._limit);
    return build(previewOf(json, room, 'bytes'), this._keep(''));
  }

  private _ifFits(field: string, build: Build): IEnvelope | null {
    return sizeOf(build(this._someId()), this._limit) <= this._limit
      ? build(this._keep(field))
      : null;
  }

  private _envelope(
    data: IJsonObject,
    truncation: ITruncation | null
  ): IEnvelope {
    return { data, truncation, auditId: this._options.auditId };
  }

  private _someId(): string | null {
    return someId(this._options.keep, this._whole);
  }

  private _keep(field: string): string | null {
    const { keep } = this._options;
    return keepWhole(keep, this._whole, field, this._characters);
  }

  private readonly _limit: number;
  private readonly _whole: IJsonObject;
  private readonly _characters: number;
  private readonly _own: IOwnText | null;
}

function told(cuts: Cuts): Pick<ITruncation, 'cuts' | 'count'> {
  return { cuts: cuts.count > 1 ? [...cuts.told] : [], count: cuts.count };
}
