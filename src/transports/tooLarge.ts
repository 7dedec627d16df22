import { RETRYABLE } from '../../protocol/codes';
import type { RpcMessage } from '../../protocol/frames';

const MESSAGE =
  'The result is larger than one message between JupyterLab and the bridge may be (4 MiB). Ask for a part of it, or for something smaller.';

/**
 * What is answered in place of a result that fits no frame (contract: Errors
 * on the MCP surface, `too_large`); null for what nobody waits for.
 */
export function tooLargeAnswer(message: RpcMessage): RpcMessage | null {
  const { id, result } = message;
  if (id === undefined || (!('result' in message) && !('error' in message))) {
    return null;
  }
  const auditId = auditIdOf(result);
  return {
    jsonrpc: '2.0',
    id,
    result: {
      isError: true,
      structuredContent: {
        code: 'too_large',
        message: MESSAGE,
        auditId,
        retryable: RETRYABLE.too_large
      },
      content: [
        {
          type: 'text',
          text: auditId === null ? MESSAGE : `${MESSAGE} (audit id ${auditId})`
        }
      ]
    }
  };
}

function auditIdOf(result: unknown): number | null {
  if (typeof result === 'object' && result !== null) {
    const content: unknown = Reflect.get(result, 'structuredContent');
    if (typeof content === 'object' && content !== null) {
      const id: unknown = Reflect.get(content, 'auditId');
      return typeof id === 'number' ? id : null;
    }
  }
  return null;
}
