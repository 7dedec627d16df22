/** The person's settings, as schema/plugin.json describes them (contract: Policy). */
export interface ISettings {
  /** Seconds that a call is waited for; at most 45. */
  readonly executionTimeout: number;
  /** Characters of JSON of a result on the WebMCP surface; at least 1,000. */
  readonly maxResultLength: number;
  /** Bytes of JSON of a result on the MCP surface; at least 4,000. */
  readonly readCap: number;
  /** Bytes of a picture. */
  readonly imageCap: number;
  readonly toolsets: readonly string[];
  /** Names; a `*` in them stands for anything. */
  readonly disabledTools: readonly string[];
  /** Command ids; a `*` in them stands for anything. */
  readonly blockedCommands: readonly string[];
  /** Tools of the person's own, each backed by a command. */
  readonly tools: readonly ICommandTool[];
  readonly readOnly: boolean;
  readonly bridge: boolean;
  readonly webmcp: 'off' | 'read' | 'all';
  readonly postMessageOrigins: readonly {
    readonly origin: string;
    readonly scope: 'read' | 'write' | 'run';
  }[];
}

/** A tool that the person defines in the settings. */
export interface ICommandTool {
  readonly name: string;
  readonly description: string;
  readonly command: string;
  readonly args?: Readonly<Record<string, unknown>>;
}

export const DEFAULT_SETTINGS: ISettings = {
  executionTimeout: 20,
  maxResultLength: 40000,
  readCap: 40000,
  imageCap: 1024 * 1024,
  toolsets: [],
  disabledTools: [],
  blockedCommands: ['apputils:run-all-enabled', 'apputils:run-first-enabled'],
  tools: [],
  readOnly: false,
  bridge: true,
  webmcp: 'all',
  postMessageOrigins: []
};
