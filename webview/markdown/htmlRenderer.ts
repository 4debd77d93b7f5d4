import { Parser, Renderer, type Token, type Tokens } from 'marked';
import { linkTarget } from './linkTarget';

/**
 * Tokens to HTML, still unsafe: the agent's own HTML is in it. `sanitize` makes DOM of it, and turns
 * `pre`, `table` and `[data-task]` into what Parley shows.
 */
class HtmlRenderer extends Renderer {
  override heading({ tokens, depth }: Tokens.Heading): string {
    // h1 and h2 belong to the panel.
    const level = Math.min(depth + 2, 6);
    return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
  }

  override code({ text, lang }: Tokens.Code): string {
    return `<pre data-lang="${escapeHtml(language(lang))}"><code>${escapeHtml(text)}</code></pre>`;
  }

  override checkbox({ checked }: Tokens.Checkbox): string {
    return `<span data-task="${checked ? 'done' : 'open'}"></span>`;
  }

  override link({ href, tokens }: Tokens.Link): string {
    const text = this.parser.parseInline(tokens);
    const target = linkTarget(href);
    return target === undefined ? text : anchor(target, text);
  }

  /**
   * The agent's own tags lose their attributes here already: `sanitize` would drop them too, but the
   * browser reports each event handler and style sheet that it meets as a breach of the content security
   * policy.
   */
  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    return text.replace(/<([a-z][\w-]*)[^<>]*/gi, '<$1').replace(/<(\/?)style\b/gi, '<$1template');
  }

  /** Images are never fetched: they become a link to what they would show. */
  override image({ href, text }: Tokens.Image): string {
    const target = linkTarget(href);
    const label = escapeHtml(text || href);
    return target === undefined ? label : anchor(target, label);
  }
}

/** The first word after the fence, without braces and attributes. */
export function language(info: string | undefined): string {
  return /^[\w+#.-]+/.exec(info ?? '')?.[0] ?? '';
}

export function tokensToHtml(tokens: Token[]): string {
  return Parser.parse(tokens, { renderer: new HtmlRenderer() });
}

export function inlineToHtml(tokens: Token[]): string {
  return Parser.parseInline(tokens, { renderer: new HtmlRenderer() });
}

function anchor(target: string, html: string): string {
  return `<a data-href="${escapeHtml(target)}">${html}</a>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, char => `&#${char.charCodeAt(0)};`);
}
