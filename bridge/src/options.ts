import { parseArgs } from 'node:util';
import { isScope, SCOPES, type Scope } from '../../protocol/scopes';
import { errorCode } from './errorCode';
import { GivenError, parseServer } from './servers/given';

/** What the command line asks for. */
export interface IOptions {
  readonly command: 'stdio' | 'status' | 'help' | 'version';
  readonly scope: Scope;
  readonly json: boolean;
  /** The server that was named; null: servers are found. */
  readonly server: URL | null;
  readonly tokenFile: string | null;
}

/** A command line that is not understood: a sentence for the person. */
export class UsageError extends Error {}

export const HELP = `jupyterlab-mcp-bridge [command] [options]

Connects an MCP client to the JupyterLab tabs that are open. MCP clients start it
by themselves; it then speaks MCP on stdin and stdout.

Commands
  (none)             serve one MCP client on stdio
  status             tell which Jupyter servers and tabs are found, and why others are not

Options
  --scope SCOPE      what the client may do: read, write (and read) or
                     run (and both; the default)
  --server URL       use this Jupyter server instead of looking for running ones;
                     its token comes from JUPYTER_TOKEN or --token-file
  --token-file PATH  a file with the token of --server, which only you can read
  --json             status: print JSON
  --version          print the version
  --help             print this
`;

/** Reads the command line. @throws UsageError with one sentence; values are not quoted. */
export function readOptions(args: readonly string[]): IOptions {
  const { values, positionals } = parse(args);
  const [command = 'stdio', ...rest] = positionals;
  if (rest.length > 0 || (command !== 'stdio' && command !== 'status')) {
    throw new UsageError(
      `There is no such command. Commands: status; without a command it serves MCP on stdio. See --help.`
    );
  }
  if (values.json && command !== 'status') {
    throw new UsageError('--json belongs to the command status.');
  }
  const scope = values.scope ?? 'run';
  if (!isScope(scope)) {
    throw new UsageError(`--scope must be one of ${SCOPES.join(', ')}.`);
  }
  const tokenFile = values['token-file'] ?? null;
  if (tokenFile !== null && values.server === undefined) {
    throw new UsageError(
      '--token-file goes with --server: servers that are found bring their own token.'
    );
  }
  return {
    command: values.help ? 'help' : values.version ? 'version' : command,
    scope,
    json: values.json ?? false,
    server: values.server === undefined ? null : server(values.server),
    tokenFile
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        scope: { type: 'string' },
        server: { type: 'string' },
        'token-file': { type: 'string' },
        json: { type: 'boolean' },
        version: { type: 'boolean' },
        help: { type: 'boolean' }
      }
    });
  } catch (error) {
    throw new UsageError(explain(error));
  }
}

/** Names the option but no value: a value could be a secret. */
function explain(error: unknown): string {
  const option = /'(?:-\w, )?(--?[\w-]+)/.exec(String(error))?.[1];
  if (errorCode(error) === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    return `There is no option ${option ?? 'like that'}. See --help.`;
  }
  return `${option ?? 'An option'} is not used like that. See --help.`;
}

function server(text: string): URL {
  try {
    return parseServer(text);
  } catch (error) {
    throw error instanceof GivenError ? new UsageError(error.message) : error;
  }
}
