import type { KernelMessage } from '@jupyterlab/services';

/** The id of the request that a message belongs to, if it belongs to one. */
export function requestIdOf({
  parent_header: parent
}: KernelMessage.IMessage): string | undefined {
  return 'msg_id' in parent ? parent.msg_id : undefined;
}

/** The state of the kernel that a message publishes; of others null. */
export function statusOf(msg: KernelMessage.IMessage): string | null {
  if (msg.channel !== 'iopub' || msg.header.msg_type !== 'status') {
    return null;
  }
  const state: unknown = Reflect.get(msg.content, 'execution_state');
  return typeof state === 'string' ? state : null;
}
