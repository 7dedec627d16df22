import fc from 'fast-check';
import { cleanText } from '../../../src/results/terminal';
import { ReferenceTerminal } from './referenceTerminal';
import { PIECES, PROPERTY } from './support';

const ESC = '\u001b';

const letter = fc.constantFrom(
  ...['a', 'b', 'c', ' ', 'é', '█', '日', '😀', '👩‍🌾', '\u0301', '\t']
);
const control = fc.constantFrom(
  ...['\n', '\n', '\r', '\b', '\u0007', '\u0000', '\u008d'],
  ...[`${ESC}D`, `${ESC}E`, `${ESC}M`, `${ESC}7`, `${ESC}8`],
  ...[`${ESC}[31m`, `${ESC}]0;title\u0007`, `${ESC}P1$rab${ESC}\\`, `${ESC}(B`]
);
const sequence = fc
  .tuple(
    fc.constantFrom(`${ESC}[`, `${ESC}[`, '\u009b'),
    fc.constantFrom('', '', '0', '1', '2', '3', '5', '12'),
    fc.constantFrom(...'ABCDEFGdKXP@LMABCDK')
  )
  .map(parts => parts.join(''));
const position = fc
  .tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 12 }))
  .map(([row, column]) => `${ESC}[${row};${column}H`);
const erase = fc.constantFrom('', '0', '1', '2').map(mode => `${ESC}[${mode}J`);
const token = fc.oneof(
  { weight: 12, arbitrary: letter },
  { weight: 4, arbitrary: control },
  { weight: 6, arbitrary: sequence },
  { weight: 1, arbitrary: position },
  { weight: 1, arbitrary: erase }
);
const stream = fc.array(token, { maxLength: 120, size: 'max' });

describe('cleanText', () => {
  it('shows what a plain reference terminal shows', () => {
    fc.assert(
      fc.property(stream, tokens => {
        expect(cleanText(tokens.join(''))).toBe(
          new ReferenceTerminal().play(tokens)
        );
      }),
      PROPERTY
    );
  });

  it('leaves no control characters, and nothing to be done', () => {
    const anything = fc.array(
      fc.oneof(
        { weight: 2, arbitrary: fc.constantFrom(...PIECES) },
        { weight: 3, arbitrary: token },
        {
          weight: 2,
          arbitrary: fc.constantFrom(
            ...[ESC, '\u009b', '\u009d', '\u0090', '\u0018', '[', ']', '\\'],
            ...['9', ';', '?', 'm', 'H', '999999999', '\u0007', '\u009c']
          )
        }
      ),
      { maxLength: 40, size: 'max' }
    );
    fc.assert(
      fc.property(anything, tokens => {
        const shown = cleanText(tokens.join(''));
        expect(shown).toMatch(/^(?:[\t\n]|\P{Cc})*$/u);
        expect(cleanText(shown)).toBe(shown);
      }),
      PROPERTY
    );
  });

  it('never shows much more than was printed', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            'x',
            '\n',
            `${ESC}[999C`,
            `${ESC}[99B`,
            `${ESC}[99@`,
            `${ESC}[99L`
          ),
          {
            maxLength: 400,
            size: 'max'
          }
        ),
        tokens => {
          const text = tokens.join('');
          expect(cleanText(text).length).toBeLessThanOrEqual(
            2 * text.length + 20_000
          );
        }
      ),
      PROPERTY
    );
  });
});
