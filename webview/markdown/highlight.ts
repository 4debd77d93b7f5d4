import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import cpp from 'highlight.js/lib/languages/cpp';
import css from 'highlight.js/lib/languages/css';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

hljs.registerLanguage('bash', bash);
hljs.registerLanguage('cpp', cpp);
hljs.registerLanguage('css', css);
hljs.registerLanguage('go', go);
hljs.registerLanguage('java', java);
hljs.registerLanguage('javascript', javascript);
hljs.registerLanguage('json', json);
hljs.registerLanguage('python', python);
hljs.registerLanguage('rust', rust);
hljs.registerLanguage('typescript', typescript);
hljs.registerLanguage('xml', xml);
hljs.registerLanguage('yaml', yaml);
hljs.registerAliases(['console', 'shell', 'shellsession'], { languageName: 'bash' });

/** Longer code stays plain, in UTF-16 units: colouring it would take longer than a frame. */
const MAX_COLOURED = 30_000;

/** Class of the span per scope; the theme's debug token colours are the only ones a webview is given. */
const CLASSES: Readonly<Record<string, string>> = {
  keyword: 'k',
  type: 'k',
  'selector-tag': 'k',
  name: 'k',
  section: 'k',
  meta: 'k',
  string: 's',
  regexp: 's',
  char: 's',
  link: 's',
  quote: 's',
  addition: 's',
  number: 'n',
  literal: 'n',
  symbol: 'n',
  bullet: 'n',
  comment: 'c',
  doctag: 'c',
};

/** The name people know a language by; the word as written when it is not one of ours. */
export function languageName(lang: string): string {
  if (/^(tsx|jsx|html|svg|c|diff|sql|sh|zsh|shell|console)$/i.test(lang)) {
    return /^(sh|zsh|shell|console)$/i.test(lang) ? 'Shell' : lang.toUpperCase();
  }
  return hljs.getLanguage(lang)?.name ?? lang;
}

const queue: { readonly code: HTMLElement; readonly lang: string }[] = [];
let scheduled = false;

/** Colours finished code once, when the browser is idle; code of a language we do not have stays plain. */
export function highlight(code: HTMLElement, lang: string): void {
  const length = code.textContent.length;
  if (length === 0 || length > MAX_COLOURED || !hljs.getLanguage(lang)) return;
  if (code.dataset['coloured'] !== undefined) return;
  code.dataset['coloured'] = '';
  queue.push({ code, lang });
  schedule();
}

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  requestIdleCallback(
    deadline => {
      scheduled = false;
      do {
        const next = queue.shift();
        if (next) colour(next.code, next.lang);
      } while (queue.length > 0 && deadline.timeRemaining() > 4);
      if (queue.length > 0) schedule();
    },
    { timeout: 500 },
  );
}

function colour(code: HTMLElement, lang: string): void {
  const { value } = hljs.highlight(code.textContent, { language: lang, ignoreIllegals: true });
  code.replaceChildren(toNodes(value));
}

/**
 * highlight.js gives escaped text with `<span class="hljs-…">` and `</span>` in it: read exactly that, so
 * that no HTML is ever parsed.
 */
function toNodes(value: string): DocumentFragment {
  const root = document.createDocumentFragment();
  const open: Node[] = [root];
  let text = '';
  const flush = (): void => {
    if (text) open.at(-1)?.appendChild(document.createTextNode(text));
    text = '';
  };
  for (const piece of value.split(/(<[^>]*>)/)) {
    if (!piece.startsWith('<')) {
      text += unescapeHtml(piece);
      continue;
    }
    const scope = /class="hljs-([\w-]+)/.exec(piece)?.[1];
    const kind = scope && CLASSES[scope];
    flush();
    if (piece.startsWith('</')) {
      if (open.length > 1) open.pop();
      continue;
    }
    const span = document.createElement('span');
    if (kind) span.className = kind;
    open.at(-1)?.appendChild(span);
    open.push(span);
  }
  flush();
  return root;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};

function unescapeHtml(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#x27);/g, entity => ENTITIES[entity] ?? entity);
}
