import type { ICommands } from '../jupyter/types';
import {
  OWN_COMMANDS,
  toolOfCommand,
  type ICommandCall
} from '../tools/define';
import { ToolError } from './errors';
import { assertNotBlocked, isDisabled } from './policy';
import type { ISettings } from './settings';
import type { Data } from './types';
import { quote } from './words';

/** Arguments that choose a widget in place of the current one. */
const WIDGET_ARGUMENTS = ['widgetId', 'semanticWidget'];
/** The commands that take them; others act on the current widget. */
const WIDGET_COMMANDS = ['notebook:', 'console:'];

/** What the agent reads when a command was not enabled (contract: Results). */
export const NOT_ENABLED =
  'The command was not enabled when it ran, for example because no notebook was active: it may have done nothing, or acted on the notebook or console that was active last.';

/**
 * Checks a command of JupyterLab's before it runs.
 * @returns the warning to give with a success, if there is one.
 * @throws ToolError operation_refused, validation_failed
 */
export function checkCommand(
  { id, args }: ICommandCall,
  commands: Pick<ICommands, 'has' | 'isEnabled'>,
  settings: Pick<ISettings, 'blockedCommands' | 'disabledTools'>
): string | undefined {
  const tool = id.startsWith(OWN_COMMANDS) ? toolOfCommand(id) : null;
  const isThere =
    commands.has(id) && (tool === null || !isDisabled(tool, settings));
  if (tool !== null && isThere) {
    throw new ToolError(
      'operation_refused',
      `${quote(id)} runs only as the tool ${quote(tool)}: call that tool.`
    );
  }
  assertNotBlocked(id, settings);
  if (!isThere) {
    throw new ToolError(
      'operation_refused',
      `JupyterLab has no command ${quote(id)}. list_all_commands with a query finds the ids there are.`
    );
  }
  const chosen = WIDGET_ARGUMENTS.filter(name => Object.hasOwn(args, name));
  if (chosen.length === 0) {
    return isEnabled(id, args, commands) ? undefined : NOT_ENABLED;
  }
  if (!WIDGET_COMMANDS.some(prefix => id.startsWith(prefix))) {
    throw new ToolError(
      'validation_failed',
      `${chosen.map(quote).join(' and ')} in "args": only notebook:* and console:* commands take ${chosen.length > 1 ? 'these' : 'this'}. ${quote(id)} acts on the current widget.`
    );
  }
  return undefined;
}

function isEnabled(
  id: string,
  args: Data,
  commands: Pick<ICommands, 'isEnabled'>
): boolean {
  try {
    return commands.isEnabled(id, args);
  } catch {
    // A command that cannot tell is as good as one that says no.
    return false;
  }
}
