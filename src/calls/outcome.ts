import type { IDialogs } from '../dialogs/types';
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
 */
export function annotate(outcome: Outcome, dialogs: IDialogs): Outcome {
  const open = dialogs.list();
  const known = outcome.kind === 'pending' && outcome.data.dialog ? 1 : 0;
  const told =
    open.length > known ? withField(outcome, 'dialogs', open) : outcome;
  return told.kind === 'done' && told.data.success === false
    ? withField(told, 'isError', true)
    : told;
}
