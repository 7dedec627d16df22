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
