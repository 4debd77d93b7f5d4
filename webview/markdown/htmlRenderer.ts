import { Parser, Renderer, type MarkedOptions, type Token, type Tokens } from 'marked';
import { escapeHtml } from './escapeHtml';
import { EXTENSIONS } from './extensions';
import { referenceHtml } from './footnotes';
import { linkTarget } from './linkTarget';

/** A tag with its name, or `<` of anything else. */
const TAG = /<\/?([a-z][\w-]*)(?![\w-])[^<>]*>|</gi;

/**
 * Elements that say nothing but how their text looks. Those that Parley has no look for leave their text.
 * In small letters only: `<B>` and `<U>` are types.
 */
export const FORMATTING = new Set(
  (
    'a abbr b big blockquote br center cite code dd del details div dl dt em font h1 h2 h3 h4 h5 h6 hr i ins ' +
    'kbd li mark ol p pre q s samp small span strike strong sub summary sup table tbody td tfoot th thead tr ' +
    'tt u ul var wbr'
  ).split(' '),
);

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
    return `<pre data-info="${escapeHtml(lang ?? '')}"><code>${escapeHtml(text)}</code></pre>`;
  }

  override checkbox({ checked }: Tokens.Checkbox): string {
    return `<span data-task="${checked ? 'done' : 'open'}"></span>`;
  }

  override link({ href, tokens }: Tokens.Link): string {
    const reference = referenceHtml(href);
    if (reference !== undefined) return reference;
    const text = this.parser.parseInline(tokens);
    const target = linkTarget(href);
    return target === undefined ? text : anchor(target, text);
  }

  /**
   * Tags that format text lose their attributes here already: `sanitize` would drop them too, but the
   * browser reports each event handler that it meets as a breach of the content security policy. All other
   * tags are shown as they are written: agents write `Vec<String>` outside code too.
   */
  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    return text.replace(TAG, (tag, name?: string) => {
      if (name === undefined || !FORMATTING.has(name)) return escapeHtml(tag);
      return tag.startsWith('</') ? `</${name}>` : `<${name}>`;
    });
  }

  /** Images are never fetched: they become a link to what they would show. */
  override image({ href, text }: Tokens.Image): string {
    const target = linkTarget(href);
    const label = escapeHtml(text || href);
    return target === undefined ? label : anchor(target, label);
  }
}

export function tokensToHtml(tokens: Token[]): string {
  return Parser.parse(tokens, options());
}

export function inlineToHtml(tokens: Token[]): string {
  return Parser.parseInline(tokens, options());
}

function options(): MarkedOptions {
  return { renderer: new HtmlRenderer(), extensions: EXTENSIONS };
}

function anchor(target: string, html: string): string {
  return `<a data-href="${escapeHtml(target)}">${html}</a>`;
}
