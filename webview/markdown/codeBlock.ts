import * as l10n from '@vscode/l10n';
import { codeActions, isForShell } from './codeActions';
import { languageName } from '../highlighter/languages';
import { highlight } from './highlight';

/** A block of code as it is shown. The buttons act through `data-act`, see `markdownElement.ts`. */
export interface CodeBlock {
  readonly element: HTMLElement;
  readonly code: HTMLElement;
}

/** @param info what stands beside the fence; its first word is the language */
export function createCodeBlock(text: string, info: string): CodeBlock {
  const lang = /^[\w+#.-]+/.exec(info)?.[0] ?? '';
  const name = languageName(lang);
  const element = document.createElement('figure');
  element.className = 'block';
  element.dataset['info'] = info;
  element.setAttribute('aria-label', name ? l10n.t('Code, {0}', name) : l10n.t('Code'));
  const bar = document.createElement('div');
  bar.className = 'bar';
  const label = document.createElement('span');
  label.className = 'grow cut';
  label.textContent = name;
  label.title = name;
  bar.append(
    label,
    ...codeActions(lang).map(({ id, icon, label, isMore }) =>
      act(id, icon, label, isMore ? 'wide' : ''),
    ),
    more(),
  );
  const pre = document.createElement('pre');
  pre.tabIndex = -1;
  const code = document.createElement('code');
  code.dataset['lang'] = lang;
  code.append(document.createTextNode(text));
  pre.append(code);
  element.append(bar, pre);
  showBar(code, text);
  return { element, code };
}

/** Shows `text`, touching only what was added when it grew. */
export function setCode(code: HTMLElement, text: string): void {
  showBar(code, text);
  const node = code.firstChild;
  if (!(node instanceof Text) || code.childNodes.length > 1) {
    if (code.textContent !== text) code.replaceChildren(document.createTextNode(text));
    return;
  }
  if (text === node.data) return;
  if (text.startsWith(node.data)) node.appendData(text.slice(node.length));
  else node.data = text;
}

/** One command stands without a bar above it: its buttons come over its end. */
function showBar(code: HTMLElement, text: string): void {
  const isOne = isForShell(code.dataset['lang'] ?? '') && !text.trimEnd().includes('\n');
  code.closest('figure')?.classList.toggle('one', isOne);
}

/** Colours every block of code under `root`, when the browser has time for it. */
export function highlightIn(root: ParentNode): void {
  for (const code of root.querySelectorAll<HTMLElement>('figure.block > pre > code[data-lang]')) {
    highlight(code, code.dataset['lang'] ?? '');
  }
}

/** Opens a menu of the actions that a narrow block hides. */
function more(): HTMLButtonElement {
  const button = act('more', 'ellipsis', l10n.t('More Code Actions'), 'narrow');
  button.setAttribute('aria-haspopup', 'menu');
  button.setAttribute('aria-expanded', 'false');
  return button;
}

function act(action: string, icon: string, label: string, place: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = `icon small ${place}`.trim();
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
