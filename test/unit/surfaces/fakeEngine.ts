import type { IDescribedTool } from '../../../protocol/listing';
import { DEFAULT_SETTINGS, type ISettings } from '../../../src/calls/settings';
import type {
  ICaller,
  IClient,
  IOrigin,
  Outcome
} from '../../../src/calls/types';
import { Kept } from '../../../src/results/kept';
import { redactor } from '../../../src/results/redact';
import { Changes } from '../../../src/surfaces/changes';
import type { IEngine } from '../../../src/surfaces/types';
import { FakeClock } from '../transports/fakeClock';

/** A tool with some name and nothing special. */
export function tool(
  name: string,
  more: Partial<IDescribedTool> = {}
): IDescribedTool {
  return {
    name,
    title: name,
    description: `Does ${name}.`,
    kind: 'read',
    scope: 'read',
    untrusted: true,
    inputSchema: {
      type: 'object',
      properties: {},
      additionalProperties: false
    },
    ...more
  };
}

/** What surfaces call; a test says what a call answers. */
export class FakeEngine implements IEngine {
  settings: ISettings = DEFAULT_SETTINGS;
  list: IDescribedTool[] = [tool('look')];
  /** Tools that are known and not listed. */
  takenAway: IDescribedTool[] = [];
  ranges = new Map<string, string>();
  answer: (name: string, args: unknown, caller: ICaller) => Promise<Outcome> =
    async () => ({
      kind: 'done',
      data: { success: true }
    });
  readonly calls: { name: string; args: unknown; caller: ICaller }[] = [];
  readonly clock = new FakeClock();
  readonly kept = new Kept<IOrigin>({
    now: () => this.clock.now(),
    random: () => 0.5,
    redact: text => this.redact(text)
  });
  redact = redactor(['tokentoken']);
  readonly toolsChanged = new Changes();
  readonly stateChanged = new Changes();
  revived(): void {
    // Nothing of it is connected.
  }

  tools(): readonly IDescribedTool[] {
    return this.list;
  }

  find(name: string): IDescribedTool | undefined {
    return [...this.list, ...this.takenAway].find(each => each.name === name);
  }

  rangeOf(name: string): string | undefined {
    return this.ranges.get(name);
  }

  call(name: string, args: unknown, caller: ICaller): Promise<Outcome> {
    this.calls.push({ name, args, caller });
    return this.answer(name, args, caller);
  }

  describe() {
    return { notebooks: [], kernels: [], dialogs: [], pending: [] };
  }
}

export const CLIENT: IClient = { id: 'c'.repeat(32), name: 'Probe', number: 1 };
