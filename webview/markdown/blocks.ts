import { Lexer, type Links, type Token, type Tokens } from 'marked';
import { EXTENSIONS } from './extensions';
import { ProseTokenizer } from './proseTokenizer';

/** One top-level block of a message: marked's token, with the inline text in it still to be lexed. */
export interface Block {
  readonly token: Token;
  readonly raw: string;
  readonly inlines: readonly Inline[];
}

interface Inline {
  readonly source: string;
  /** Where the tokens of `source` go, after `prefix` (the box of a task). */
  readonly into: Token[];
  readonly prefix: readonly Token[];
}

/** Inline text is lexed in pieces of about this length: marked's rules are quadratic in the worst case. */
const INLINE_PIECE = 4096;

/**
 * Splits `source` (with `\n` line ends) into top-level blocks.
 *
 * @param links reference definitions that hold already; the result's `links` adds those in `source`.
 */
export function lexBlocks(
  source: string,
  links: Links,
): { readonly blocks: readonly Block[]; readonly links: Links } {
  const lexer = newLexer();
  lexer.tokens.links = Object.create(links) as Links;
  let tokens: Token[];
  try {
    tokens = lexer.blockTokens(source, []);
  } catch {
    // Nested too deeply to be parsed: show it as it is.
    return { blocks: source === '' ? [] : [plainBlock(source)], links };
  }
  const sources = new Map(lexer.inlineQueue.map(entry => [entry.tokens, entry.src]));
  const blocks = tokens.map(token => {
    const inlines: Inline[] = [];
    visitInline(token, into => {
      const text = sources.get(into);
      if (text !== undefined) inlines.push({ source: text, into, prefix: [...into] });
    });
    return { token, raw: token.raw, inlines };
  });
  return { blocks, links: withLinks(links, lexer.tokens.links) };
}

/** Lexes the inline text below `tokens` of `block`, all of it when they are left out. */
export function lexInline(block: Block, links: Links, below?: readonly Token[][]): void {
  const wanted = below && new Set(below);
  const lexer = newLexer();
  lexer.tokens.links = links;
  for (const inline of block.inlines) {
    if (wanted && !wanted.has(inline.into)) continue;
    inline.into.length = 0;
    inline.into.push(...inline.prefix);
    for (const piece of pieces(inline.source)) {
      try {
        inline.into.push(...lexer.inlineTokens(piece, []));
      } catch {
        inline.into.push(plainText(piece));
      }
    }
  }
}

/** Calls `visit` with every list of inline tokens in `token`. */
export function visitInline(token: Token, visit: (tokens: Token[]) => void): void {
  const nested = token as Partial<Tokens.Generic>;
  if (token.type === 'list') {
    for (const item of (token as Tokens.List).items) visitInline(item, visit);
  } else if (token.type === 'table') {
    const table = token as Tokens.Table;
    for (const row of [table.header, ...table.rows]) for (const cell of row) visit(cell.tokens);
  } else if (nested.tokens) {
    visit(nested.tokens);
    for (const child of nested.tokens) visitInline(child, visit);
  }
}

/** No reference definitions. Without a prototype: a label may be any word. */
export const NO_LINKS = Object.create(null) as Links;

/** `links` and `more`, where `links` holds; the same object when there is nothing to add. */
export function withLinks(links: Links, more: Links): Links {
  const added = Object.keys(more).filter(label => !(label in links));
  if (added.length === 0) return links;
  const all = Object.assign(Object.create(null) as Links, links);
  for (const label of added) all[label] = more[label] as Links[string];
  return all;
}

/** The reference definitions inside `block`. */
export function definitionsIn(block: Block): Links {
  const found = Object.create(null) as Links;
  const visit = (token: Token): void => {
    if (token.type === 'def') {
      const def = token as Tokens.Def;
      if (!(def.tag in found)) found[def.tag] = { href: def.href, title: def.title };
    }
    if (token.type === 'footnote') {
      const { label, href } = token;
      found[`^${String(label).toLowerCase()}`] ??= { href: String(href), title: null };
    }
    const items = token.type === 'list' ? (token as Tokens.List).items : undefined;
    for (const child of items ?? (token as Partial<Tokens.Generic>).tokens ?? []) visit(child);
  };
  visit(block.token);
  return found;
}

function newLexer(): Lexer {
  return new Lexer({ gfm: true, tokenizer: new ProseTokenizer(), extensions: EXTENSIONS });
}

function plainBlock(raw: string): Block {
  const token: Tokens.Paragraph = { type: 'paragraph', raw, text: raw, tokens: [plainText(raw)] };
  return { token, raw, inlines: [] };
}

function plainText(raw: string): Tokens.Text {
  return { type: 'text', raw, text: raw, escaped: false };
}

function* pieces(source: string): Generator<string> {
  let from = 0;
  while (source.length - from > INLINE_PIECE) {
    const window = source.slice(from, from + INLINE_PIECE);
    const gap = Math.max(window.lastIndexOf('\n'), window.lastIndexOf(' '));
    let length = gap > INLINE_PIECE / 2 ? gap + 1 : INLINE_PIECE;
    const last = source.charCodeAt(from + length - 1);
    if (last >= 0xd800 && last < 0xdc00) length -= 1; // never half a character
    yield source.slice(from, from + length);
    from += length;
  }
  yield source.slice(from);
}
