/** A tag as browsers write it. */
const TAG = /<[a-z][^\s/>"]*(?:\s+[^\s=>"]+(?:="[^"]*")?)*\s*\/?>/gi;
const RULES = /<style[^>]*>([^]*?)<\/style>/gi;

/** Where a style is kept while a text is parsed: a policy without `unsafe-inline` reports each `style` attribute. */
const ATTRIBUTE = 'data-drawn-style';
const RULES_TAG = 'data-drawn-rules';

/** `text` with the styles in it where {@link restoreStyles} finds them. */
export function stylesNamedApart(text: string): string {
  return text
    .replace(TAG, tag => tag.replace(/(\s)style(?==")/gi, `$1${ATTRIBUTE}`))
    .replace(RULES, (_, rules: string) => `<g ${RULES_TAG}="${escaped(rules)}"></g>`);
}

/** Labels have no use for attributes, which may be handlers. */
export function attributesDropped(text: string): string {
  return text.replace(/<([a-z][\w-]*)[^>]*>/gi, '<$1>');
}

export function restoreStyles(root: Element): void {
  for (const element of root.querySelectorAll<SVGElement>(`[${ATTRIBUTE}]`)) restore(element);
  restore(root as SVGElement);
  for (const element of root.querySelectorAll(`[${RULES_TAG}]`)) {
    const style = document.createElementNS('http://www.w3.org/2000/svg', 'style');
    style.textContent = element.getAttribute(RULES_TAG);
    element.replaceWith(style);
  }
}

function restore(element: SVGElement): void {
  const style = element.getAttribute(ATTRIBUTE);
  if (style === null) return;
  element.removeAttribute(ATTRIBUTE);
  element.style.cssText = style;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
