import { Clients } from '../../../src/surfaces/clients';

describe('Clients', () => {
  it('numbers clients, and knows one that comes back', () => {
    const clients = new Clients();
    const one = clients.connect('a', 'One');
    const two = clients.connect('b', 'Two');
    expect([one.client.number, two.client.number]).toEqual([1, 2]);
    one.dispose();
    expect(clients.connected.map(({ name }) => name)).toEqual(['Two']);
    const again = clients.connect('a', 'One');
    expect(again.client).toBe(one.client);
    expect(clients.connected.map(({ number }) => number)).toEqual([1, 2]);
  });

  it('counts the connections of one client', () => {
    const clients = new Clients();
    const changed = jest.fn();
    clients.changed.subscribe(changed);
    const first = clients.connect('a', 'One');
    const second = clients.connect('a', 'One');
    first.dispose();
    first.dispose();
    expect(clients.connected.length).toBe(1);
    second.dispose();
    expect(clients.connected.length).toBe(0);
    expect(changed).toHaveBeenCalledTimes(4);
  });

  it('shows a name that can pose as nothing else', () => {
    const clients = new Clients();
    const name = (id: string, claimed: string) =>
      clients.meet(id, claimed).name;
    expect(name('a', 'Claude\u202e\u0007 Code\n')).toBe('Claude Code');
    expect(name('b', '\u0000 ')).toBe('client');
    expect(name('c', '😀'.repeat(100))).toBe('😀'.repeat(60));
  });

  it('forgets the oldest that are gone, never one that is there', () => {
    const clients = new Clients();
    const { client } = clients.connect('stays', 'Stays');
    const gone = clients.meet('gone', 'Gone');
    for (let i = 0; i < 600; i++) {
      clients.meet(`id${i}`, 'Passer-by');
    }
    expect(clients.meet('stays', 'Stays')).toBe(client);
    expect(clients.meet('gone', 'Gone')).not.toBe(gone);
  });
});
