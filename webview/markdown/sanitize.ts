import * as l10n from '@vscode/l10n';
import DOMPurify from 'dompurify';
import { createCodeBlock } from './codeBlock';
import { linkTarget } from './linkTarget';

const TAGS = [
  ...[
    'p',
    'br',
    'hr',
    'h3',
    'h4',
    'h5',
    'h6',
    'blockquote',
    'ul',
    'ol',
    'li',
    'pre',
    'code',
    'span',
  ],
  ...['strong', 'b', 'em', 'i', 'del', 's', 'ins', 'u', 'mark', 'sub', 'sup', 'kbd', 'a'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td', 'details', 'summary'],
];
const ATTRIBUTES = [
  ...['data-href', 'data-info', 'data-task', 'start', 'align', 'open'],
  ...['data-note', 'data-reference', 'data-math', 'data-formula'],
];

/** Elements whose content is not prose: dropped whole. All other unknown elements leave their text. */
const DROPPED = [
  ...['script', 'style', 'template', 'iframe', 'object', 'embed', 'noscript', 'svg', 'math'],
  ...['title', 'textarea', 'select', 'xmp', 'noembed', 'noframes', 'plaintext', 'audio', 'video'],
];

/** Control characters, which Markdown and HTML can write as numbers. */
const ESCAPE = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|&#(?:0*27(?!\d)|x0*1b(?![\da-f]));?/gi;

const purifier = DOMPurify(window);
// Set once: parsing the configuration with each call would cost more than most blocks.
purifier.setConfig({
  ALLOWED_TAGS: TAGS,
  ALLOWED_ATTR: ATTRIBUTES,
  // Links are checked by `linkTarget`, which also knows paths.
  ADD_URI_SAFE_ATTR: ['data-href'],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  FORBID_CONTENTS: DROPPED,
  RETURN_DOM_FRAGMENT: true,
});

/** `html` made from an agent's words, as safe DOM with Parley's own shapes for code, tables, tasks and links. */
export function sanitize(html: string): DocumentFragment {
  const fragment = purifier.sanitize(html.replace(ESCAPE, '')) as unknown as DocumentFragment;
  for (const link of fragment.querySelectorAll('a')) shapeLink(link);
  for (const pre of fragment.querySelectorAll('pre')) {
    pre.replaceWith(createCodeBlock(pre.textContent, pre.dataset['info'] ?? '').element);
  }
  for (const table of fragment.querySelectorAll('table')) {
    if (!table.parentElement?.closest('table')) wrapTable(table);
  }
  for (const box of fragment.querySelectorAll<HTMLElement>('[data-task]')) shapeTask(box);
  for (const reference of fragment.querySelectorAll<HTMLElement>('[data-reference]')) {
    shapeReference(reference);
  }
  for (const item of fragment.querySelectorAll<HTMLElement>('summary, [data-note]')) {
    item.tabIndex = -1;
  }
  return fragment;
}

/** Tables scroll in a box of their own, so that nothing else scrolls sideways. */
export function wrapTable(table: HTMLTableElement): HTMLElement {
  const box = document.createElement('div');
  box.className = 'tablewrap';
  box.tabIndex = -1;
  box.setAttribute('role', 'region');
  box.setAttribute('aria-label', l10n.t('Table'));
  table.replaceWith(box);
  box.append(table);
  return box;
}

function shapeLink(link: HTMLAnchorElement): void {
  const target = linkTarget(link.dataset['href'] ?? '');
  if (target === undefined) {
    link.replaceWith(...link.childNodes);
    return;
  }
  link.setAttribute('role', 'link');
  link.tabIndex = -1;
  link.title = target;
}

function shapeReference(reference: HTMLElement): void {
  const label = reference.textContent;
  const link = document.createElement('a');
  link.setAttribute('role', 'link');
  link.tabIndex = -1;
  link.textContent = label;
  link.setAttribute('aria-label', l10n.t('Footnote {0}', label));
  reference.replaceChildren(link);
}

function shapeTask(box: HTMLElement): void {
  const done = box.dataset['task'] === 'done';
  const icon = document.createElement('i');
  icon.className = `codicon codicon-${done ? 'check' : 'circle-outline'}`;
  icon.setAttribute('aria-hidden', 'true');
  const words = document.createElement('span');
  words.className = 'vh';
  words.textContent = done ? l10n.t('Done: ') : l10n.t('To do: ');
  box.closest('li')?.classList.add('task');
  box.replaceWith(icon, words);
}
