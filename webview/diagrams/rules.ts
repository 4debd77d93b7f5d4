/**
 * The rules of `css` that reach nothing but a diagram. A diagram says some of its styles itself, and they stand in the
 * page's document while it is measured: a brace too many must not let them out.
 */
export function ownRules(css: string): string {
  const sheet = new CSSStyleSheet();
  // Leaves out what it would have to load.
  sheet.replaceSync(css);
  return [...sheet.cssRules]
    .filter(rule => isOwn(rule) && !/url\((?!["']?#)/i.test(rule.cssText))
    .map(({ cssText }) => cssText)
    .join('\n');
}

function isOwn(rule: CSSRule): boolean {
  if (rule instanceof CSSKeyframesRule) return true;
  if (!(rule instanceof CSSStyleRule)) return false;
  return rule.selectorText.split(',').every(selector => /^\s*#diagram-\d/.test(selector));
}
