import { quote } from '../../../src/calls/words';
import { redactor } from '../../../src/results/redact';

const token = '0123456789abcdef0123456789abcdef';
const password = 'pa"ss\\wo\'rd\u202e1é😀';
const redact = redactor([token, password]);

describe('a secret is known', () => {
  it.each([
    ['as it is', password],
    ['in a URL', encodeURIComponent(password)],
    ['in JSON', JSON.stringify(password)],
    ['in JSON in JSON', JSON.stringify(JSON.stringify(password))],
    ['in JSON of ASCII', '"pa\\"ss\\\\wo\'rd\\u202e1\\u00e9\\ud83d\\ude00"'],
    ['as a message repeats it', quote(password)],
    ['as Python repeats it', "'pa\"ss\\\\wo\\'rd\u202e1é😀'"]
  ])('%s', (_, text) => {
    expect(redact(`the ${text}.`)).toMatch(
      /^the [\\"']*\[redacted\][\\"']*\.$/
    );
  });

  it.each([
    ['as pandas writes it', `p&amp;ss&lt;w&gt;o"r'd`],
    ['as Python escapes it', 'p&amp;ss&lt;w&gt;o&quot;r&#x27;d'],
    ['as templates escape it', 'p&amp;ss&lt;w&gt;o&#34;r&#39;d']
  ])('in HTML, %s', (_, html) => {
    expect(redactor([`p&ss<w>o"r'd`])(`<td>${html}</td>`)).toBe(
      '<td>[redacted]</td>'
    );
  });

  it('where a name was cut off', () => {
    const title = 'x'.repeat(35) + token;
    expect(redact(`Open: dialog-1 ${quote(title)}.`)).toBe(
      `Open: dialog-1 "${'x'.repeat(35)}[redacted]…".`
    );
    expect(redact(quote('x'.repeat(48) + password))).toBe(
      `"${'x'.repeat(48)}[redacted]…"`
    );
    // Others may begin like that.
    expect(redact('0123456789ab')).toBe('0123456789ab');
    expect(redact('0123456…')).toBe('0123456…');
  });
});

describe('of a text that was torn off', () => {
  it.each([
    ['end', `a ${token.slice(0, 8)}`, 'a [redacted]'],
    ['end', `a ${token.slice(0, 7)}`, `a ${token.slice(0, 7)}`],
    ['end', `a ${token.slice(0, 31)}.`, `a ${token.slice(0, 31)}.`],
    ['end', `${token.slice(3)} a`, `${token.slice(3)} a`],
    ['start', `${token.slice(3)} a`, '[redacted] a'],
    ['start', `${token.slice(25)} a`, `${token.slice(25)} a`],
    ['start', `${token} ${token} a`, '[redacted] [redacted] a'],
    ['both', token.slice(5, 20), '[redacted]'],
    ['both', 'a', 'a']
  ] as const)('at its %s: %s', (torn, text, shown) => {
    expect(redact(text, torn)).toBe(shown);
  });
});

it('takes linear time where a text is full of its beginning', () => {
  const all = redactor(['a'.repeat(64) + 'b', '12345678']);
  const text = 'a'.repeat(1_000_000);
  expect(all(text)).toBe(text);
});
