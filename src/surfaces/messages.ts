import type { RpcMessage } from '../../protocol/frames';
import { isRecord } from '../../protocol/values';
import { plainJson } from '../calls/plainJson';

/** JSON-RPC: what was sent is no valid request. */
const INVALID_REQUEST = -32600;

/**
 * A message of a client's as plain JSON. The arguments of a call are left as
 * they were sent: the call looks at them itself, once it knows the tool.
 * @throws NotJson
 */
export function plainMessage(message: RpcMessage): unknown {
  const { method, params } = message;
  if (
    method !== 'tools/call' ||
    !isRecord(params) ||
    !Object.hasOwn(params, 'arguments')
  ) {
    return plainJson(message);
  }
  const { arguments: args, ...rest } = params;
  const plain = plainJson({ ...message, params: rest });
  return isRecord(plain) && isRecord(plain.params)
    ? { ...plain, params: { ...plain.params, arguments: args } }
    : plain;
}

/**
 * What is answered to a message that is no valid one; null for what nobody
 * waits for: a notification, or an answer to us.
 */
export function refusalOf(
  message: RpcMessage,
  problem?: string
): RpcMessage | null {
  const isAnswer =
    !('method' in message) && ('result' in message || 'error' in message);
  if (!('id' in message) || isAnswer) {
    return null;
  }
  const { id } = message;
  return {
    jsonrpc: '2.0',
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    error: {
      code: INVALID_REQUEST,
      message:
        problem === undefined
          ? 'Invalid Request'
          : `Invalid Request: its parts ${problem}. Send plain JSON.`
    }
  };
}
