import { OutputCollector } from '../../../src/jupyter/outputs';
import { message } from './fakeKernel';

const stream = (text: string, name = 'stdout') =>
  message('stream', { name, text });
const display = (text: string, id?: string, type = 'display_data') =>
  message(type, {
    data: { 'text/plain': text },
    metadata: {},
    transient: id === undefined ? {} : { display_id: id }
  });
const text = (value: string) => ({
  output_type: 'display_data',
  data: { 'text/plain': value },
  metadata: {}
});

describe('OutputCollector', () => {
  it('should join streams of one name that follow each other', () => {
    const outputs = new OutputCollector();
    ['a', 'b'].forEach(part => outputs.add(stream(part)));
    outputs.add(stream('!', 'stderr'));
    outputs.add(stream('c'));
    expect(outputs.outputs()).toEqual([
      { output_type: 'stream', name: 'stdout', text: 'ab' },
      { output_type: 'stream', name: 'stderr', text: '!' },
      { output_type: 'stream', name: 'stdout', text: 'c' }
    ]);
  });

  it('should tell what was printed, piece by piece', () => {
    let printed = '';
    const outputs = new OutputCollector(part => (printed += part));
    outputs.add(stream('tick\n'));
    outputs.add(stream('warn\n', 'stderr'));
    outputs.add(display('not printed'));
    expect(printed).toBe('tick\nwarn\n');
  });

  it('should keep each output in its own kind, without what is no nbformat', () => {
    const outputs = new OutputCollector();
    outputs.add(display('shown', 'id-1'));
    outputs.add(
      message('execute_result', {
        data: { 'text/plain': '2' },
        metadata: {},
        execution_count: 7
      })
    );
    outputs.add(
      message('error', { ename: 'E', evalue: 'v', traceback: ['t'] })
    );
    expect(outputs.outputs()).toEqual([
      text('shown'),
      {
        output_type: 'execute_result',
        execution_count: 7,
        data: { 'text/plain': '2' },
        metadata: {}
      },
      { output_type: 'error', ename: 'E', evalue: 'v', traceback: ['t'] }
    ]);
  });

  it('should update displays in place, wherever one is shown', () => {
    const outputs = new OutputCollector();
    outputs.add(display('start', 'a'));
    outputs.add(display('other', 'b'));
    outputs.add(display('again', 'a'));
    for (let i = 0; i < 3000; i++) {
      outputs.add(display(String(i), 'a', 'update_display_data'));
    }
    outputs.add(display('nobody', 'c', 'update_display_data'));
    expect(outputs.outputs()).toEqual([
      text('2999'),
      text('other'),
      text('2999')
    ]);
  });

  it('should clear at once, or with the next output', () => {
    const outputs = new OutputCollector();
    outputs.add(stream('one'));
    outputs.add(message('clear_output', { wait: true }));
    expect(outputs.outputs()).toHaveLength(1);
    outputs.add(stream('two'));
    expect(outputs.outputs()).toEqual([
      { output_type: 'stream', name: 'stdout', text: 'two' }
    ]);
    outputs.add(message('clear_output', { wait: false }));
    expect(outputs.outputs()).toEqual([]);
  });

  it('should lose nothing below twice the length it keeps of each end', () => {
    const outputs = new OutputCollector(undefined, 1000);
    let whole = '';
    for (let i = 0; i < 18; i++) {
      const part = `${i}`.padEnd(50, '.');
      whole += part;
      outputs.add(stream(part));
    }
    expect(outputs.dropped).toBe(0);
    expect(outputs.outputs()).toEqual([
      { output_type: 'stream', name: 'stdout', text: whole }
    ]);
  });

  it('should keep both ends of an endless print, and say what is missing', () => {
    const kept = 10_000;
    const outputs = new OutputCollector(undefined, kept);
    outputs.add(stream('first\n'));
    let sent = 6;
    for (let i = 0; i < 20_000; i++) {
      outputs.add(stream('x'.repeat(100)));
      sent += 100;
    }
    outputs.add(stream('last\n'));
    sent += 5;
    const [only, ...others] = outputs.outputs();
    expect(others).toEqual([]);
    const all = String(only.text);
    expect(all.startsWith('first\nxxx')).toBe(true);
    expect(all.endsWith('xxxlast\n')).toBe(true);
    expect(all.length).toBeLessThan(2 * kept + 100);
    const note =
      /\n\[\.\.\. (\d+) characters dropped while the code ran \.\.\.\]\n/;
    const dropped = Number(note.exec(all)?.[1]);
    expect(all.replace(note, '').length + dropped).toBe(sent);
  });

  it('should split one huge piece, so that both its ends are kept', () => {
    const outputs = new OutputCollector(undefined, 1000);
    outputs.add(stream(`begin${'x'.repeat(1_000_000)}end`));
    const all = String(outputs.outputs()[0].text);
    expect(all.startsWith('begin')).toBe(true);
    expect(all.endsWith('end')).toBe(true);
    expect(all.length).toBeLessThan(3000);
  });

  it('should bound displays, and streams that alternate, as well', () => {
    const outputs = new OutputCollector(undefined, 10_000);
    for (let i = 0; i < 5000; i++) {
      outputs.add(display('p'.repeat(500), `id-${i}`));
      outputs.add(stream('o', 'stdout'));
      outputs.add(stream('e', 'stderr'));
    }
    expect(outputs.dropped).toBeGreaterThan(0);
    expect(JSON.stringify(outputs.outputs()).length).toBeLessThan(60_000);
    outputs.add(display('late', 'id-2500', 'update_display_data'));
    expect(JSON.stringify(outputs.outputs())).not.toContain('late');
  });

  it('should take time in proportion to what arrives', () => {
    const time = (pieces: number): number => {
      const outputs = new OutputCollector(undefined, 100_000);
      const piece = stream('y\n');
      const start = performance.now();
      for (let i = 0; i < pieces; i++) {
        outputs.add(piece);
      }
      outputs.outputs();
      return performance.now() - start;
    };
    time(100_000);
    expect(time(800_000)).toBeLessThan(40 * Math.max(time(100_000), 5));
  });
});
