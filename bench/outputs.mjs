/**
 * Results of every kind that is slow somewhere, made up to a size in
 * characters of JSON.
 */

const MEGABYTE = 1024 * 1024;

/** One stream of that line again and again. */
const stream = line => size =>
  run([
    {
      output_type: 'stream',
      name: 'stdout',
      text: line.repeat(size / line.length)
    }
  ]);

function run(outputs) {
  return { success: true, status: 'ok', executionCount: 1, outputs };
}

/** As many items as make up the size. */
function fill(size, item) {
  const items = [];
  for (let left = size, i = 0; left > 0; i++) {
    const made = item(i);
    items.push(made);
    left -= i % 100 === 0 ? JSON.stringify(made).length : average(items);
  }
  return items;
}

/** All items of a kind are about as long as its first. */
const lengths = new WeakMap();
function average(items) {
  let length = lengths.get(items);
  if (length === undefined) {
    length = JSON.stringify(items[0]).length;
    lengths.set(items, length);
  }
  return length;
}

const display = data => ({ output_type: 'display_data', data, metadata: {} });

function nested(depth) {
  let value = 1;
  for (let i = 0; i < depth; i += 2) {
    value = { child: [value] };
  }
  return value;
}

const COLOURED = '\u001b[32mrow\u001b[0m 00001 of the table is ok\n';

/** A function from a size in characters to a result, for each kind. */
const KINDS = {
  'plain lines': stream('row 00001 of the table is ok\n'),
  'other scripts': stream('日本語のテキスト 😀 é\n'),
  colours: stream(COLOURED),
  'lines with CRLF': stream('row 00001 of the table is ok\r\n'),
  'a progress bar': stream(' 10%|███       | 10/100 [00:01<00:05,  9.9it/s]\r'),
  'cursor moves': stream(
    '\u001b[1A\u001b[2K\r 10% ━━━━━━━     10/100\n\u001b[2K\r 20% ━━     20/100\n'
  ),
  'one line': stream('x'),
  'a list of lines': size =>
    run([
      {
        output_type: 'stream',
        name: 'stdout',
        text: fill(size, i => `row ${i} of the table is ok\n`)
      }
    ]),
  'coloured traceback': size => ({
    ...run([]),
    success: false,
    status: 'error',
    traceback: fill(size, i =>
      `\u001b[0;32m/home/a/file.py\u001b[0m in \u001b[0;36mcall\u001b[0;34m(${i})\u001b[0m\n`.concat(
        `\u001b[0;32m  ${i}\u001b[0m     value = call(${i})\n`.repeat(8)
      )
    )
  }),
  'tiny outputs': size =>
    run(fill(size, i => display({ 'text/plain': `${i}` }))),
  'tiny streams': size =>
    run(
      fill(size, i => ({
        output_type: 'stream',
        name: i % 2 ? 'stdout' : 'stderr',
        text: `row ${i}\n`
      }))
    ),
  'tables and plots': size =>
    run(
      fill(size, i => ({
        ...display({
          'text/plain': `<Figure ${i}>`,
          'text/html': `<td>${i}</td>`.repeat(300),
          'image/png': 'iVBORw0KGgo='.repeat(1000)
        }),
        execution_count: i
      }))
    ),
  'small cells': size => ({
    success: true,
    notebookPath: 'big.ipynb',
    cells: fill(size, i => ({
      cellId: `cell-${i}`,
      index: i,
      cellType: 'code',
      source: `value_${i} = compute(${i})\nvalue_${i}`,
      state: 'done',
      executionCount: i,
      outputs: [
        {
          ...display({ 'text/plain': `${i}` }),
          output_type: 'execute_result',
          execution_count: i
        }
      ],
      revision: '0123456789abcdef'
    }))
  }),
  'wide bundles': size =>
    run(
      fill(size, i =>
        display(
          Object.fromEntries(
            Array.from({ length: 50 }, (_, type) => [
              `application/vnd.kind-${type}+text`,
              `value ${i} of that kind`
            ])
          )
        )
      )
    ),
  'wide objects': size => ({
    success: true,
    result: fill(size, i =>
      Object.fromEntries(
        Array.from({ length: 500 }, (_, key) => [`key_${key}`, i])
      )
    )
  }),
  // More keys than any table has columns.
  'one wide object': size => ({
    success: true,
    result: Object.fromEntries(fill(size, i => [`key_${i}`, i]))
  }),
  'deep nesting': size =>
    run(fill(size, () => display({ 'application/json': nested(400) }))),
  'whole numbers': size => ({
    success: true,
    result: fill(size, i => fill(4000, j => i * 1000 + j))
  }),
  'long numbers': size => ({
    success: true,
    result: fill(size, i => fill(16000, j => Math.sin(i * 1000 + j)))
  })
};

export const KIND_NAMES = Object.keys(KINDS);

/** Megabytes up to which a kind is measured: beyond, making it takes minutes. */
export function mostOf(kind) {
  return kind === 'one wide object' ? 10 : Infinity;
}

/** A result of that kind, as a parser of JSON makes it: so kernels' messages come. */
export function resultOf(kind, megabytes) {
  return JSON.parse(JSON.stringify(KINDS[kind](megabytes * MEGABYTE)));
}
