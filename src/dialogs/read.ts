import type { PasswordFields } from './passwords';
import type { IDialogButton } from './types';

/**
 * Reads a dialog from the page: JupyterLab keeps title, buttons and body to
 * itself, and what counts is what the person sees.
 */

/** Fields that hold no value of the person's. */
const NO_FIELD = new Set([
  'hidden',
  'button',
  'submit',
  'reset',
  'image',
  'file'
]);

/** Elements that begin a line of their own. */
const BLOCKS = new Set(
  'ADDRESS ARTICLE ASIDE BLOCKQUOTE BR DD DETAILS DIV DL DT FIELDSET FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER HR LI MAIN NAV OL P PRE SECTION SUMMARY TABLE TR UL LABEL'.split(
    ' '
  )
);
/** Elements whose text is none that is read. */
const SILENT = new Set(
  'SCRIPT STYLE TEMPLATE SELECT DATALIST TEXTAREA SVG'.split(' ')
);

/** Elements and texts that are looked at: nobody reads a dialog of more. */
const PARTS = 5000;
/** Levels of nesting whose layout counts; parsers of HTML make no more. */
const LEVELS = 512;
/** What stands for the others. */
const MORE =
  '[... the rest of the dialog is not read, it has too many parts ...]';

/** Without the close button that JupyterLab draws into it. */
export function readTitle(dialog: Element): string {
  const header = dialog.querySelector('.jp-Dialog-header');
  return header ? textOf(header) : '';
}

export function readBody(dialog: Element): string {
  const body = dialog.querySelector('.jp-Dialog-body');
  return body ? textOf(body) : '';
}

/** Whether the body is text and nothing else. */
export function isTextBody(dialog: Element): boolean {
  const body = dialog.querySelector('.jp-Dialog-body');
  return (
    body !== null && body.childElementCount === 0 && body.textContent !== ''
  );
}

/** The buttons of the footer, in the order of the dialog's own indices. */
export function readButtons(dialog: Element): IDialogButton[] {
  return [
    ...dialog.querySelectorAll<HTMLButtonElement>(
      '.jp-Dialog-footer .jp-Dialog-button'
    )
  ].map(button => ({
    label: labelOf(button),
    disabled: button.disabled,
    warns: button.classList.contains('jp-mod-warn'),
    click: () => button.click()
  }));
}

/**
 * What the first input field holds; undefined for none and for a password.
 * An option in the footer ("Do not ask me again") is no input of the dialog.
 */
export function readInput(
  dialog: Element,
  passwords: Pick<PasswordFields, 'has'>
): string | boolean | undefined {
  const fields = dialog.querySelectorAll<
    HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
  >('input, textarea, select');
  for (const field of fields) {
    if (field.closest('.jp-Dialog-footer') !== null) {
      continue;
    }
    if (field instanceof HTMLSelectElement) {
      return [...field.selectedOptions].map(({ value }) => value).join(', ');
    }
    if (field instanceof HTMLTextAreaElement) {
      return field.value;
    }
    if (!NO_FIELD.has(field.type)) {
      return passwords.has(field)
        ? undefined
        : field.type === 'checkbox'
          ? field.checked
          : field.type === 'radio'
            ? chosenRadio(dialog, field.name)
            : field.value;
    }
  }
  return undefined;
}

/** As JupyterLab itself looks for it before it turns buttons off. */
export function isInvalid(dialog: Element): boolean {
  return dialog.querySelector(':invalid, .jp-mod-error') !== null;
}

function chosenRadio(dialog: Element, name: string): string {
  const radios = dialog.querySelectorAll<HTMLInputElement>(
    'input[type="radio"]'
  );
  return (
    [...radios].find(each => each.name === name && each.checked)?.value ?? ''
  );
}

function labelOf(button: Element): string {
  const label = button.querySelector('.jp-Dialog-buttonLabel') ?? button;
  return (
    textOf(label) ||
    textOf(button) ||
    label.getAttribute('aria-label') ||
    button.getAttribute('aria-label') ||
    ''
  );
}

/** The text of an element, with a line for each block. */
function textOf(element: Element): string {
  if (element.childElementCount === 0) {
    return element.textContent?.trim() ?? '';
  }
  const parts: string[] = [];
  collect(element, parts);
  return parts
    .join('')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim();
}

/** How an element takes part in the text; a page that is not shown has no styles. */
function layoutOf(element: Element): 'inline' | 'block' | 'none' {
  if (SILENT.has(element.nodeName.toUpperCase())) {
    return 'none';
  }
  const { display } = getComputedStyle(element);
  return display === 'none'
    ? 'none'
    : BLOCKS.has(element.nodeName) || !/^(|inline.*|contents)$/.test(display)
      ? 'block'
      : 'inline';
}

/** The texts in an element and the edges of blocks; a page can nest without end. */
function collect(root: Element, parts: string[]): void {
  const edges: string[] = [];
  let left = PARTS;
  let node: Node | null = root.firstChild;
  while (node) {
    if (--left < 0) {
      parts.push(`\n${MORE}`);
      return;
    }
    let inside: Node | null = null;
    if (node instanceof Text) {
      parts.push(node.data);
    } else if (
      node instanceof Element &&
      !node.classList.contains('jp-Dialog-close-button')
    ) {
      const layout = layoutOf(node);
      if (layout !== 'none') {
        const edge = layout === 'block' ? '\n' : '';
        parts.push(edge);
        if (edges.length >= LEVELS) {
          parts.push(node.textContent ?? '');
        } else if (node.firstChild) {
          inside = node.firstChild;
          edges.push(edge);
        }
      }
    }
    node = inside ?? next(node, root, () => parts.push(edges.pop() ?? ''));
  }
}

/** The node after one that has been looked at; `left` for each element that it is no more in. */
function next(node: Node, root: Node, left: () => void): Node | null {
  for (let at: Node | null = node; at && at !== root; at = at.parentNode) {
    if (at.nextSibling) {
      return at.nextSibling;
    }
    if (at.parentNode !== root) {
      left();
    }
  }
  return null;
}
