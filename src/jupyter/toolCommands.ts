import type { CommandRegistry } from '@lumino/commands';
import type {
  ReadonlyJSONObject,
  ReadonlyPartialJSONObject
} from '@lumino/coreutils';
import { DisposableSet, type IDisposable } from '@lumino/disposable';
import type { CallSlots } from '../calls/slots';

/** What a command of the extension's own is made of. */
export interface IToolCommand {
  readonly id: string;
  /** Of the tool that runs it. */
  readonly name: string;
  readonly title: string;
}

/**
 * Registers the own command of each tool. It does nothing unless a call of
 * ours made it run (see CallSlots): anybody else's is rejected.
 * `schemaOf` gives the schema of a tool's arguments, when it is asked for.
 * @returns what takes the commands back.
 */
export function registerToolCommands(
  registry: CommandRegistry,
  tools: readonly IToolCommand[],
  slots: CallSlots,
  schemaOf: (name: string) => Promise<Readonly<Record<string, unknown>>>
): IDisposable {
  const registered = new DisposableSet();
  for (const { id, name, title } of tools) {
    registered.add(
      registry.addCommand(id, {
        label: title,
        // For agents only: menus leave it out.
        isVisible: () => false,
        describedBy: async () => ({ args: toJsonObject(await schemaOf(name)) }),
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

/** The same object: the registry's type is narrower than what it takes. */
function toJsonObject(value: Readonly<Record<string, unknown>>) {
  return value as ReadonlyPartialJSONObject as ReadonlyJSONObject;
}
