import { ToolError } from '../calls/errors';
import { REDACTED } from '../results/redact';
import type { IToolContext } from './context';

/**
 * Refuses a text in which a mark stands where a secret of this page stood: the
 * agent was shown the mark, and would write it over the secret (contract:
 * Policy).
 * @throws ToolError validation_failed
 */
export function refuseMark(
  before: string,
  after: string,
  { redact }: Pick<IToolContext, 'redact'>
): void {
  if (redact(before) !== before && marks(after) > marks(before)) {
    throw new ToolError(
      'validation_failed',
      `The text to be replaced holds a secret of this JupyterLab, which was shown to you as ${REDACTED}, and the new text would put that mark in its place. Change the parts around it with replacements.`
    );
  }
}

function marks(text: string): number {
  return text.split(REDACTED).length;
}
