import { DEFAULT_SETTINGS } from '../../../src/calls/settings';
import { BridgePage } from '../../../src/jupyter/page';
import type { SettingsSource } from '../../../src/jupyter/settings';
import { FakeEngine } from '../surfaces/fakeEngine';
import { FakeClock } from '../transports/fakeClock';

function setUp() {
  const engine = new FakeEngine();
  const load = jest.fn(async () => engine);
  const page = new BridgePage({
    settings: { current: DEFAULT_SETTINGS } as SettingsSource,
    ready: Promise.resolve(),
    clock: new FakeClock(),
    loadFailed: 'Reload.',
    load
  });
  const told: unknown[] = [];
  page.statusChanged.connect(() => void told.push(page.status));
  return { engine, load, page, told };
}

describe('BridgePage', () => {
  it('loads the engine once, when it is first asked for', async () => {
    const { engine, load, page } = setUp();
    expect(load).not.toHaveBeenCalled();
    const both = await Promise.all([page.loadEngine(), page.loadEngine()]);
    expect(both).toEqual([engine, engine]);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('says when it could not be loaded, and tries again the next time', async () => {
    const { engine, load, page } = setUp();
    load.mockRejectedValueOnce(new Error('chunk'));
    await expect(page.loadEngine()).rejects.toThrow('chunk');
    expect(page.status.problems).toEqual(['Reload.']);
    expect(await page.loadEngine()).toBe(engine);
    expect(page.status.problems).toEqual([]);
  });

  it('tells of changes, and only of changes', () => {
    const { page, told } = setUp();
    page.setRelay('off');
    page.setProblem('a', null);
    expect(told).toEqual([]);
    page.setRelay('connected');
    page.setProblem('a', 'One.');
    page.setProblem('a', 'One.');
    page.setProblem('b', 'Two.');
    page.setProblem('a', null);
    const connection = page.clients.connect('id', 'Codex');
    connection.dispose();
    expect(told).toMatchObject([
      { relay: 'connected', problems: [] },
      { problems: ['One.'] },
      { problems: ['One.', 'Two.'] },
      { problems: ['Two.'] },
      { clients: [{ name: 'Codex' }] },
      { clients: [] }
    ]);
  });
});
