/**
 * Light Modern and others give descriptions the very colour of text, which leaves no quiet text. Marks the
 * body then, and the style sheet mixes one; high contrast stays as it is. Checked on each change of theme.
 */
export function followTheme(): void {
  const check = () => {
    const style = getComputedStyle(document.documentElement);
    const value = (name: string) => style.getPropertyValue(name).trim();
    const flat =
      !document.body.classList.contains('vscode-high-contrast') &&
      value('--vscode-foreground') === value('--vscode-descriptionForeground') &&
      quietIsReadable(value('--vscode-foreground'));
    document.body.toggleAttribute('data-flat-description', flat);
  };
  const observer = new MutationObserver(check);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
  observer.observe(document.body, { attributes: true, attributeFilter: ['class'] });
  check();
}

/** Whether text mixed to 76 % still has a contrast of 4.5:1 against the panel's background. */
function quietIsReadable(foreground: string): boolean {
  const background = getComputedStyle(document.body).backgroundColor;
  const text = channels(foreground);
  const ground = channels(background);
  if (!text || !ground) return true;
  const mixed = text.map((value, index) => value * 0.76 + (ground[index] ?? 0) * 0.24);
  const [lighter, darker] = [luminance(mixed), luminance(ground)].sort((a, b) => b - a);
  return ((lighter ?? 1) + 0.05) / ((darker ?? 0) + 0.05) >= 4.5;
}

/** Red, green and blue of a CSS colour, 0 to 255; undefined for what the canvas does not know. */
function channels(colour: string): readonly number[] | undefined {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context || !CSS.supports('color', colour)) return undefined;
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
}

/** Relative luminance as WCAG defines it. */
function luminance(rgb: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = rgb.map(value => {
    const part = value / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
