import type { IClient } from '../calls/types';
import type { KernelEnd } from './deaths';
import type { IRunResult } from './types';

/** The part of a kernel's execute reply that a result is made from. */
export interface IReply {
  readonly status: string;
  readonly execution_count?: unknown;
  readonly ename?: unknown;
  readonly evalue?: unknown;
  readonly traceback?: unknown;
}

/** A result from the kernel's own reply. */
export function fromReply(reply: IReply, outputs: unknown[]): IRunResult {
  const executionCount =
    typeof reply.execution_count === 'number' ? reply.execution_count : null;
  if (reply.status === 'ok') {
    return { status: 'ok', executionCount, outputs };
  }
  if (reply.status === 'error') {
    return {
      status: 'error',
      executionCount,
      outputs,
      errorName: text(reply.ename) || 'Error',
      errorValue: text(reply.evalue),
      traceback: Array.isArray(reply.traceback) ? reply.traceback.map(text) : []
    };
  }
  // "aborted", or "abort" from older kernels.
  return {
    status: 'aborted',
    executionCount: null,
    outputs,
    errorName: 'Aborted',
    errorValue:
      'code that was sent to the kernel before failed, so this did not run'
  };
}

/** Says so where a run was interrupted by another than the client that started it. */
export function withInterrupt(
  result: IRunResult,
  client: IClient,
  by: IClient | undefined
): IRunResult {
  if (result.errorName !== 'KeyboardInterrupt' || by?.id === client.id) {
    return result;
  }
  return {
    ...result,
    message: by
      ? `Interrupted by another client (${by.name}, client ${by.number}).`
      : 'Interrupted, not by you: by the person at the tab, another program, or the code itself.'
  };
}

const ENDS: Record<KernelEnd['kind'], readonly [string, string]> = {
  died: [
    'KernelDied',
    'the kernel died while this ran; its variables are lost'
  ],
  restarted: [
    'KernelRestarted',
    'the kernel was restarted while this ran; its variables are lost'
  ],
  shutDown: [
    'KernelShutDown',
    'the kernel was shut down while this ran; its variables are lost'
  ],
  gone: [
    'KernelGone',
    'the server no longer knows the kernel: it was shut down or culled, or the server was restarted; its variables are lost'
  ],
  closed: [
    'KernelConnectionClosed',
    'JupyterLab let go of the kernel while this ran: another kernel was chosen, or the document was closed'
  ],
  disconnected: [
    'KernelConnectionLost',
    'the connection to the kernel was lost and did not come back; whether the code finished is not known'
  ],
  missed: [
    'KernelConnectionLost',
    'the connection to the kernel was lost for a while; the code finished meanwhile, but its result was not kept'
  ]
};

/** A result for a run that will never be answered; what was printed stays. */
export function fromEnd(end: KernelEnd, outputs: unknown[]): IRunResult {
  const [errorName, sentence] = ENDS[end.kind];
  const restarts = end.kind === 'died' ? end.restarts : undefined;
  const lost = end.kind === 'disconnected' || end.kind === 'missed';
  return {
    status: 'error',
    executionCount: null,
    outputs,
    errorName,
    errorValue:
      restarts === undefined
        ? sentence
        : `${sentence}, and ${restarts ? 'the server is restarting it' : 'it is not restarted'}`,
    traceback: [],
    ...(restarts === undefined ? {} : { kernelRestarts: restarts }),
    ...(lost ? { outputsMayBeMissing: true } : {}),
    ...(end.kind === 'missed' ? {} : { kernelEnded: true })
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
