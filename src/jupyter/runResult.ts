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

/** A result of a run that the kernel answered, but whose end was never published. */
export function fromUnheard(reply: IReply, outputs: unknown[]): IRunResult {
  const result = fromReply(reply, outputs);
  return {
    ...result,
    outputsMayBeMissing: true,
    message:
      'The kernel has ended this, but what it printed last was lost on the way, as happens when code prints faster than the Jupyter server reads.',
    ...(result.status === 'aborted'
      ? {}
      : { end: result.status === 'ok' ? 'done' : 'error' })
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
  died: ['KernelDied', 'the kernel died'],
  restarted: ['KernelRestarted', 'the kernel was restarted'],
  shutDown: ['KernelShutDown', 'the kernel was shut down'],
  gone: [
    'KernelGone',
    'the kernel was shut down or culled, or the server was restarted'
  ],
  closed: [
    'KernelConnectionClosed',
    'JupyterLab let go of the kernel (another was chosen, or the document was closed)'
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

/** Of a run that the kernel had not reported to have begun. */
const MISSED_WHOLE =
  'the connection to the kernel was lost for a while; whether the code ran is not known: it may never have reached the kernel, or its result was not kept';

/**
 * A result for a run that will never be answered. What was printed stays;
 * `hasBegun` tells code that ran from code that was only queued.
 */
export function fromEnd(
  end: KernelEnd,
  outputs: unknown[],
  hasBegun: boolean
): IRunResult {
  const [errorName, sentence] = ENDS[end.kind];
  const restarts = end.kind === 'died' ? end.restarts : undefined;
  const lost = end.kind === 'disconnected' || end.kind === 'missed';
  const parts = [
    lost
      ? end.kind === 'missed' && !hasBegun
        ? MISSED_WHOLE
        : sentence
      : `${sentence} ${hasBegun ? 'while this ran' : 'before it reported that this began'}`
  ];
  if (!lost && end.kind !== 'closed') {
    parts.push('its variables are lost');
  }
  if (end.kind === 'shutDown' || end.kind === 'gone') {
    parts.push('choose another with change_kernel');
  }
  if (restarts !== undefined) {
    parts.push(
      restarts
        ? 'the server is starting it again'
        : 'it is not started again: choose one with change_kernel'
    );
  }
  return {
    status: 'error',
    executionCount: null,
    outputs,
    errorName,
    errorValue: parts.join('; '),
    traceback: [],
    ...(restarts === undefined ? {} : { kernelRestarts: restarts }),
    ...(lost ? { outputsMayBeMissing: true } : {}),
    ...(lost || end.kind === 'closed'
      ? { end: 'unknown' }
      : hasBegun
        ? { end: 'error' }
        : {}),
    ...(end.kind === 'missed' ? {} : { kernelEnded: true }),
    ...(!hasBegun && AWAY.has(end.kind) ? { begun: false } : {})
  };
}

/** Ends after which there is no kernel, or another one. */
const AWAY = new Set<KernelEnd['kind']>(['shutDown', 'gone', 'closed']);

/** Whether a run was sent to a kernel that went and never took it up. */
export function neverBegan({
  begun,
  outputsMayBeMissing
}: IRunResult): boolean {
  return begun === false && outputsMayBeMissing !== true;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
