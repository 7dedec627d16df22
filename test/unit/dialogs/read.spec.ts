/**
 * @jest-environment jsdom
 */
import { PasswordFields } from '../../../src/dialogs/passwords';
import { readBody, readInput } from '../../../src/dialogs/read';

function dialog(body: string, footer = ''): HTMLElement {
  const node = document.createElement('div');
  node.innerHTML = `<div class="jp-Dialog-body">${body}</div><div class="jp-Dialog-footer">${footer}</div>`;
  document.body.append(node);
  return node;
}

afterEach(() => document.body.replaceChildren());

describe('readBody()', () => {
  it('has a line for each block, however they are nested', () => {
    expect(
      readBody(
        dialog(
          '<div>a <b>b <i>c</i></b></div>d<p></p><ul><li>e<li><span>f</span> g</ul>' +
            '<div style="display: none">no</div><style>no</style><i>h</i><!-- no -->'
        )
      )
    ).toBe('a b c\nd\ne\nf g\nh');
  });

  it('looks at no more than 5,000 parts, and says so', () => {
    const { style } = document.createElement('div');
    const computed = jest
      .spyOn(window, 'getComputedStyle')
      .mockReturnValue(style);
    const body = readBody(dialog('<div><b>word</b></div>'.repeat(3000)));
    expect(computed.mock.calls.length).toBeLessThanOrEqual(5000);
    computed.mockRestore();
    const lines = body.split('\n');
    expect(lines.slice(0, -1).every(line => line === 'word')).toBe(true);
    expect(lines.length).toBeGreaterThan(1500);
    expect(lines.at(-1)).toMatch(/the rest of the dialog is not read/);
  });

  it('reads the text of what is nested too deeply as it is', () => {
    const node = dialog(
      `${'<i>'.repeat(520)}deep<p>text</p>${'</i>'.repeat(520)}`
    );
    const { style } = document.createElement('div');
    const computed = jest
      .spyOn(window, 'getComputedStyle')
      .mockReturnValue(style);
    expect(readBody(node)).toBe('deeptext');
    computed.mockRestore();
  });
});

describe('readInput()', () => {
  it('is the first field that is not in the footer', () => {
    const node = dialog('<input value="mine">'.repeat(3), '<input value="no">');
    node.prepend(node.children[1]);
    expect(readInput(node, new PasswordFields())).toBe('mine');
  });

  it('looks at no field behind it', () => {
    const node = dialog('<input value="mine">'.repeat(2000));
    const closest = jest.spyOn(Element.prototype, 'closest');
    expect(readInput(node, new PasswordFields())).toBe('mine');
    expect(closest).toHaveBeenCalledTimes(1);
    closest.mockRestore();
  });
});
