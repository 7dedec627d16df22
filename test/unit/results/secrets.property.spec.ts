import fc from 'fast-check';
import { ToolError } from '../../../src/calls/errors';
import { pendingData } from '../../../src/calls/pendingData';
import { TrackedCall } from '../../../src/calls/tracked';
import type { Data, Outcome } from '../../../src/calls/types';
import { quote } from '../../../src/calls/words';
import { firstOf, lastOf, Printed, redactor } from '../../../src/results/index';
import { presentMcp } from '../../../src/surfaces/envelope';
import { presentWebMcp } from '../../../src/surfaces/plain';
import { Progress } from '../../../src/surfaces/progress';
import { outlineLine } from '../../../src/tools/outline';
import { summarize } from '../../../src/tools/outputSummary';
import { textPart } from '../../../src/tools/textPart';
import { cell } from '../../support/cell';
import { PROPERTY, timeFor } from '../../support/property';
import { CLIENT, FakeEngine, tool } from '../surfaces/fakeEngine';
import { FakeClock } from '../transports/fakeClock';

/** A piece as long as this tells something. */
const PIECE = 8;

/** Tokens, cookies, and passwords with all that is written otherwise in JSON or a URL. */
const secret = fc.oneof(
  fc.string({
    unit: fc.constantFrom(...'0123456789abcdef'),
    minLength: 12,
    maxLength: 64
  }),
  fc.string({
    unit: fc.constantFrom(...'aB3"\\\'/|%+& é\u202e\u00ad😀[]'),
    minLength: 10,
    maxLength: 40
  })
);

/** What stands around it; nothing of it is in a secret. */
const around = fc
  .tuple(
    fc.constantFrom(
      'z',
      'zy\n',
      'w 🧡',
      '\u001b[0mz',
      '\u001b[0m',
      '👩‍🌾',
      '{"z":'
    ),
    fc.nat(600),
    fc.constantFrom('', '\n', '"', ' ')
  )
  .map(([unit, times, edge]) => unit.repeat(times) + edge);

/** Every piece of the secret that is in a text. */
function pieces(known: string, ...texts: readonly string[]): string[] {
  return Array.from({ length: known.length - PIECE + 1 }, (_, i) =>
    known.slice(i, i + PIECE)
  ).filter(piece => texts.some(text => text.includes(piece)));
}

/** As many units that a terminal shows nothing of. */
function unseen(length: number): string {
  return '\u001b[0m'.repeat(length / 4) + '\u0000'.repeat(length % 4);
}

/** The strings of a result, and those that stand in them as JSON. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') {
    const inner = value.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
    return [value, ...inner.map(unescape)];
  }
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, each]) => [key, ...textsOf(each)])
    : [];
}

function unescape(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

/** Runs a property of a text that holds the secret. */
function holds(
  tell: (text: string, known: string, at: number) => unknown,
  runs = 1
): void {
  fc.assert(
    fc.property(secret, around, around, fc.nat(), (known, before, after, n) => {
      const text = before + known + after;
      const at = before.length + (n % (known.length + 1));
      expect(pieces(known, ...textsOf(tell(text, known, at)))).toEqual([]);
    }),
    { ...PROPERTY, numRuns: Math.ceil(PROPERTY.numRuns * runs) }
  );
}

/** As both surfaces present an outcome with little room. */
function presented(outcome: Outcome, known: string): unknown[] {
  const engine = new FakeEngine();
  engine.redact = redactor([known]);
  engine.settings = {
    ...engine.settings,
    maxResultLength: 1000,
    readCap: 4000
  };
  const mcp = presentMcp(outcome, {
    tool: tool('look'),
    auditId: null,
    client: CLIENT,
    engine
  });
  return [
    mcp.structuredContent,
    presentWebMcp(outcome, { client: CLIENT, engine })
  ];
}

describe('no piece of a secret is left, wherever it stands and whatever is cut', () => {
  it('at an end of a text', () => {
    holds((text, known, at) => {
      const redact = redactor([known]);
      return [
        firstOf(text, at, redact),
        lastOf(text, text.length - at, redact)
      ];
    });
  });

  it('in a part of a text', () => {
    holds((text, known, at) =>
      textPart('text', text, { offset: at, length: 90 }, 'r', redactor([known]))
    );
  });

  it('in an outline', () => {
    holds((text, known) =>
      [
        outlineLine(cell({ source: `${text.slice(-200)}` }), redactor([known])),
        outlineLine(cell({ source: text }), redactor([known])),
        outlineLine(cell({ cellId: text.slice(-90) }), redactor([known]))
      ].filter(
        (_, i) => i === 1 || text.slice(i === 0 ? -200 : -90).includes(known)
      )
    );
  });

  it('in a summary of outputs', () => {
    holds((text, known) =>
      [
        { output_type: 'stream', name: 'stdout', text },
        { output_type: 'error', ename: 'E', evalue: text },
        { output_type: 'display_data', data: { 'text/plain': text } }
      ].map(output => summarize(output, redactor([known])))
    );
  });

  it('in a summary of outputs of which only an end is looked at', () => {
    holds((text, known, at) => {
      const redact = redactor([known]);
      const inStart = unseen(20_000 - at) + text + unseen(24_000);
      const inEnd = unseen(24_000) + text + unseen(20_000 - text.length + at);
      return [
        summarize(
          { output_type: 'display_data', data: { 'text/plain': inStart } },
          redact
        ),
        summarize({ output_type: 'stream', name: 's', text: inEnd }, redact)
      ];
    }, 0.1);
  });

  it('in a pending result', () => {
    holds((text, known, at) => {
      const redact = redactor([known]);
      const call = new TrackedCall(
        {
          client: CLIENT,
          tool: 'look',
          scope: 'read',
          command: 'look',
          args: {}
        },
        new FakeClock()
      );
      const dialogs = {
        list: () => [],
        isOpen: () => false
      } as unknown as Parameters<typeof pendingData>[2]['dialogs'];
      const next = (): Data =>
        pendingData(call, 'time', { dialogs, redact, closedError: false });
      call.report.printed(text.slice(0, at));
      const first = next();
      call.report.printed(text.slice(at));
      return [first, next()];
    });
  });

  it('in what a flood leaves of what was printed', () => {
    holds((text, known, at) => {
      const printed = new Printed();
      printed.add('z'.repeat(70_000));
      printed.add(text);
      printed.add(unseen(8192 - text.length + at));
      return [printed.take(redactor([known]))];
    }, 0.3);
  });

  it(
    'in progress',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          secret,
          around,
          around,
          fc.array(fc.nat(4000), { maxLength: 4 }),
          async (known, before, after, cuts) => {
            const clock = new FakeClock();
            const sent: string[] = [];
            const progress = new Progress(
              async text => void sent.push(text),
              clock,
              redactor([known])
            );
            const text = before + known + after;
            const ends = [...cuts, before.length + 9, text.length];
            let from = 0;
            for (const end of ends.sort((a, b) => a - b)) {
              progress.printed(text.slice(from, end));
              from = Math.max(from, end);
              await clock.advance(300);
            }
            await progress.finish();
            expect(pieces(known, ...sent)).toEqual([]);
          }
        ),
        PROPERTY
      );
    },
    timeFor(10)
  );

  it('in an error that repeats a name', () => {
    holds((text, known, at) =>
      [text, text.slice(Math.max(0, at - 70))]
        .filter(name => name.includes(known))
        .flatMap(name =>
          presented(
            {
              kind: 'refused',
              error: new ToolError(
                'not_found',
                `There is no dialog ${quote(name)}. Open: ${quote(`(${name})`)}.`,
                { dialogs: [{ id: 'dialog-1', title: name }] }
              )
            },
            known
          )
        )
    );
  });

  it('in a result that is shortened on either surface', () => {
    holds(
      (text, known) =>
        [
          { success: true, outputs: [{ text: text.repeat(3) }], [text]: 1 },
          {
            success: true,
            content: text.repeat(9),
            list: Array(300).fill(text)
          },
          Object.fromEntries(
            Array.from({ length: 400 }, (_, i) => [`k${i}`, text.slice(-90)])
          )
        ]
          .filter(data => !('k0' in data) || text.slice(-90).includes(known))
          .flatMap(data => presented({ kind: 'done', data }, known)),
      0.1
    );
  });
});
