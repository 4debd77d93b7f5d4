import type { Token, TokenStream } from 'prismjs';
import type * as highlighter from './main';

/** Tells the words of a language apart. */
export type Tokenize = typeof highlighter.tokens;

/** Longer code stays plain, in UTF-16 units: coloring it would take longer than a frame. */
export const MAX_COLORED = 30_000;

/** Loaded with the first code that can use it. */
let loading: Promise<typeof highlighter> | undefined;
let loaded: Tokenize | undefined;

const queue: ((tokenize: Tokenize) => void)[] = [];
let scheduled = false;

/** Colors something when the browser is idle; never where the highlighter does not load: code can be read without. */
export function colorWhenIdle(task: (tokenize: Tokenize) => void): void {
  queue.push(task);
  schedule();
}

/** What colors at once, for little code; undefined before it is loaded. */
export function loadedHighlighter(): Tokenize | undefined {
  return loaded;
}

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  loading ??= import('./main');
  loading.then(whenIdle, () => undefined);
}

function whenIdle({ tokens }: typeof highlighter): void {
  loaded = tokens;
  requestIdleCallback(
    deadline => {
      scheduled = false;
      do queue.shift()?.(tokens);
      while (queue.length > 0 && deadline.timeRemaining() > 4);
      if (queue.length > 0) schedule();
    },
    { timeout: 500 },
  );
}

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

/** The class of a piece of code, where its kind has a look of its own. */
export function classOf(token: Token): string | undefined {
  return CLASSES[token.type];
}

export function piecesOf(stream: TokenStream): readonly (string | Token)[] {
  return Array.isArray(stream) ? stream : [stream];
}
