import type { RendererThis, Token, TokenizerThis, Tokens } from 'marked';

/** Alone in its line or before its summary: `<details>` in a sentence is a word. */
const OPENING = /^ {0,3}<details(\s+open)?[^\n<>]*>[ \t]*(?=\n|<summary|$)/i;
const SUMMARY = /^\s*<summary>([\s\S]*?)<\/summary>/i;
const TAG = /<(\/?)details\b[^<>]*>/gi;

/** All up to the tag that closes it; while that has not come, all there is. */
export function detailsBlock(this: TokenizerThis, source: string): Tokens.Generic | undefined {
  const opening = OPENING.exec(source);
  if (!opening) return undefined;
  const { end, after } = closing(source, opening[0].length);
  const inside = source.slice(opening[0].length, end);
  const summary = SUMMARY.exec(inside);
  const { lexer } = this;
  const title: Token = {
    type: 'summary',
    raw: summary?.[0] ?? '',
    tokens: lexer.inline(summary?.[1]?.trim() ?? '', []),
  };
  const body = lexer.blockTokens(inside.slice(summary?.[0].length ?? 0), []);
  const raw = source.slice(0, after);
  return { type: 'details', raw, isOpen: opening[1] !== undefined, tokens: [title, ...body] };
}

export function detailsHtml(this: RendererThis, { isOpen, tokens = [] }: Tokens.Generic): string {
  const [title, ...body] = tokens;
  const words = title && 'tokens' in title ? this.parser.parseInline(title.tokens ?? []) : '';
  const open = isOpen === true ? ' open' : '';
  return `<details${open}><summary>${words}</summary>${this.parser.parse(body)}</details>`;
}

/** Where the element's content ends, and where it ends itself with its line. */
function closing(source: string, from: number): { readonly end: number; readonly after: number } {
  let depth = 1;
  TAG.lastIndex = from;
  for (let tag = TAG.exec(source); tag; tag = TAG.exec(source)) {
    depth += tag[1] === '/' ? -1 : 1;
    if (depth > 0) continue;
    const line = /^[ \t]*\n?/.exec(source.slice(TAG.lastIndex))?.[0] ?? '';
    return { end: tag.index, after: TAG.lastIndex + line.length };
  }
  return { end: source.length, after: source.length };
}
