/**
 * The closed set of error codes of the MCP surface (contract: Errors on the
 * MCP surface), each with whether trying again unchanged can succeed.
 */
export const RETRYABLE = {
  /** No such document, cell, kernel, pending call, result, dialog or tab; or it is another client's. */
  not_found: false,
  /** The server or the contents API says no, or the scope does not cover the tool. */
  permission_denied: false,
  /** An admin tool, called by a sign-in that can never have the admin scope. */
  admin_required: false,
  /** An argument is not valid, is not known to the tool, or a demanded revision is missing. */
  validation_failed: false,
  /** The edit names what Jupyter or another tool manages. */
  field_read_only: false,
  /** No such cell type, file type or factory; or a binary file read as text. */
  unsupported_type: false,
  /** Content written to what is no text and no notebook. */
  read_only_type: false,
  /** It changed since it was read, or the key of the tab is gone: read again. */
  stale_revision: false,
  /** Not a token that was issued for this object. */
  tampered_revision: false,
  /** Locked by its owner: cell metadata, or a locked path. */
  locked_package: false,
  /** Outputs or contents of a path whose sharing is off. */
  content_switch_off: false,
  /** The person said no. */
  confirmation_declined: false,
  /** The question was closed, or nobody answered it. */
  confirmation_cancelled: false,
  /** It needs a person's word, and the client cannot ask. */
  elicitation_unsupported: false,
  /** It changed while the question was open. */
  target_changed: false,
  /** The same request, or the same cell, is still at work. */
  operation_in_progress: true,
  /** A file, notebook, picture or frame above its cap. */
  too_large: false,
  /** A search took too long. */
  search_timeout: true,
  /** A trial run of this client is still going. */
  test_session_active: false,
  /** JupyterLab's, the server's or the kernel's own reason, passed on. */
  operation_refused: false,
  /** The audit entry could not be written, so the call did not run. */
  audit_unavailable: true,
  /** Reports of problems are off. */
  reports_off: false,
  /** This sign-in sent five reports within the last hour; the message says when the next can go. */
  too_many_reports: true,
  /** The report could not be handed over. */
  report_not_sent: true,
  /** Anything else, and an outcome that is unknown because the tab or the connection went. */
  internal_error: false
} as const satisfies Record<string, boolean>;

export type ErrorCode = keyof typeof RETRYABLE;

/** The structured content of an error result. */
export interface IErrorObject {
  code: ErrorCode;
  message: string;
  auditId: number | null;
  retryable: boolean;
}

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(RETRYABLE, value);
}
