import { claimTabId, type ITabEnvironment } from '../../../src/jupyter/tab';
import { FakeClock } from '../transports/fakeClock';

/** Session storage: a duplicated tab starts with a copy. */
class FakeStorage {
  constructor(readonly items = new Map<string, string>()) {}

  getItem(key: string): string | null {
    return this.items.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    this.items.set(key, value);
  }

  copy(): FakeStorage {
    return new FakeStorage(new Map(this.items));
  }
}

/** Web Locks of one browser: exclusive, in order, never let go but by leave. */
class FakeLocks {
  readonly held = new Set<string>();
  readonly waiting: { name: string; grant: () => void }[] = [];

  forTab(): Pick<LockManager, 'request'> {
    const request = (
      name: string,
      options: { signal: AbortSignal },
      callback: () => Promise<unknown>
    ): Promise<unknown> =>
      new Promise((_resolve, reject) => {
        const grant = () => {
          this.held.add(name);
          void callback();
        };
        if (!this.held.has(name)) {
          grant();
          return;
        }
        const entry = { name, grant };
        this.waiting.push(entry);
        options.signal.addEventListener('abort', () => {
          this.waiting.splice(this.waiting.indexOf(entry), 1);
          reject(new Error('aborted'));
        });
      });
    return { request } as unknown as Pick<LockManager, 'request'>;
  }

  leave(name: string): void {
    this.held.delete(name);
    this.waiting.find(each => each.name === name)?.grant();
  }
}

/** BroadcastChannels of one origin: heard by all but the sender. */
class FakeAir {
  readonly channels = new Set<{
    onmessage: ((event: { data: unknown }) => void) | null;
  }>();

  open(): BroadcastChannel {
    const { channels } = this;
    const channel = {
      onmessage: null as ((event: { data: unknown }) => void) | null,
      postMessage: (data: unknown) => {
        for (const other of [...channels]) {
          if (other !== channel) {
            void Promise.resolve().then(() => other.onmessage?.({ data }));
          }
        }
      },
      close: () => void channels.delete(channel)
    };
    channels.add(channel);
    return channel as unknown as BroadcastChannel;
  }
}

let next = 0;
const newId = () => (++next).toString(16).padStart(8, '0');

describe.each(['locks', 'broadcast'] as const)('claimTabId with %s', how => {
  function setUp() {
    const clock = new FakeClock();
    const locks = new FakeLocks();
    const air = new FakeAir();
    const claim = async (storage: FakeStorage | null): Promise<string> => {
      const environment: ITabEnvironment = {
        storage,
        newId,
        locks: how === 'locks' ? locks.forTab() : null,
        channel: () => air.open()
      };
      const id = claimTabId(clock, environment);
      await clock.advance(1000);
      return id;
    };
    const leave = (id: string) => {
      locks.leave(`jupyterlab-mcp-bridge:tab:${id}`);
      air.channels.clear();
    };
    return { clock, locks, air, claim, leave };
  }

  it('survives a reload', async () => {
    const { claim, leave } = setUp();
    const storage = new FakeStorage();
    const id = await claim(storage);
    leave(id);
    expect(await claim(storage)).toBe(id);
  });

  it('gives a duplicated tab its own, which survives too', async () => {
    const { claim, leave } = setUp();
    const storage = new FakeStorage();
    const id = await claim(storage);
    const copy = storage.copy();
    const twin = await claim(copy);
    expect(twin).not.toBe(id);
    leave(twin);
    expect(await claim(copy)).toBe(twin);
  });

  it('tells tabs that never had one apart', async () => {
    const { claim } = setUp();
    expect(await claim(new FakeStorage())).not.toBe(
      await claim(new FakeStorage())
    );
  });

  it('works without storage, and takes no id that is none', async () => {
    const { claim } = setUp();
    expect(await claim(null)).toMatch(/^[0-9a-f]{8}$/);
    const storage = new FakeStorage();
    storage.setItem('jupyterlab-mcp-bridge:tab', '<b>');
    expect(await claim(storage)).toMatch(/^[0-9a-f]{8}$/);
  });
});

describe('claimTabId', () => {
  it('waits a moment for the page that is being reloaded', async () => {
    const clock = new FakeClock();
    const locks = new FakeLocks();
    const storage = new FakeStorage();
    storage.setItem('jupyterlab-mcp-bridge:tab', 'abcdef01');
    const name = 'jupyterlab-mcp-bridge:tab:abcdef01';
    locks.held.add(name);
    const id = claimTabId(clock, {
      storage,
      newId,
      locks: locks.forTab(),
      channel: () => null
    });
    await clock.advance(50);
    locks.leave(name);
    await clock.advance(1000);
    expect(await id).toBe('abcdef01');
  });

  it('lets one of two that ask at the same time keep the id', async () => {
    const clock = new FakeClock();
    const air = new FakeAir();
    const storage = new FakeStorage();
    storage.setItem('jupyterlab-mcp-bridge:tab', 'abcdef01');
    const ids = [storage, storage.copy()].map(each =>
      claimTabId(clock, {
        storage: each,
        newId,
        locks: null,
        channel: () => air.open()
      })
    );
    await clock.advance(1000);
    const [one, two] = await Promise.all(ids);
    expect([one, two]).toContain('abcdef01');
    expect(one).not.toBe(two);
  });
});
