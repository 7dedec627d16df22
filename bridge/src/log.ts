/** Takes a line for the person; never a token, never an agent's text. */
export type Log = (line: string) => void;

/** Lines on stderr: stdout belongs to the protocol. */
export const logToStderr: Log = line => {
  process.stderr.write(`jupyterlab-mcp-bridge: ${line}\n`);
};
