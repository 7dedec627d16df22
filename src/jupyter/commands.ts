import type { CommandRegistry } from '@lumino/commands';
import type {
  ReadonlyJSONObject,
  ReadonlyPartialJSONObject
} from '@lumino/coreutils';
import type { Data } from '../calls/types';
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

/** Some labels are functions that expect arguments, and some no text at all. */
function textOf(read: () => unknown): string {
  try {
    const words = read();
    return typeof words === 'string' ? words : '';
  } catch {
    return '';
  }
}

/** The same object: the registry's type is narrower than what it takes. */
function toJsonObject(value: Readonly<Data>): ReadonlyJSONObject {
  return value as ReadonlyPartialJSONObject as ReadonlyJSONObject;
}
