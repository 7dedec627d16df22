import { beingChanged, Turns, WAITS_MS } from '../../../src/jupyter/turns';
import { FakeClock, settle } from '../transports/fakeClock';

describe('Turns', () => {
  function setUp() {
    const clock = new FakeClock();
    const turns = new Turns(beingChanged);
    const log: string[] = [];
    const ends = new Map<string, (reason?: Error) => void>();
    const take = (name: string, ...keys: unknown[]) =>
      turns.take(keys, clock, () => {
        log.push(`begin ${name}`);
        return new Promise<string>((resolve, reject) =>
          ends.set(name, reason => (reason ? reject(reason) : resolve(name)))
        );
      });
    return { clock, turns, log, ends, take };
  }

  it('does one thing after the other where they share a key, also after a failure', async () => {
    const { turns, log, ends, take } = setUp();
    const first = take('one', 'kernel', 'document').catch(String);
    const second = take('two', 'document');
    const third = take('three', 'kernel');
    const other = take('other', 'elsewhere');
    await settle();
    expect(log).toEqual(['begin one', 'begin other']);
    ends.get('one')?.(new Error('no'));
    expect(await first).toContain('no');
    await settle();
    expect(log).toEqual([
      'begin one',
      'begin other',
      'begin two',
      'begin three'
    ]);
    ['two', 'three', 'other'].forEach(name => ends.get(name)?.());
    expect(await Promise.all([second, third, other])).toEqual([
      'two',
      'three',
      'other'
    ]);
    expect(turns.isTaken(['kernel', 'document', 'elsewhere'])).toBe(false);
  });

  it('is over before the one who asked goes on', async () => {
    const { turns, ends, take } = setUp();
    const first = take('one', 'kernel');
    await settle();
    ends.get('one')?.();
    await first;
    expect(turns.isTaken(['kernel'])).toBe(false);
  });

  it('gives up after a while, and never does what was given up', async () => {
    const { clock, turns, log, ends, take } = setUp();
    const first = take('one', 'kernel');
    const late = take('two', 'kernel').catch(reason => reason);
    const waiting = turns.over(['kernel'], clock).catch(reason => reason);
    await clock.advance(WAITS_MS);
    const refusal = {
      code: 'operation_in_progress',
      message: expect.stringContaining('call again')
    };
    expect(await waiting).toMatchObject(refusal);
    // Told at once, though the first may never end.
    expect(await late).toMatchObject(refusal);
    // The third still waits for the first.
    const third = take('three', 'kernel');
    await settle();
    expect(log).toEqual(['begin one']);
    ends.get('one')?.();
    await first;
    await settle();
    expect(log).toEqual(['begin one', 'begin three']);
    ends.get('three')?.();
    await third;
    expect(clock.waiting).toBe(0);
  });
});
