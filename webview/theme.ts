import { contrast, mix, parseColor, type Rgb } from './ui/contrast';

/** A share of the theme's text color that is quiet, and still text. */
const QUIET = 0.76;

/**
 * Light Modern and others give descriptions the very colour of text, which leaves no quiet text. Marks the
 * body then, and the style sheet mixes one; high contrast stays as it is. Checked on each change of theme.
 * @param more what else depends on the theme
 */
export function followTheme(more?: () => void): void {
  const check = () => {
    const style = getComputedStyle(document.documentElement);
    const value = (name: string) => style.getPropertyValue(name).trim();
    const flat =
      !document.body.classList.contains('vscode-high-contrast') &&
      value('--vscode-foreground') === value('--vscode-descriptionForeground') &&
      quietIsReadable(value('--vscode-foreground'));
    document.body.toggleAttribute('data-flat-description', flat);
    more?.();
  };
  const observer = new MutationObserver(check);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
  observer.observe(document.body, { attributes: true, attributeFilter: ['class'] });
  check();
}

/** The color of quiet text where the theme has none of its own. */
export function quietOf(text: Rgb, ground: Rgb): Rgb {
  return mix(ground, text, QUIET);
}

/** Whether quiet text still has a contrast of 4.5:1 against the panel's background. */
function quietIsReadable(foreground: string): boolean {
  const text = parseColor(foreground);
  const ground = parseColor(getComputedStyle(document.body).backgroundColor);
  return !text || !ground || contrast(quietOf(text, ground), ground) >= 4.5;
}
