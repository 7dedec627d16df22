import { PasswordFields } from '../../src/dialogs/passwords';
import { Secrets } from '../../src/jupyter/secrets';

it('remembers all of a password that is typed into a component’s own field', () => {
  const passwords = new PasswordFields();
  passwords.watch(document);
  const secrets = new Secrets('', passwords, () => '');
  secrets.watch(document);
  // As those of JupyterLab's toolkit: the field is the component's own, and
  // the component's value follows when it has heard of it.
  const component = Object.assign(document.createElement('div'), {
    type: 'password',
    value: ''
  });
  document.body.append(component);
  const field = document.createElement('input');
  field.type = 'password';
  component.attachShadow({ mode: 'open' }).append(field);
  field.addEventListener('input', () => {
    component.value = field.value;
  });
  for (const value of ['correcthors', 'correcthorse']) {
    field.value = value;
    field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  }
  expect(secrets.redact('a correcthorse')).toBe('a [redacted]');
  secrets.unwatch(document);
  passwords.unwatch();
  component.remove();
});
