import type { KernelMessage } from '@jupyterlab/services';

/**
 * What a run without an output area keeps of each end of what it was sent,
 * in characters. Below twice this nothing is lost; beyond it the middle goes,
 * so that an endless print cannot fill the tab.
 */
export const KEPT_EACH_END = 16 * 1024 * 1024;

/** What a piece costs beside its text, so that many small ones count too. */
const PIECE = 32;

/** A stream's piece, or a whole output of another kind. */
type Piece =
  | { readonly kind: 'text'; readonly name: string; readonly text: string }
  | IOutputPiece;

interface IOutputPiece {
  readonly kind: 'output';
  /** null: dropped, though a display's id may still refer to it. */
  output: Record<string, unknown> | null;
  readonly size: number;
}

/**
 * Collects a run's outputs from its IOPub messages, as an output area would:
 * streams of one name are joined, displays are updated in place, clearing
 * (at once or with the next output) is done. Time and memory are linear in
 * what arrives, and memory is bounded.
 */
export class OutputCollector {
  constructor(
    private readonly _printed: (text: string) => void = () => undefined,
    private readonly _keptEachEnd: number = KEPT_EACH_END
  ) {}

  /** Takes an IOPub message of the run; others than outputs are ignored. */
  add(msg: Pick<KernelMessage.IIOPubMessage, 'header' | 'content'>): void {
    const content = new Map<string, unknown>(Object.entries(msg.content));
    switch (msg.header.msg_type) {
      case 'stream': {
        const { name, text } = streamOf(msg);
        this.addText(name, text);
        break;
      }
      case 'display_data':
      case 'execute_result':
        this.addOutput(
          {
            output_type: msg.header.msg_type,
            ...(msg.header.msg_type === 'execute_result'
              ? { execution_count: content.get('execution_count') ?? null }
              : {}),
            data: content.get('data') ?? {},
            metadata: content.get('metadata') ?? {}
          },
          displayId(content)
        );
        break;
      case 'error':
        this.addOutput({
          output_type: 'error',
          ename: asText(content.get('ename')),
          evalue: asText(content.get('evalue')),
          traceback: content.get('traceback') ?? []
        });
        break;
      case 'update_display_data':
        this._update(content);
        break;
      case 'clear_output':
        if (content.get('wait') === true) {
          this._clearNext = true;
        } else {
          this._clear();
        }
        break;
      default:
        break;
    }
  }

  /** Adds to a stream what came of it. */
  addText(name: string, text: string): void {
    if (text === '') {
      return;
    }
    this._clearIfDue();
    this._printed(text);
    // One huge piece is split, so that its ends are kept like those of many.
    for (let at = 0; at < text.length; at += this._keptEachEnd) {
      const part = text.slice(at, at + this._keptEachEnd);
      this._push({ kind: 'text', name, text: part }, part.length);
    }
  }

  /** Adds an output that came another way, such as a pager's payload. */
  addOutput(output: Record<string, unknown>, id?: string): void {
    this._clearIfDue();
    const piece: IOutputPiece = {
      kind: 'output',
      output,
      size: sizeOf(output)
    };
    if (this._push(piece, piece.size) && id !== undefined) {
      const known = this._displays.get(id);
      if (known) {
        known.push(piece);
      } else {
        this._displays.set(id, [piece]);
      }
    }
  }

  /** Characters and outputs that were not kept because there were too many. */
  get dropped(): number {
    return this._dropped;
  }

  /** The outputs so far, in nbformat's shape. */
  outputs(): Record<string, unknown>[] {
    const outputs: Record<string, unknown>[] = [];
    let name: string | null = null;
    let texts: string[] = [];
    const flush = (): void => {
      if (name !== null) {
        outputs.push({ output_type: 'stream', name, text: texts.join('') });
      }
      name = null;
      texts = [];
    };
    const take = (piece: Piece): void => {
      if (piece.kind === 'output') {
        flush();
        if (piece.output) {
          outputs.push(piece.output);
        }
        return;
      }
      if (name !== null && name !== piece.name) {
        flush();
      }
      name = piece.name;
      texts.push(piece.text);
    };
    this._head.forEach(take);
    if (this._dropped > 0) {
      take({
        kind: 'text',
        name: name ?? 'stdout',
        text: `\n[... ${this._dropped} characters dropped while the code ran ...]\n`
      });
    }
    for (let i = this._first; i < this._tail.length; i++) {
      take(this._tail[i]);
    }
    flush();
    return outputs;
  }

  /** Whether the piece was kept. */
  private _push(piece: Piece, size: number): boolean {
    const cost = size + PIECE;
    if (this._tail.length === 0 && this._headCost + cost <= this._budget) {
      this._head.push(piece);
      this._headCost += cost;
      return true;
    }
    if (cost > this._budget) {
      this._dropped += size;
      return false;
    }
    this._tail.push(piece);
    this._tailCost += cost;
    while (this._tailCost > this._budget) {
      const oldest = this._tail[this._first++];
      const length = lengthOf(oldest);
      if (oldest.kind === 'output') {
        oldest.output = null;
      }
      this._dropped += length;
      this._tailCost -= length + PIECE;
    }
    if (this._first > 1024 && this._first * 2 > this._tail.length) {
      this._tail.splice(0, this._first);
      this._first = 0;
    }
    return true;
  }

  private _update(content: ReadonlyMap<string, unknown>): void {
    const id = displayId(content);
    for (const piece of (id !== undefined && this._displays.get(id)) || []) {
      if (piece.output) {
        piece.output = {
          output_type: 'display_data',
          data: content.get('data') ?? {},
          metadata: content.get('metadata') ?? {}
        };
      }
    }
  }

  private _clearIfDue(): void {
    if (this._clearNext) {
      this._clear();
    }
  }

  private _clear(): void {
    this._clearNext = false;
    this._head.length = 0;
    this._tail.length = 0;
    this._first = 0;
    this._headCost = 0;
    this._tailCost = 0;
    this._dropped = 0;
    this._displays.clear();
  }

  private get _budget(): number {
    return this._keptEachEnd + PIECE;
  }

  private _clearNext = false;
  private readonly _head: Piece[] = [];
  private readonly _tail: Piece[] = [];
  /** Index of the oldest piece of the tail that is still kept. */
  private _first = 0;
  private _headCost = 0;
  private _tailCost = 0;
  private _dropped = 0;
  private readonly _displays = new Map<string, IOutputPiece[]>();
}

function lengthOf(piece: Piece): number {
  return piece.kind === 'text' ? piece.text.length : piece.size;
}

/** Characters of the strings in a value: near enough to what it weighs. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') {
    return value.length;
  }
  if (typeof value !== 'object' || value === null) {
    return 8;
  }
  let size = 0;
  for (const part of Object.values(value)) {
    size += sizeOf(part);
  }
  return size;
}

function displayId(content: ReadonlyMap<string, unknown>): string | undefined {
  const transient = content.get('transient');
  if (typeof transient === 'object' && transient !== null) {
    const id: unknown = Reflect.get(transient, 'display_id');
    return typeof id === 'string' ? id : undefined;
  }
  return undefined;
}

/** What a message adds to which stream. */
export function streamOf({
  content
}: Pick<KernelMessage.IIOPubMessage, 'content'>): {
  readonly name: string;
  readonly text: string;
} {
  return {
    name: asText(Reflect.get(content, 'name')),
    text: asText(Reflect.get(content, 'text'))
  };
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
