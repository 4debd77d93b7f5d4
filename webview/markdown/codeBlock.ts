import * as l10n from '@vscode/l10n';
import { highlight, languageName } from './highlight';

/** A block of code as it is shown. The buttons act through `data-act`, see `markdownElement.ts`. */
export interface CodeBlock {
  readonly element: HTMLElement;
  readonly code: HTMLElement;
}

export function createCodeBlock(text: string, lang: string): CodeBlock {
  const name = languageName(lang);
  const element = document.createElement('figure');
  element.className = 'block';
  element.setAttribute('aria-label', name ? l10n.t('Code, {0}', name) : l10n.t('Code'));
  const bar = document.createElement('div');
  bar.className = 'bar';
  const label = document.createElement('span');
  label.className = 'grow cut';
  label.textContent = name;
  label.title = name;
  bar.append(
    label,
    act('copy', 'copy', l10n.t('Copy')),
    act('insert', 'insert', l10n.t('Insert at Cursor')),
  );
  const pre = document.createElement('pre');
  pre.tabIndex = -1;
  const code = document.createElement('code');
  code.dataset['lang'] = lang;
  code.append(document.createTextNode(text));
  pre.append(code);
  element.append(bar, pre);
  return { element, code };
}

/** Shows `text`, touching only what was added when it grew. */
export function setCode(code: HTMLElement, text: string): void {
  const node = code.firstChild;
  if (!(node instanceof Text) || code.childNodes.length > 1) {
    if (code.textContent !== text) code.replaceChildren(document.createTextNode(text));
    return;
  }
  if (text === node.data) return;
  if (text.startsWith(node.data)) node.appendData(text.slice(node.length));
  else node.data = text;
}

/** Colours every block of code under `root`, when the browser has time for it. */
export function highlightIn(root: ParentNode): void {
  for (const code of root.querySelectorAll<HTMLElement>('figure.block > pre > code[data-lang]')) {
    highlight(code, code.dataset['lang'] ?? '');
  }
}

function act(action: string, icon: string, label: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'icon small';
  button.tabIndex = -1;
  button.dataset['act'] = action;
  button.setAttribute('aria-label', label);
  button.title = label;
  const glyph = document.createElement('i');
  glyph.className = `codicon s12 codicon-${icon}`;
  glyph.setAttribute('aria-hidden', 'true');
  button.append(glyph);
  return button;
}
