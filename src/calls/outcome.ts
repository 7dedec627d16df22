import type { IDialogInfo } from '../dialogs/types';
import { ToolError } from './errors';
import type { Outcome } from './types';

/** The outcome with one field more. */
export function withField(
  outcome: Outcome,
  name: string,
  value: unknown
): Outcome {
  if (outcome.kind === 'refused') {
    const { code, message, extra } = outcome.error;
    return {
      ...outcome,
      error: new ToolError(code, message, { ...extra, [name]: value })
    };
  }
  return { ...outcome, data: { ...outcome.data, [name]: value } };
}

/**
 * Adds what R says of every result: `isError`, and `dialogs` while some are
 * open. A pending result that shows its dialog has `dialogs` only when there
 * are others. A refusal has them in its `extra`.
 *
 * @param open - the dialogs that are open, as they are told.
 */
export function annotate(
  outcome: Outcome,
  open: readonly IDialogInfo[]
): Outcome {
  const data = outcome.kind === 'refused' ? {} : outcome.data;
  const known: unknown =
    outcome.kind === 'pending' ? Object(data.dialog).id : undefined;
  const told =
    open.some(({ id }) => id !== known) || 'dialogs' in data
      ? withField(outcome, 'dialogs', open)
      : outcome;
  return told.kind === 'done' && told.data.success === false
    ? withField(told, 'isError', true)
    : told;
}
