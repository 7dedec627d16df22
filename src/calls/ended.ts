import { ToolError } from './errors';
import type { TrackedCall } from './tracked';
import type { IClock, Outcome } from './types';

/** Milliseconds that the result of a settled call stays. */
const KEPT_MS = 10 * 60 * 1000;
/** Settled calls that are kept for one client. */
const KEPT_CALLS = 50;
/**
 * Characters that the results of all settled calls may hold together: 128 MiB
 * of a tab's memory. A single larger one stays until the next.
 */
const KEPT_CHARACTERS = 64 * 1024 * 1024;

/** What a value costs beside its text. */
const PER_VALUE = 8;

export interface IEndedOptions {
  readonly clock: IClock;
  /** All calls, in the order they began. */
  readonly calls: Iterable<TrackedCall>;
  /** Called once for a call that is let go altogether. */
  readonly drop: (call: TrackedCall) => void;
  /** Default 64 Mi. */
  readonly keptCharacters?: number;
}

/**
 * The settled calls whose results wait to be fetched (contract: Results on the
 * WebMCP surface): ten minutes, 50 a client, the oldest out first. Where their
 * results are too much for the page's memory, the oldest lose theirs but stay:
 * who asks for one is told what became of it.
 */
export class EndedCalls {
  constructor(private readonly _options: IEndedOptions) {}

  /** Keeps a call once it has settled and has an id; before that does nothing. */
  keep(call: TrackedCall): void {
    const { outcome, pendingId, endedAt } = call;
    if (pendingId === null || endedAt === null || !outcome) {
      return;
    }
    if (this._entries.has(call)) {
      return;
    }
    const { clock } = this._options;
    const left = endedAt + KEPT_MS - clock.now();
    const expiry = clock.after(Math.max(0, left), () => this.remove(call));
    const characters = charactersOf(outcome);
    this._entries.set(call, { expiry, characters });
    this._characters += characters;
    const { client } = call.facts;
    const own = this._inOrder().filter(
      ({ facts }) => facts.client.id === client.id
    );
    own.slice(0, -KEPT_CALLS).forEach(each => this.remove(each));
    this._saveMemory(call);
  }

  /** Timers can be late where the page was frozen. */
  prune(): void {
    const limit = this._options.clock.now() - KEPT_MS;
    for (const call of this._entries.keys()) {
      if (call.endedAt !== null && call.endedAt <= limit) {
        this.remove(call);
      }
    }
  }

  /** Lets a call go, if it is here. */
  remove(call: TrackedCall): void {
    const entry = this._entries.get(call);
    if (entry) {
      entry.expiry.dispose();
      this._characters -= entry.characters;
      this._entries.delete(call);
      this._options.drop(call);
    }
  }

  /** The one that ended first comes first, of several at once the one that began first. */
  private _inOrder(): TrackedCall[] {
    return [...this._options.calls]
      .filter(call => this._entries.has(call))
      .sort((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0));
  }

  private _saveMemory(newest: TrackedCall): void {
    const most = this._options.keptCharacters ?? KEPT_CHARACTERS;
    if (this._characters <= most) {
      return;
    }
    for (const call of this._inOrder()) {
      const entry = this._entries.get(call);
      const isFree = call !== newest && call.waiters.size === 0;
      if (isFree && entry?.characters && this._characters > most) {
        this._characters -= entry.characters;
        call.forgetOutcome(forgotten(call, entry.characters));
        entry.characters = 0;
      }
    }
  }

  private readonly _entries = new Map<TrackedCall, IEntry>();
  private _characters = 0;
}

interface IEntry {
  readonly expiry: { dispose(): void };
  characters: number;
}

function forgotten({ facts, pendingId }: TrackedCall, size: number): Outcome {
  const from =
    facts.tool === 'run_cell' || facts.tool === 'run_cells'
      ? 'What the cells printed is still in the notebook: read_cell.'
      : 'Call again for less at once where that does no harm.';
  return {
    kind: 'refused',
    error: new ToolError(
      'too_large',
      `The call ${pendingId} (${facts.tool}) has ended, but its result of about ${size} characters was not fetched in time: results that wait to be fetched may take only so much of the page's memory, and newer ones needed it. ${from} Fetch large results with wait_for_result as soon as they are there.`
    )
  };
}

/** Characters of an outcome's strings, with a few for each value. */
function charactersOf(outcome: Outcome): number {
  if (outcome.kind === 'refused') {
    return 0;
  }
  const values: unknown[] = [outcome.data];
  // Tools could return what is in itself.
  const seen = new Set<object>();
  let sum = 0;
  for (let value = values.pop(); value !== undefined; value = values.pop()) {
    if (typeof value === 'string') {
      sum += value.length;
    } else if (typeof value === 'object' && value !== null) {
      if (!seen.has(value)) {
        seen.add(value);
        sum += PER_VALUE;
        for (const part of Object.values(value)) {
          values.push(part ?? null);
        }
      }
    } else {
      sum += PER_VALUE;
    }
  }
  return sum;
}
