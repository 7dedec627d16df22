import {
  RETRYABLE,
  type ErrorCode,
  type IErrorObject
} from '../../protocol/codes';

/**
 * A call that the bridge itself answers with an error (contract: Errors on
 * the MCP surface). The message goes to the agent and says what to do next.
 */
export class Refusal extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string
  ) {
    super(message);
    this.name = 'Refusal';
  }
}

/** An error as MCP's result of `tools/call`. */
export interface IErrorResult {
  [key: string]: unknown;
  isError: true;
  structuredContent: { [key: string]: unknown } & IErrorObject;
  content: { type: 'text'; text: string }[];
}

/** Presents a refusal; `auditId` is that of the entry written before the call. */
export function errorResult(
  refusal: Refusal,
  auditId: number | null = null
): IErrorResult {
  const { code, message } = refusal;
  return {
    isError: true,
    structuredContent: {
      code,
      message,
      auditId,
      retryable: RETRYABLE[code]
    },
    content: [
      {
        type: 'text',
        text: auditId === null ? message : `${message} (audit id ${auditId})`
      }
    ]
  };
}

/** A call whose tab went before it answered. It is never repeated from here. */
export function unknownOutcome(tool: string, what: string): Refusal {
  return new Refusal(
    'internal_error',
    `${what} while ${tool} was at work, so its outcome is unknown: it may have run, in part or not at all, and it has not been sent again. Look at the present state (get_context, read_notebook) before repeating it.`
  );
}

/**
 * A pending call whose page was reloaded or closed, so that nobody knows of
 * it any more.
 */
export function lostCall({
  pendingId,
  tool,
  args
}: {
  readonly pendingId: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}): Refusal {
  const { notebookPath, cellId } = args;
  const where =
    typeof notebookPath !== 'string'
      ? 'What it returned is lost; get_context says whether its kernel is still busy.'
      : typeof cellId === 'string'
        ? `Outputs of the cell ${shown(cellId)} of ${shown(notebookPath)} may be missing: read_cell says so (outputsMayBeMissing), and its state.`
        : `Outputs in ${shown(notebookPath)} may be missing: read_cell says of a cell whether they are (outputsMayBeMissing), and its state.`;
  return new Refusal(
    'internal_error',
    `The JupyterLab page that had the call ${pendingId} (${tool}) was reloaded or closed, so its outcome is unknown: it may have ended, or still run. It has not been sent again. ${where} Look before repeating it.`
  );
}

/** A name as messages repeat it. */
function shown(name: string): string {
  return JSON.stringify(Array.from(name).slice(0, 80).join(''));
}
