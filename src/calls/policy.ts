import { covers, type Scope } from '../../protocol/scopes';
import type { IToolFacts } from '../tools/define';
import { ToolError } from './errors';
import type { ISettings } from './settings';
import type { ICaller } from './types';
import { quote } from './words';

/** Whether the person's settings choose the tool; one that is not chosen is not known. */
export function isChosen(
  tool: Pick<IToolFacts, 'name' | 'toolset'>,
  settings: Pick<ISettings, 'toolsets' | 'disabledTools'>
): boolean {
  return (
    (tool.toolset === undefined || settings.toolsets.includes(tool.toolset)) &&
    !isDisabled(tool.name, settings)
  );
}

/** Whether a pattern of the settings means one of the names. */
export function meansAny(pattern: string, names: Iterable<string>): boolean {
  return [...names].some(name => matches(pattern, name));
}

/** Whether the person disabled the tool of that name. */
export function isDisabled(
  tool: string,
  settings: Pick<ISettings, 'disabledTools'>
): boolean {
  return settings.disabledTools.some(pattern => matches(pattern, tool));
}

/** Whether the tool is taken away because nothing may be changed or run. */
export function isTakenAway(
  tool: Pick<IToolFacts, 'scope'>,
  settings: Pick<ISettings, 'readOnly'>
): boolean {
  return settings.readOnly && (tool.scope === 'write' || tool.scope === 'run');
}

/**
 * Scope and policy, before anything runs. The scope of a tool that is about
 * another call is that call's, which is checked where the call is found.
 * @throws ToolError permission_denied, admin_required, operation_refused
 */
export function assertAllowed(
  tool: Pick<IToolFacts, 'name' | 'scope'>,
  settings: Pick<ISettings, 'readOnly'>,
  caller: Pick<ICaller, 'scope' | 'surface' | 'isHostPage'>
): void {
  if (tool.scope !== 'call' && !covers(caller.scope, tool.scope)) {
    throw needsScope(tool.name, tool.scope, caller);
  }
  if (isTakenAway(tool, settings)) {
    throw new ToolError(
      'operation_refused',
      `${tool.name} is off: the person set this JupyterLab to read only for agents (setting readOnly). Reading goes on to work.`
    );
  }
}

/** Whether the person blocked the command. */
export function isBlocked(
  id: string,
  settings: Pick<ISettings, 'blockedCommands'>
): boolean {
  return settings.blockedCommands.some(pattern => matches(pattern, id));
}

/** @throws ToolError operation_refused for a command that the person blocked. */
export function assertNotBlocked(
  id: string,
  settings: Pick<ISettings, 'blockedCommands'>
): void {
  if (isBlocked(id, settings)) {
    throw new ToolError(
      'operation_refused',
      `The command ${quote(id)} is blocked by the settings of this JupyterLab (blockedCommands).`
    );
  }
}

/** Whether a name is meant by a pattern, in which each `*` stands for anything. */
function matches(pattern: string, name: string): boolean {
  const [first, ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) {
    return name === pattern;
  }
  let at = first.length;
  for (const part of others) {
    const found = name.indexOf(part, at);
    if (found < 0) {
      return false;
    }
    at = found + part.length;
  }
  return (
    name.startsWith(first) &&
    name.endsWith(last) &&
    at + last.length <= name.length
  );
}

/** The refusal of a tool that the client's scope does not cover. */
export function needsScope(
  tool: string,
  needed: Scope,
  caller: Pick<ICaller, 'scope' | 'surface' | 'isHostPage'>
): ToolError {
  const granted = `and this client was granted "${caller.scope}".`;
  return needed === 'admin'
    ? new ToolError(
        'admin_required',
        `${tool} needs the admin scope, ${granted}`
      )
    : new ToolError(
        'permission_denied',
        `${tool} needs the scope "${needed}", ${granted} The person can widen it${howToWiden(needed, caller)}.`
      );
}

/** Where the scope of a client is set depends on the way it came. */
function howToWiden(
  needed: Scope,
  { surface, isHostPage }: Pick<ICaller, 'surface' | 'isHostPage'>
): string {
  const setting =
    surface === 'webmcp' ? 'webmcp' : isHostPage ? 'postMessageOrigins' : null;
  return setting === null
    ? `: on stdio with --scope ${needed}, else by signing in again`
    : ` in the settings of this JupyterLab (${setting})`;
}
