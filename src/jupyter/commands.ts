import type { CommandRegistry } from '@lumino/commands';
import { DisposableSet, type IDisposable } from '@lumino/disposable';
import type {
  ReadonlyJSONObject,
  ReadonlyPartialJSONObject
} from '@lumino/coreutils';
import type { CallSlots } from '../calls/slots';
import type { Data } from '../calls/types';
import { commandId } from '../tools/define';
import { toServerError } from './reasons';
import type { ICommands } from './types';

/** The application's command registry. */
export class Commands implements ICommands {
  constructor(private readonly _registry: CommandRegistry) {}

  has(id: string): boolean {
    return this._registry.hasCommand(id);
  }

  isEnabled(id: string, args: Data): boolean {
    return this._registry.isEnabled(id, toJsonObject(args));
  }

  ids(): string[] {
    return this._registry.listCommands().sort();
  }

  words(id: string): { label: string; caption: string } {
    return {
      label: textOf(() => this._registry.label(id)),
      caption: textOf(() => this._registry.caption(id))
    };
  }

  async schema(id: string): Promise<unknown> {
    try {
      return (await this._registry.describedBy(id)).args;
    } catch {
      // A description that fails is as good as none.
      return null;
    }
  }

  async execute(id: string, args: Data): Promise<unknown> {
    try {
      const value: unknown = await this._registry.execute(
        id,
        toJsonObject(args)
      );
      return value;
    } catch (reason) {
      throw toServerError(reason, `The command ${id} failed`);
    }
  }
}

/** What a command of the extension's own is made of. */
export interface IToolCommand {
  readonly name: string;
  readonly title: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/**
 * Registers the own command of each tool. It does nothing unless a call of
 * ours made it run (see CallSlots): anybody else's is rejected.
 * @returns what takes the commands back.
 */
export function registerToolCommands(
  registry: CommandRegistry,
  tools: readonly IToolCommand[],
  slots: CallSlots
): IDisposable {
  const registered = new DisposableSet();
  for (const { name, title, inputSchema } of tools) {
    registered.add(
      registry.addCommand(commandId(name), {
        label: title,
        // For agents only: menus leave it out.
        isVisible: () => false,
        describedBy: { args: toJsonObject(inputSchema) },
        execute: async args => {
          const run = slots.take(args);
          if (!run) {
            throw new Error(
              `This command works only as the tool "${name}" of an agent's client.`
            );
          }
          return run();
        }
      })
    );
  }
  return registered;
}

/** Some labels are functions that expect arguments. */
function textOf(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

/** The same object: the registry's type is narrower than what it takes. */
function toJsonObject(value: Readonly<Data>): ReadonlyJSONObject {
  return value as ReadonlyPartialJSONObject as ReadonlyJSONObject;
}
