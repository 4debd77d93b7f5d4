import type { Token, Tokens } from 'marked';
import { withoutEscapes } from '../../src/base/escapeSequences';
import { lexBlocks, lexInline } from '../markdown/blocks';

/** The words of a message, without the signs of Markdown: a text for each line in which something can be found. */
export function proseLines(markdown: string): readonly string[] {
  const { blocks, links } = lexBlocks(withoutEscapes(markdown), {});
  return blocks.flatMap(block => {
    lexInline(block, links);
    return linesOf(block.token);
  });
}

function linesOf(token: Token): readonly string[] {
  switch (token.type) {
    case 'space':
    case 'def':
    case 'hr':
      return [];
    case 'code':
      return [(token as Tokens.Code).text];
    case 'list':
      return (token as Tokens.List).items.flatMap(({ tokens }) => tokens.flatMap(linesOf));
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      return [header, ...rows].flat().map(({ tokens }) => words(tokens));
    }
    case 'blockquote':
    case 'details':
      return ((token as Tokens.Generic).tokens ?? []).flatMap(linesOf);
    default:
      return [wordsOf(token)];
  }
}

function words(tokens: readonly Token[]): string {
  return tokens.map(wordsOf).join('');
}

function wordsOf(token: Token): string {
  const { type, tokens, text, raw } = token as Tokens.Generic;
  if (type === 'br') return '\n';
  if (type === 'html') return String(raw).replace(/<[^<>]*>/g, '');
  if (type === 'math') return String(raw).trim();
  if (type === 'image') return '';
  return tokens ? words(tokens) : String(text ?? '');
}
