import type { Kernel, KernelMessage } from '@jupyterlab/services';
import { statusOf } from './messages';

/**
 * Why a kernel will never answer a run that was sent to it.
 *
 * - `died`: its process ended by itself or was killed; `restarts` when the
 *   server starts it again.
 * - `restarted`: somebody restarted it, here or elsewhere.
 * - `shutDown`: somebody shut it down.
 * - `gone`: the server does not know it any more (culled, server restarted).
 * - `closed`: this page let go of it (another kernel was chosen, tab closed).
 * - `disconnected`: the connection was lost for good; it may still run.
 * - `missed`: it finished while the connection was lost, and what it sent
 *   then was not kept.
 */
export type KernelEnd =
  | { readonly kind: 'died'; readonly restarts: boolean }
  | {
      readonly kind:
        | 'restarted'
        | 'shutDown'
        | 'gone'
        | 'closed'
        | 'disconnected'
        | 'missed';
    };

/** The part of a kernel connection that tells of its end. */
export type WatchedKernel = Pick<
  Kernel.IKernelConnection,
  | 'statusChanged'
  | 'connectionStatusChanged'
  | 'disposed'
  | 'anyMessage'
  | 'iopubMessage'
  | 'requestKernelInfo'
>;

/**
 * Watches a kernel connection while a run is under way, and says once why the
 * run will not be answered. Goes by the connection's own signals, because the
 * status stays "unknown" in some reads after a death.
 */
export class KernelWatch {
  constructor(
    private readonly _kernel: WatchedKernel,
    private readonly _onEnd: (end: KernelEnd) => void,
    private readonly _onLost: () => void = () => undefined
  ) {
    _kernel.anyMessage.connect(this._onAnyMessage, this);
    _kernel.iopubMessage.connect(this._onHandled, this);
    _kernel.statusChanged.connect(this._onStatus, this);
    _kernel.connectionStatusChanged.connect(this._onConnection, this);
    _kernel.disposed.connect(this._onDisposed, this);
  }

  /** Whether the connection was lost at any time since this watch began. */
  get wasLost(): boolean {
    return this._wasLost;
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  /** Takes every listener back; nothing is told after it. */
  dispose(): void {
    if (this._isDisposed) {
      return;
    }
    this._isDisposed = true;
    const kernel = this._kernel;
    kernel.anyMessage.disconnect(this._onAnyMessage, this);
    kernel.iopubMessage.disconnect(this._onHandled, this);
    kernel.statusChanged.disconnect(this._onStatus, this);
    kernel.connectionStatusChanged.disconnect(this._onConnection, this);
    kernel.disposed.disconnect(this._onDisposed, this);
  }

  private _end(end: KernelEnd): void {
    if (!this._isDisposed) {
      this.dispose();
      this._onEnd(end);
    }
  }

  /**
   * Told before a message is handled: notes what the server itself says of
   * the kernel, since the status that follows is the same for a restart that
   * somebody asked for.
   */
  private _onAnyMessage(_: unknown, args: Kernel.IAnyMessageArgs): void {
    if (args.direction === 'recv') {
      const state = statusOf(args.msg);
      if (state === 'restarting' || state === 'dead') {
        this._serverSaid = state;
      }
    }
  }

  /** Told after a message was handled, so that all output before it is in. */
  private _onHandled(_: unknown, msg: KernelMessage.IIOPubMessage): void {
    if (isShutdownReply(msg)) {
      this._end({ kind: msg.content.restart ? 'restarted' : 'shutDown' });
      return;
    }
    const state = statusOf(msg);
    if (state === 'restarting' || state === 'dead') {
      return;
    }
    const session = msg.header.session;
    if (state === 'starting' && this._session && session !== this._session) {
      // A new process behind the same id, and no word of the old one's end.
      this._end({ kind: 'restarted' });
    } else if (state) {
      this._session = session;
    }
  }

  private _onStatus(_: unknown, status: Kernel.Status): void {
    switch (status) {
      case 'autorestarting':
        this._end({ kind: 'died', restarts: true });
        break;
      case 'restarting':
        // An automatic restart passes through this status as well.
        this._end(
          this._serverSaid === 'restarting'
            ? { kind: 'died', restarts: true }
            : { kind: 'restarted' }
        );
        break;
      case 'dead':
        this._end(
          this._serverSaid === 'dead'
            ? { kind: 'died', restarts: false }
            : { kind: 'gone' }
        );
        break;
      case 'terminating':
        this._end({ kind: 'shutDown' });
        break;
      default:
        break;
    }
  }

  private _onConnection(_: unknown, status: Kernel.ConnectionStatus): void {
    if (status === 'connecting') {
      if (!this._wasLost) {
        this._wasLost = true;
        this._onLost();
      }
    } else if (status === 'disconnected') {
      this._end({ kind: 'disconnected' });
    } else if (this._wasLost) {
      this._askAfterLoss();
    }
  }

  /**
   * The kernel answers in order. When it answers a question that was sent
   * after the loss, it is done with the run; if the run's own answer is not
   * here by then, it never comes.
   */
  private _askAfterLoss(): void {
    this._kernel.requestKernelInfo().then(
      () => this._end({ kind: 'missed' }),
      () => undefined // Lost again: the next connection asks again.
    );
  }

  private _onDisposed(): void {
    this._end({ kind: restarted.has(this._kernel) ? 'restarted' : 'closed' });
  }

  private _isDisposed = false;
  private _wasLost = false;
  private _serverSaid: 'restarting' | 'dead' | null = null;
  private _session: string | null = null;
}

/** Connections that were let go of because their kernel is restarted. */
const restarted = new WeakSet<object>();

/** Notes why a connection is let go of, for the runs that wait on it. */
export function noteRestart(kernel: object): void {
  restarted.add(kernel);
}

/** Whether a kernel says that it ends, or starts anew. */
export function isShutdownReply(
  msg: KernelMessage.IMessage
): msg is KernelMessage.IMessage & { content: { restart: boolean } } {
  // On iopub the kernel tells everybody; the types know it on control only.
  return String(msg.header.msg_type) === 'shutdown_reply';
}

/** The processes that said that they end for good, by their connections. */
const ended = new WeakMap<object, string>();

/**
 * Notes what a kernel says of its end, for `hasEnded`: JupyterLab takes no
 * notice of it, and a connection to nobody looks like any other.
 */
export function noteEnd(kernel: object, msg: KernelMessage.IMessage): void {
  if (isShutdownReply(msg)) {
    if (!msg.content.restart) {
      ended.set(kernel, msg.header.session);
    }
  } else if (ended.get(kernel) !== msg.header.session) {
    // There is another process behind the same id.
    ended.delete(kernel);
  }
}

/** Whether a kernel has said that it ends, and nothing came after it. */
export function hasEnded(kernel: object): boolean {
  return ended.has(kernel);
}
