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

/** A call, as far as its failure names it. */
export interface INamedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** There when it has answered as pending before. */
  readonly pendingId?: string;
}

/**
 * A call whose tab went before it answered. It is never repeated from here.
 *
 * @param pending - the call that was waited for, where it was not this one.
 */
export function unknownOutcome(
  call: INamedCall,
  what: string,
  pending: INamedCall | null
): Refusal {
  const { tool } = call;
  const rest = pending
    ? `the outcome of the call ${pending.pendingId} (${pending.tool}) is unknown as yet: it may go on in the tab. Call wait_for_result again once that is back. ${whereToLook(pending)}`
    : `its outcome is unknown: it may have run, in part or not at all, and it has not been sent again. ${tool.startsWith('run_') ? `${whereToLook(call)} ` : ''}Look at the present state (get_context, read_notebook) before repeating it.`;
  return new Refusal(
    'internal_error',
    `${what} while ${tool} was at work, so ${rest}`
  );
}

/**
 * A pending call whose page was reloaded or closed, so that nobody knows of
 * it any more.
 */
export function lostCall(call: INamedCall): Refusal {
  return new Refusal(
    'internal_error',
    `The JupyterLab page that had the call ${call.pendingId} (${call.tool}) was reloaded or closed, so its outcome is unknown: it may have ended, or still run. It has not been sent again. ${whereToLook(call)} Look before repeating it.`
  );
}

/** Where what a call printed and returned may be found. */
function whereToLook({ args: { notebookPath, cellId } }: INamedCall): string {
  return typeof notebookPath !== 'string'
    ? 'What it returned may be lost; get_context says whether its kernel is still busy.'
    : typeof cellId === 'string'
      ? `Outputs of the cell ${shown(cellId)} of ${shown(notebookPath)} may be missing: read_cell says so (outputsMayBeMissing), and its state.`
      : `Outputs in ${shown(notebookPath)} may be missing: read_cell says of a cell whether they are (outputsMayBeMissing), and its state.`;
}

/** A name as messages repeat it. */
function shown(name: string): string {
  return JSON.stringify(Array.from(name).slice(0, 80).join(''));
}
