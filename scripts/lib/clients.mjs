/** The name under which a client lists our tools. */
const NAME = 'jupyter';

/** Quotes a word for a POSIX shell where it needs that. */
function word(text) {
  return /^[\w@%+=:,./-]+$/.test(text)
    ? text
    : `'${text.replaceAll("'", `'\\''`)}'`;
}

const words = list => list.map(word).join(' ');

/**
 * What connects each client: `how` is where it goes, `text` is exactly what
 * is typed or pasted there. `env` holds what the bridge must know besides.
 */
export function clientLines([command, ...args], env = {}) {
  const pairs = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const given = pairs.length > 0 ? { env } : {};
  const json = value => JSON.stringify(value, null, 2);
  return [
    {
      client: 'Claude Code',
      how: 'type in a terminal',
      text: `claude mcp add ${NAME} ${words(pairs.flatMap(pair => ['--env', pair]))}${pairs.length > 0 ? ' ' : ''}-- ${words([command, ...args])}`
    },
    {
      client: 'Codex',
      how: 'type in a terminal',
      text: `codex mcp add ${NAME} ${words(pairs.flatMap(pair => ['--env', pair]))}${pairs.length > 0 ? ' ' : ''}-- ${words([command, ...args])}`
    },
    {
      client: 'VS Code',
      how: 'put into .vscode/mcp.json',
      text: json({
        servers: { [NAME]: { type: 'stdio', command, args, ...given } }
      })
    },
    {
      client: 'Cursor',
      how: 'put into ~/.cursor/mcp.json',
      text: json({ mcpServers: { [NAME]: { command, args, ...given } } })
    }
  ];
}
