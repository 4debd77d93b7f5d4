import type { RendererThis, TokenizerThis, Tokens } from 'marked';
import { escapeHtml } from './escapeHtml';

/** Up to the next blank line or definition. */
const DEFINITION =
  /^ {0,3}\[\^([^\]\s[]{1,40})\]:[ \t]+([^\n]+(?:\n(?! {0,3}\[\^|[ \t]*(?:\n|$))[^\n]+)*)(?:\n|$)/;

/** What a reference to a footnote has as its address. */
const SCHEME = 'footnote:';

/**
 * `[^1]: …`. To Markdown it is also the definition of the reference `[^1]`, so that one which comes late makes
 * references of what was plain before.
 */
export function footnoteBlock(this: TokenizerThis, source: string): Tokens.Generic | undefined {
  const match = DEFINITION.exec(source);
  if (!match) return undefined;
  const [raw, label = '', text = ''] = match;
  const { lexer } = this;
  lexer.tokens.links[`^${label.toLowerCase()}`] ??= { href: SCHEME + label, title: null };
  return { type: 'footnote', raw, label, href: SCHEME + label, tokens: lexer.inline(text, []) };
}

export function footnoteHtml(this: RendererThis, { label, tokens }: Tokens.Generic): string {
  const text = this.parser.parseInline(tokens ?? []);
  return `<p data-note="${escapeHtml(String(label))}"><sup>${escapeHtml(String(label))}</sup> ${text}</p>`;
}

/** @returns undefined for any other link */
export function referenceHtml(href: string): string | undefined {
  if (!href.startsWith(SCHEME)) return undefined;
  const label = escapeHtml(href.slice(SCHEME.length));
  return `<sup data-reference="${label}">${label}</sup>`;
}
