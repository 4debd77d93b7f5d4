/** Markdown that makes careless readers hang or fall: all of it is shown, and nothing nests without end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Token, Tokens } from 'marked';
import { lexBlocks, lexInline, NO_LINKS } from '../../../webview/markdown/blocks';
import { MAX_NESTING } from '../../../webview/markdown/proseTokenizer';
import { BOMBS } from './bombs';

/** How many quotes and lists are in each other. */
function nesting(tokens: readonly Token[]): number {
  let deepest = 0;
  for (const token of tokens) {
    const { items } = token as Partial<Tokens.List>;
    const inner = items?.flatMap(item => item.tokens) ?? (token as Partial<Tokens.Generic>).tokens;
    const isNested = token.type === 'blockquote' || token.type === 'list';
    deepest = Math.max(deepest, (isNested ? 1 : 0) + nesting(inner ?? []));
  }
  return deepest;
}

for (const [what, make] of Object.entries(BOMBS)) {
  // What grows with the square of its length would take many minutes.
  test(`is read, and nests in bounds: ${what}`, { timeout: 120_000 }, () => {
    const source = make(1_000);
    const { blocks } = lexBlocks(source, NO_LINKS);
    for (const block of blocks) lexInline(block, NO_LINKS);
    assert.equal(blocks.map(({ raw }) => raw).join(''), source);
    assert.ok(nesting(blocks.map(({ token }) => token)) <= MAX_NESTING);
  });
}

test('quotes and lists nest as deep as anybody writes them', () => {
  const text = '> - 1. > - * a';
  const { blocks } = lexBlocks(text, NO_LINKS);
  assert.equal(nesting(blocks.map(({ token }) => token)), 6);
});
