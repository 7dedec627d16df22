import { MAX_FRAME_BYTES, PROTOCOL_VERSION } from '../../../protocol/frames';
import {
  Relay,
  type IPeers,
  type ISocket
} from '../../../src/transports/relay';
import type { RelayState } from '../../../src/transports/relayState';
import { FakeClock, settle } from './fakeClock';

class FakeSocket implements ISocket {
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: never) => void) | null = null;
  onclose: ((event: never) => void) | null = null;
  readonly sent: string[] = [];
  closed = false;

  send(data: string): void {
    this.sent.push(data);
  }

  close(): void {
    this.closed = true;
  }

  open(version = PROTOCOL_VERSION): void {
    this.onopen?.({} as never);
    this.say(`\n{"type":"ready","version":${version}}`);
  }

  say(data: string): void {
    this.onmessage?.({ data } as never);
  }

  lose(): void {
    this.onclose?.({} as never);
  }
}

function setUp(
  found: 'absent' | 'refused' | 'unreachable' | 'there' = 'there'
) {
  const clock = new FakeClock();
  const sockets: FakeSocket[] = [];
  const states: RelayState[] = [];
  const peers = {
    receive: jest.fn(),
    gone: jest.fn(),
    allGone: jest.fn(),
    size: 0
  } satisfies IPeers;
  const onRevived = jest.fn();
  const probe = jest.fn(async () => found);
  const relay = new Relay({
    clock,
    peers,
    probe,
    random: () => 1,
    onState: state => states.push(state),
    onRevived,
    dial: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    }
  });
  return { clock, sockets, states, peers, probe, relay, onRevived };
}

describe('Relay', () => {
  it('says nothing of itself, neither at the start nor later', async () => {
    const { clock, sockets, relay, states } = setUp();
    relay.start();
    sockets[0].open();
    await clock.advance(3600_000);
    expect(sockets[0].sent).toEqual([]);
    expect(clock.waiting).toBe(0);
    expect(states).toEqual(['connecting', 'connected']);
  });

  it('asks the relay whether the way still carries anything, while a client is there', async () => {
    const { clock, sockets, relay, peers, states, onRevived } = setUp();
    relay.start();
    sockets[0].open();
    peers.size = 1;
    sockets[0].say('aa\n{"type":"ping","n":1}');
    await clock.advance(30_000);
    expect(sockets[0].sent).toEqual(['pulse\n{}']);
    sockets[0].say('\n{"type":"client-closed","peer":"pulse"}');
    await clock.advance(29_000);
    expect(sockets[0].closed).toBe(false);
    // From now on nothing is answered.
    await clock.advance(11_000);
    expect(sockets[0].closed).toBe(true);
    expect(peers.allGone).toHaveBeenCalledTimes(1);
    expect(states.at(-1)).toBe('offline');
    expect(onRevived).not.toHaveBeenCalled();
    await clock.advance(1000);
    sockets[1].open();
    expect(states.at(-1)).toBe('connected');
    expect(onRevived).toHaveBeenCalledTimes(1);
    // The earlier one ends at last: nobody minds.
    sockets[0].lose();
    expect(states.at(-1)).toBe('connected');
    expect(sockets).toHaveLength(2);
  });

  it('asks at once when the network is back or the page is shown', async () => {
    const { clock, sockets, relay } = setUp();
    relay.start();
    relay.nudge();
    sockets[0].open();
    expect(sockets[0].sent).toEqual([]);
    relay.nudge();
    expect(sockets[0].sent).toEqual(['pulse\n{}']);
    await clock.advance(10_000);
    expect(sockets[0].closed).toBe(true);
  });

  it('dials again where no relay greets, and takes that for no dead way', async () => {
    const { clock, sockets, relay, onRevived } = setUp();
    relay.start();
    sockets[0].onopen?.({} as never);
    await clock.advance(20_000);
    expect(sockets[0].closed).toBe(true);
    await clock.advance(1000);
    expect(sockets).toHaveLength(2);
    sockets[1].open();
    expect(onRevived).not.toHaveBeenCalled();
    await clock.advance(60_000);
    expect(sockets[1].closed).toBe(false);
  });

  it('hands frames of peers on, and tells who is gone', () => {
    const { sockets, relay, peers } = setUp();
    relay.start();
    sockets[0].open();
    sockets[0].say('p1\n{"type":"ping","n":1}');
    sockets[0].say('no frame');
    sockets[0].say('p1\n[1]');
    sockets[0].say('\n{"type":"client-closed","peer":"p1"}');
    expect(peers.receive.mock.calls).toEqual([['p1', { type: 'ping', n: 1 }]]);
    expect(peers.gone.mock.calls).toEqual([['p1']]);
  });

  it('comes back with growing waits, and at once after a nudge', async () => {
    const { clock, sockets, relay, states, peers } = setUp('unreachable');
    relay.start();
    sockets[0].open();
    sockets[0].lose();
    expect(peers.allGone).toHaveBeenCalled();
    const waits: number[] = [];
    for (let i = 0; i < 9; i++) {
      const before = clock.now();
      const count = sockets.length;
      while (sockets.length === count) {
        await clock.advance(100);
      }
      waits.push(clock.now() - before);
      sockets[sockets.length - 1].lose();
      await settle();
    }
    expect(waits[0]).toBeLessThanOrEqual(600);
    expect(waits[1]).toBeGreaterThan(waits[0]);
    expect(Math.max(...waits)).toBeLessThanOrEqual(30100);
    const count = sockets.length;
    relay.nudge();
    expect(sockets.length).toBe(count + 1);
    sockets[count].open();
    expect(states[states.length - 1]).toBe('connected');
    expect(clock.waiting).toBe(0);
  });

  it('stops where there is no relay', async () => {
    const { clock, sockets, relay, states } = setUp('absent');
    relay.start();
    sockets[0].lose();
    await clock.advance(3600_000);
    expect(states).toEqual(['connecting', 'absent']);
    expect(sockets.length).toBe(1);
  });

  it('goes on when a server that had a relay answers without one', async () => {
    const { clock, sockets, relay, states } = setUp('absent');
    relay.start();
    sockets[0].open();
    sockets[0].lose();
    await clock.advance(1000);
    sockets[1].lose();
    await clock.advance(60_000);
    expect(sockets.length).toBeGreaterThan(2);
    expect(states).not.toContain('absent');
  });

  it('tells when the server lets nobody in, and tries again', async () => {
    const { clock, sockets, relay, states } = setUp('refused');
    relay.start();
    sockets[0].lose();
    await clock.advance(1000);
    expect(states).toContain('refused');
    expect(sockets.length).toBe(2);
  });

  it('works with neighbouring versions only, and says which side is old', () => {
    for (const [version, state] of [
      [PROTOCOL_VERSION + 1, 'connected'],
      [PROTOCOL_VERSION + 2, 'page-outdated'],
      [PROTOCOL_VERSION - 2, 'server-outdated']
    ] as const) {
      const { sockets, relay, states } = setUp();
      relay.start();
      sockets[0].open(version);
      expect(states[states.length - 1]).toBe(state);
      expect(relay.send('p1', { type: 'pong', n: 1 })).toBe(
        state === 'connected' ? 'sent' : 'lost'
      );
    }
  });

  it('sends no frame above the limit, counted in bytes', () => {
    const { sockets, relay } = setUp();
    relay.start();
    sockets[0].open();
    const frame = (text: string) =>
      relay.send('p1', { type: 'mcp', message: { text } });
    const empty = 'p1\n{"type":"mcp","message":{"text":""}}'.length;
    const room = MAX_FRAME_BYTES - empty;
    expect(frame('x'.repeat(room))).toBe('sent');
    expect(frame('x'.repeat(room + 1))).toBe('too_large');
    expect(frame('€'.repeat(Math.floor(room / 3)))).toBe('sent');
    expect(frame('€'.repeat(Math.floor(room / 3) + 1))).toBe('too_large');
    expect(sockets[0].sent.length).toBe(2);
  });

  it('hangs up for good when disposed', async () => {
    const { clock, sockets, relay, states } = setUp();
    relay.start();
    sockets[0].open();
    relay.dispose();
    sockets[0].lose();
    relay.nudge();
    await clock.advance(60_000);
    expect(sockets[0].closed).toBe(true);
    expect(sockets.length).toBe(1);
    expect(states[states.length - 1]).toBe('off');
    expect(relay.send('p1', { type: 'pong', n: 1 })).toBe('lost');
  });

  it('is not disturbed by what a lost socket still says', () => {
    const { sockets, relay, peers } = setUp();
    relay.start();
    sockets[0].open();
    sockets[0].lose();
    sockets[0].say('p1\n{"type":"ping","n":1}');
    expect(peers.receive).not.toHaveBeenCalled();
  });
});
