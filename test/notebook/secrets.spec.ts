import { PasswordFields } from '../../src/dialogs/passwords';
import { Secrets } from '../../src/jupyter/secrets';

let passwords: PasswordFields;
let secrets: Secrets;
let fields: HTMLElement[];

beforeEach(() => {
  fields = [];
  passwords = new PasswordFields();
  passwords.watch(document);
  secrets = new Secrets('', passwords, () => '');
});

afterEach(() => {
  passwords.unwatch();
  fields.forEach(field => field.remove());
});

function field(type: string, autocomplete: AutoFill = ''): HTMLInputElement {
  const input = document.createElement('input');
  Object.assign(input, { type, autocomplete });
  document.body.append(input);
  fields.push(input);
  return input;
}

function type(input: HTMLInputElement, ...values: string[]): void {
  for (const value of values) {
    input.value = value;
    input.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  }
}

describe('what was typed into password fields', () => {
  it('is hidden, not the beginnings of it, and nothing else', () => {
    type(field('password'), 'correcth', 'correcthorse', 'correcthorsebattery');
    type(field('text'), 'plainly visible');
    type(field('password'), 'short');
    expect(
      secrets.redact('correcthorsebattery correcthorse plainly visible short')
    ).toBe('[redacted] correcthorse plainly visible short');
  });

  it('is hidden where it is shown on demand, and where only the form tells', () => {
    const shown = field('password');
    type(shown, 'correcthorse');
    shown.type = 'text';
    type(shown, 'correcthorse-second');
    type(field('text', 'new-password'), 'never of that type');
    expect(secrets.redact('correcthorse-second, never of that type')).toBe(
      '[redacted], [redacted]'
    );
  });

  it('is known up to its last character where a component has a field of its own', () => {
    // As those of JupyterLab's toolkit: the field is the component's own, and
    // the component's value follows when it has heard of it.
    const component = Object.assign(document.createElement('div'), {
      type: 'password',
      value: ''
    });
    document.body.append(component);
    fields.push(component);
    const own = document.createElement('input');
    own.type = 'password';
    component.attachShadow({ mode: 'open' }).append(own);
    own.addEventListener('input', () => {
      component.value = own.value;
    });
    type(own, 'correcthors', 'correcthorse');
    expect(secrets.redact('a correcthorse')).toBe('a [redacted]');
  });

  it('is heard though the page stops the event, and no more after the end', () => {
    const stop = (event: Event): void => event.stopImmediatePropagation();
    document.body.addEventListener('input', stop, { capture: true });
    type(field('password'), 'correcthorse');
    document.body.removeEventListener('input', stop, { capture: true });
    passwords.unwatch();
    type(field('password'), 'typed too late');
    expect(secrets.redact('correcthorse, typed too late')).toBe(
      '[redacted], typed too late'
    );
  });
});
