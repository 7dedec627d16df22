import { RETRYABLE, type ErrorCode } from '../../protocol/codes';

/**
 * A failure that the agent can act on: a code of the closed set and a
 * sentence that says what to do next. Its message is shown to the agent, so
 * it must never be made from an exception's message.
 */
export class ToolError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    /** Fields of the tool's own result that go along on the WebMCP surface. */
    readonly extra: Readonly<Record<string, unknown>> = {}
  ) {
    super(message);
    this.name = 'ToolError';
  }

  get retryable(): boolean {
    return RETRYABLE[this.code];
  }
}

/** What the agent reads in place of an exception. */
export const INTERNAL_MESSAGE =
  'Something unexpected happened in the JupyterLab tab; its browser console holds the details. Read the state again before going on.';

/**
 * The one border where unknown exceptions become coded errors. The exception
 * goes to `log`, never into the message: it could quote a person's text.
 */
export function toToolError(
  reason: unknown,
  log: (reason: unknown) => void = reason => console.error(reason)
): ToolError {
  if (reason instanceof ToolError) {
    return reason;
  }
  log(reason);
  return new ToolError('internal_error', INTERNAL_MESSAGE);
}
