import type { Tokens } from 'marked';
import { escapeHtml } from './escapeHtml';

/** `$$` or `\[` at the start of a line. One whose end has not come yet goes on to the end of the text. */
const BLOCKS = [
  /^ {0,3}\$\$([^$\n]+)\$\$[ \t]*(?:\n|$)/,
  /^ {0,3}\$\$[ \t]*\n([\s\S]*?)(?:\n {0,3}\$\$[ \t]*(?:\n|$)|$)/,
  /^ {0,3}\\\[([^\n]+?)\\\][ \t]*(?:\n|$)/,
  /^ {0,3}\\\[[ \t]*\n([\s\S]*?)(?:\n {0,3}\\\][ \t]*(?:\n|$)|$)/,
];

/** Dollars are math where they embrace something without blanks at its ends, and no word goes on behind: not money. */
const INLINES = [
  /^\$\$([^$\n]{1,2000})\$\$/,
  /^\$((?![\s$])(?:\\[^\n]|[^\\$\n]){0,1000}(?:\\[^\n]|[^\\$\s]))\$(?![\w$])/,
  /^\\\(([^\n]{1,2000}?)\\\)/,
];

export function mathBlock(source: string): Tokens.Generic | undefined {
  return token(BLOCKS, source, true);
}

export function mathInline(source: string): Tokens.Generic | undefined {
  return token(INLINES, source, source.startsWith('$$'));
}

/** Where a paragraph may end: marked puts what it cuts in vain together again, with all before it each time. */
const START = /\n {0,3}(?:\$\$(?:[^$\n]+\$\$)?|\\\[(?:[^\n]+?\\\])?)[ \t]*(?:\n|$)/;

export function mathStart(source: string): number | undefined {
  return indexOf(source, START);
}

export function mathInlineStart(source: string): number | undefined {
  return indexOf(source, /\$|\\\(/);
}

/** The text of the formula, to be drawn once its script is loaded; see `webview/math`. */
export function mathHtml({ text, raw, isBlock }: Tokens.Generic): string {
  const shown = escapeHtml(String(raw).trim());
  const tag = isBlock === true ? 'p' : 'span';
  const kind = isBlock === true ? 'block' : 'inline';
  return `<${tag} data-math="${kind}" data-formula="${escapeHtml(String(text))}">${shown}</${tag}>`;
}

function token(
  patterns: readonly RegExp[],
  source: string,
  isBlock: boolean,
): Tokens.Generic | undefined {
  for (const pattern of patterns) {
    const match = pattern.exec(source);
    const text = match?.[1]?.trim();
    if (match && text) return { type: 'math', raw: match[0], text, isBlock };
  }
  return undefined;
}

function indexOf(source: string, pattern: RegExp): number | undefined {
  const at = source.search(pattern);
  return at < 0 ? undefined : at;
}
