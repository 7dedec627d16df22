import { WebSocket, type RawData } from 'ws';
import { isIP } from 'node:net';
import {
  frameBytes,
  MAX_FRAME_BYTES,
  packFrame,
  PROTOCOL_VERSION,
  unpackFrame,
  type ClientToTab
} from '../../../protocol/frames';
import { olderOf, worksWith } from '../../../protocol/versions';
import type { IClock } from '../clock';
import {
  failureOfError,
  failureOfStatus,
  moreTelling,
  type IFailure
} from './failure';
import { relayAddress, type IServer } from './server';

const HANDSHAKE_MS = 5000;

/** What a tab may send, its peer's line included, with some room. */
const MAX_PAYLOAD = MAX_FRAME_BYTES + 1024 * 1024;

/** What the holder of a relay's socket is told, in order. */
export interface IRelayEvents {
  tabOpened(peer: string): void;
  tabClosed(peer: string): void;
  /** A frame of a tab, not yet narrowed. */
  frame(peer: string, body: { type: string } & Record<string, unknown>): void;
  /** Last of all, once. */
  closed(failure: IFailure): void;
}

/** A message that is larger than the relay carries; nothing was sent. */
export class FrameTooLarge extends Error {
  constructor(readonly bytes: number) {
    super(`A frame of ${bytes} bytes is above ${MAX_FRAME_BYTES}.`);
    this.name = 'FrameTooLarge';
  }
}

/** An open connection to a server's relay. */
export interface IRelaySocket {
  /** @throws FrameTooLarge. What is sent after the end goes nowhere. */
  send(peer: string, body: ClientToTab): void;
  /** Whether the server itself still answers, by the socket's own ping. */
  alive(ms: number): Promise<boolean>;
  /** Ends it in an orderly way. */
  close(): void;
  /** Ends it at once: it is known to be dead. */
  terminate(): void;
}

/** Connects to a server's relay; how it is tested without a network. */
export type Dial = (
  server: IServer,
  clock: IClock,
  opened: (socket: IRelaySocket, tabs: readonly string[]) => IRelayEvents
) => Promise<IFailure | null>;

/**
 * Dials a server's addresses in turn. `opened` is called when the relay has
 * said which tabs there are; its result gets everything that follows. Resolves
 * to null then, or to why no address worked. The token goes in a header and
 * nowhere else, and no Origin is sent.
 */
export const dialRelay: Dial = async (server, clock, opened) => {
  let failure: IFailure | null = null;
  const token = await server.token();
  for (const address of server.addresses) {
    const result = await dialAddress(server, address, token, clock, opened);
    if (result === null) {
      return null;
    }
    failure = moreTelling(failure, result);
    // Another of its addresses would say the same.
    if (result.kind === 'refused' || result.kind === 'outdated') {
      break;
    }
  }
  return (
    failure ?? {
      kind: 'unreachable',
      message: `the server at ${server.shown} has no address`
    }
  );
};

function dialAddress(
  server: IServer,
  address: string,
  token: string | null,
  clock: IClock,
  opened: Parameters<Dial>[2]
): Promise<IFailure | null> {
  return new Promise(resolve => {
    const { shown, certificateName } = server;
    let socket: WebSocket;
    try {
      socket = new WebSocket(relayAddress(address), {
        headers: token === null ? {} : { Authorization: `token ${token}` },
        perMessageDeflate: false,
        followRedirects: false,
        maxPayload: MAX_PAYLOAD,
        handshakeTimeout: HANDSHAKE_MS,
        ...(certificateName !== null && isIP(certificateName) === 0
          ? { servername: certificateName }
          : {})
      });
    } catch (error) {
      resolve(failureOfError(error, shown));
      return;
    }
    let events: IRelayEvents | null = null;
    const giveUp = (failure: IFailure) => {
      greeting.dispose();
      resolve(failure);
      socket.terminate();
    };
    const greeting = clock.after(2 * HANDSHAKE_MS, () =>
      giveUp({
        kind: 'unreachable',
        message: `the server at ${shown} does not answer`
      })
    );
    socket.on('unexpected-response', (_request, response) =>
      giveUp(failureOfStatus(response.statusCode ?? 0, shown, token !== null))
    );
    socket.on('error', error => {
      if (events === null) {
        giveUp(failureOfError(error, shown));
      }
    });
    socket.on('message', (data, isBinary) => {
      const message = isBinary ? null : unpackFrame(textOf(data));
      if (message === null) {
        return;
      }
      const { peer, body } = message;
      if (peer !== '') {
        events?.frame(peer, body);
      } else if (body.type === 'tabs' && events === null) {
        const version = Number(body.version);
        if (!worksWith(version)) {
          giveUp(outdated(version, shown));
          return;
        }
        greeting.dispose();
        const tabs = Array.isArray(body.tabs) ? body.tabs.map(String) : [];
        events = opened(wrap(socket, clock), tabs);
        resolve(null);
      } else if (body.type === 'tab-opened') {
        events?.tabOpened(String(body.peer));
      } else if (body.type === 'tab-closed') {
        events?.tabClosed(String(body.peer));
      }
    });
    socket.on('close', code => {
      greeting.dispose();
      const failure = failureOfClose(code, shown);
      if (events === null) {
        resolve(failure);
      }
      events?.closed(failure);
    });
  });
}

function wrap(socket: WebSocket, clock: IClock): IRelaySocket {
  return {
    send: (peer, body) => {
      const message = packFrame(peer, body);
      const bytes = frameBytes(message);
      if (bytes > MAX_FRAME_BYTES) {
        throw new FrameTooLarge(bytes);
      }
      if (socket.readyState === WebSocket.OPEN) {
        socket.send(message);
      }
    },
    alive: ms =>
      new Promise(resolve => {
        if (socket.readyState !== WebSocket.OPEN) {
          resolve(false);
          return;
        }
        const settle = (answer: boolean) => {
          timer.dispose();
          socket.off('pong', heard);
          resolve(answer);
        };
        const heard = () => settle(true);
        const timer = clock.after(ms, () => settle(false));
        socket.on('pong', heard);
        socket.ping();
      }),
    close: () => socket.close(1000),
    terminate: () => socket.terminate()
  };
}

function failureOfClose(code: number, shown: string): IFailure {
  return code === 1013
    ? {
        kind: 'busy',
        message: `the relay of ${shown} is busy: it has as many clients, or as much waiting for this one, as it takes`
      }
    : { kind: 'closed', message: `the connection to ${shown} ended` };
}

function outdated(version: number, shown: string): IFailure {
  const older = olderOf(
    { name: `jupyterlab_mcp_bridge of ${shown} (pip)`, version },
    {
      name: 'jupyterlab-mcp-bridge, this bridge (npm)',
      version: PROTOCOL_VERSION
    }
  );
  return {
    kind: 'outdated',
    message: `this bridge and the extension of ${shown} are of versions that do not work together: update ${older}`
  };
}

function textOf(data: RawData): string {
  return Array.isArray(data)
    ? Buffer.concat(data).toString('utf8')
    : Buffer.isBuffer(data)
      ? data.toString('utf8')
      : Buffer.from(data).toString('utf8');
}
