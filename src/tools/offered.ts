import type { IDescribedTool } from '../../protocol/listing';
import { isBlocked, isChosen, isTakenAway, meansAny } from '../calls/policy';
import type { ICommandTool, ISettings } from '../calls/settings';
import { type AnyTool, OWN_COMMANDS } from './define';
import { toolByName, TOOLS } from './index';
import { ownTool } from './own';
import { describeTool } from './schema';

/** The tools under some settings. */
export interface IOfferedTools {
  /** All that can be called or refused by name. */
  readonly all: ReadonlyMap<string, AnyTool>;
  /** Those that are listed, sorted by name. */
  readonly listed: readonly IDescribedTool[];
  /** A tool that is chosen; it may be taken away, and a call is told so. */
  find(name: string): IDescribedTool | undefined;
  /** Names of tools of the person's own that another tool has already. */
  readonly clashes: readonly string[];
  /** Names of those whose command can only be refused. */
  readonly refused: readonly string[];
  /** What is in `disabledTools` and means no tool: it was to disable something. */
  readonly unknown: readonly string[];
}

/**
 * Which tools are offered: those of the table that the settings choose, and
 * the person's own whose command is there.
 */
export function offeredTools(
  settings: ISettings,
  hasCommand: (id: string) => boolean
): IOfferedTools {
  const own = new Map<string, AnyTool>();
  const clashes: string[] = [];
  const refused: string[] = [];
  for (const setting of settings.tools) {
    const { name, command } = setting;
    if (toolByName.has(name) || RESERVED.has(name) || own.has(name)) {
      clashes.push(name);
    } else if (
      command.startsWith(OWN_COMMANDS) ||
      isBlocked(command, settings)
    ) {
      refused.push(name);
    } else if (hasCommand(command)) {
      own.set(name, madeOnce(setting));
    }
  }
  const all = new Map([...toolByName, ...own]);
  const known = [
    ...toolByName.keys(),
    ...RESERVED,
    ...settings.tools.map(({ name }) => name)
  ];
  const chosen = [...TABLE, ...[...own.values()].map(describeTool)]
    .filter(({ name }) => {
      const tool = all.get(name);
      return tool !== undefined && isChosen(tool, settings);
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    all,
    listed: chosen.filter(tool => !isTakenAway(tool, settings)),
    find: name => chosen.find(tool => tool.name === name),
    clashes,
    refused,
    unknown: settings.disabledTools.filter(
      pattern => pattern !== '' && !meansAny(pattern, known)
    )
  };
}

/** Names of tools of this extension and its bridge that are still to come. */
const RESERVED: ReadonlySet<string> = new Set([
  'complete_code',
  'copy_file',
  'delete_file',
  'edit_notebook',
  'inspect_code',
  'list_audit',
  'rename_file',
  'report_problem',
  'search_files',
  'shutdown_kernel',
  'start_kernel',
  'trial_run',
  'undo_changes',
  'use_tab'
]);

const TABLE = TOOLS.map(describeTool);

const made = new WeakMap<ICommandTool, AnyTool>();

function madeOnce(setting: ICommandTool): AnyTool {
  const known = made.get(setting) ?? ownTool(setting);
  made.set(setting, known);
  return known;
}
