import { nullTranslator } from '@jupyterlab/translation';
import { PromptBox } from '../../src/ui/promptBox';

let boxes: PromptBox;

beforeEach(() => {
  boxes = new PromptBox(nullTranslator.load('test'));
});

afterEach(() => {
  boxes.dispose();
  expect(document.querySelector('.jp-McpBridge-prompts')).toBeNull();
});

function show(prompt: string, password = false) {
  const sent: string[] = [];
  const shown = boxes.show({
    kernel: 'python3',
    prompt,
    password,
    submit: value => sent.push(value)
  });
  const input = [...document.querySelectorAll('input')].pop();
  if (!input) {
    throw new Error('No box');
  }
  return { shown, sent, input };
}

describe('PromptBox', () => {
  it('shows the prompt as its input’s label, and as text only', () => {
    const { input } = show('<b>Name?</b> ');
    expect(input.labels?.[0].textContent).toBe('<b>Name?</b>');
    expect(document.querySelector('.jp-McpBridge-prompt b')).toBeNull();
  });

  it('labels an empty prompt too', () => {
    expect(show('').input.labels?.[0].textContent).not.toBe('');
  });

  it('takes no focus', () => {
    const elsewhere = document.body.appendChild(
      document.createElement('input')
    );
    elsewhere.focus();
    const { shown } = show('> ');
    expect(document.activeElement).toBe(elsewhere);
    shown.dispose();
    expect(document.activeElement).toBe(elsewhere);
    elsewhere.remove();
  });

  it('sends what was typed, without leaving the page', () => {
    const { input, sent } = show('> ');
    input.value = 'an answer';
    const event = new Event('submit', { cancelable: true });
    input.form?.dispatchEvent(event);
    expect(sent).toEqual(['an answer']);
    expect(event.defaultPrevented).toBe(true);
  });

  it('masks a password, and lets no browser remember it', () => {
    const { input } = show('Key: ', true);
    expect(input.type).toBe('password');
    expect(input.autocomplete).toBe('off');
  });

  it('holds several, each with its own label, until the last is gone', () => {
    const one = show('one');
    const two = show('two');
    expect(one.input.id).not.toBe(two.input.id);
    one.shown.dispose();
    expect(document.querySelectorAll('.jp-McpBridge-prompt')).toHaveLength(1);
    two.shown.dispose();
    expect(document.querySelector('.jp-McpBridge-prompts')).toBeNull();
  });

  it('is announced, and its keys reach no shortcut', () => {
    show('> ');
    const list = document.querySelector('.jp-McpBridge-prompts');
    expect(list?.getAttribute('aria-live')).toBe('polite');
    expect(list?.getAttribute('data-lm-suppress-shortcuts')).toBe('true');
  });
});
