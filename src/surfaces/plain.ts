import type { IClient, Outcome } from '../calls/types';
import { bound } from '../results/index';
import type { IEngine } from './types';

/**
 * An outcome as R's object (contract: Results on the WebMCP surface), bounded
 * to the settings' length.
 */
export function presentWebMcp(
  outcome: Outcome,
  options: {
    readonly client: IClient;
    readonly engine: Pick<IEngine, 'settings' | 'kept' | 'redact'>;
  }
): Record<string, unknown> {
  const { client, engine } = options;
  const data =
    outcome.kind === 'refused'
      ? {
          success: false,
          error: outcome.error.message,
          isError: true,
          ...outcome.error.extra
        }
      : outcome.data;
  return bound(data, {
    limit: engine.settings.maxResultLength,
    keep: (whole, field, characters) =>
      engine.kept.keep(client.id, whole, field, characters, outcome.origin),
    redact: engine.redact
  });
}
