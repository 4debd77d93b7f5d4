import type { Token, TokenStream } from 'prismjs';
import { classOf, colorWhenIdle, MAX_COLORED, piecesOf } from '../highlighter/idleHighlighter';
import { languageId } from '../highlighter/languages';

/** Colours finished code once, when the browser is idle; code of a language we do not have stays plain. */
export function highlight(code: HTMLElement, lang: string): void {
  const { length } = code.textContent;
  const id = languageId(lang);
  if (length === 0 || length > MAX_COLORED || id === undefined) return;
  if (code.dataset['coloured'] !== undefined) return;
  code.dataset['coloured'] = '';
  colorWhenIdle(tokenize => {
    const tokens = tokenize(code.textContent, id);
    if (tokens) code.replaceChildren(toNodes(tokens));
  });
}

function toNodes(stream: TokenStream): DocumentFragment {
  const nodes = document.createDocumentFragment();
  for (const token of piecesOf(stream)) nodes.append(toNode(token));
  return nodes;
}

function toNode(token: string | Token): Node | string {
  if (typeof token === 'string') return token;
  const kind = classOf(token);
  const content = toNodes(token.content);
  if (!kind) return content;
  const span = document.createElement('span');
  span.className = kind;
  span.append(content);
  return span;
}
