import type { Token, TokenStream } from 'prismjs';
import type * as highlighter from '../highlighter/main';

/** Loaded with the first code block that can use it. */
let loading: Promise<typeof highlighter> | undefined;

/** Longer code stays plain, in UTF-16 units: colouring it would take longer than a frame. */
const MAX_COLOURED = 30_000;

/** Class of the span per kind of token; the theme's debug token colours are the only ones a webview is given. */
const CLASSES: Readonly<Record<string, string>> = {
  keyword: 'k',
  builtin: 'k',
  boolean: 'n',
  constant: 'n',
  tag: 'k',
  selector: 'k',
  atrule: 'k',
  property: 'k',
  key: 'k',
  string: 's',
  'template-string': 's',
  'attr-value': 's',
  regex: 's',
  char: 's',
  url: 's',
  number: 'n',
  symbol: 'n',
  comment: 'c',
  coord: 'c',
  'inserted-sign': 'inserted',
  'inserted-arrow': 'inserted',
  'deleted-sign': 'deleted',
  'deleted-arrow': 'deleted',
  prolog: 'c',
  doctype: 'c',
};

const NAMES: Readonly<Record<string, string>> = {
  bash: 'Shell',
  console: 'Shell',
  sh: 'Shell',
  shell: 'Shell',
  shellsession: 'Shell',
  zsh: 'Shell',
  c: 'C',
  cs: 'C#',
  csharp: 'C#',
  cpp: 'C++',
  css: 'CSS',
  diff: 'Diff',
  go: 'Go',
  html: 'HTML',
  java: 'Java',
  javascript: 'JavaScript',
  js: 'JavaScript',
  json: 'JSON',
  jsx: 'JSX',
  markdown: 'Markdown',
  md: 'Markdown',
  mermaid: 'Mermaid',
  py: 'Python',
  python: 'Python',
  rs: 'Rust',
  rust: 'Rust',
  sql: 'SQL',
  svg: 'SVG',
  ts: 'TypeScript',
  tsx: 'TSX',
  typescript: 'TypeScript',
  xml: 'XML',
  yaml: 'YAML',
  yml: 'YAML',
};

/** Names of fences that mean a language known under another. */
const ALIASES: Readonly<Record<string, string>> = {
  console: 'bash',
  jsx: 'javascript',
  rs: 'rust',
  sh: 'bash',
  shellsession: 'bash',
  tsx: 'typescript',
  zsh: 'bash',
};

/** The name people know a language by; the word as written when it is not one of ours. */
export function languageName(lang: string): string {
  return NAMES[lang.toLowerCase()] ?? lang;
}

const queue: { readonly code: HTMLElement; readonly lang: string }[] = [];
let scheduled = false;

/** Colours finished code once, when the browser is idle; code of a language we do not have stays plain. */
export function highlight(code: HTMLElement, lang: string): void {
  const length = code.textContent.length;
  if (length === 0 || length > MAX_COLOURED || !NAMES[lang.toLowerCase()]) return;
  if (code.dataset['coloured'] !== undefined) return;
  code.dataset['coloured'] = '';
  queue.push({ code, lang });
  schedule();
}

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  loading ??= import('../highlighter/main');
  // Without it code stays plain, and can be read.
  loading.then(whenIdle, () => undefined);
}

function whenIdle({ tokens }: typeof highlighter): void {
  requestIdleCallback(
    deadline => {
      scheduled = false;
      do {
        const next = queue.shift();
        if (next) colour(next.code, tokens(next.code.textContent, languageId(next.lang)));
      } while (queue.length > 0 && deadline.timeRemaining() > 4);
      if (queue.length > 0) schedule();
    },
    { timeout: 500 },
  );
}

function languageId(lang: string): string {
  const word = lang.toLowerCase();
  return ALIASES[word] ?? word;
}

function colour(code: HTMLElement, tokens: TokenStream | undefined): void {
  if (tokens) code.replaceChildren(toNodes(tokens));
}

function toNodes(stream: TokenStream): DocumentFragment {
  const nodes = document.createDocumentFragment();
  for (const token of Array.isArray(stream) ? stream : [stream]) nodes.append(toNode(token));
  return nodes;
}

function toNode(token: string | Token): Node | string {
  if (typeof token === 'string') return token;
  const kind = CLASSES[token.type];
  const content = toNodes(token.content);
  if (!kind) return content;
  const span = document.createElement('span');
  span.className = kind;
  span.append(content);
  return span;
}
