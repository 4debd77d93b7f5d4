/** What can be measured about a picture: contrast, overflow, names and cut text. Runs inside the page. */
export function findings(): string[] {
  type Colour = readonly [number, number, number, number];
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const parse = (colour: string): Colour => {
    if (!context) return [0, 0, 0, 0];
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = '#000';
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0, a = 0] = context.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (front: Colour, back: Colour): Colour => {
    const mix = (i: 0 | 1 | 2) => front[i] * front[3] + back[i] * (1 - front[3]);
    return [mix(0), mix(1), mix(2), 1];
  };
  const luminance = (colour: Colour) => {
    const part = (value: number) =>
      value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
    return 0.2126 * part(colour[0]) + 0.7152 * part(colour[1]) + 0.0722 * part(colour[2]);
  };
  const contrast = (a: Colour, b: Colour) => {
    const [x, y] = [luminance(a), luminance(b)];
    return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
  };
  const parentOf = (element: Element): Element | null => {
    const root = element.getRootNode();
    return (
      element.assignedSlot ??
      element.parentElement ??
      (root instanceof ShadowRoot ? root.host : null)
    );
  };
  const behind = (element: Element): Colour => {
    const layers: Colour[] = [];
    for (let at: Element | null = element; at; at = parentOf(at)) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers
      .reverse()
      .reduce((ground, layer) => over(layer, ground), [255, 255, 255, 1] as Colour);
  };
  const hidden = (element: Element) =>
    element.getClientRects().length === 0 ||
    element.closest('.vh, [disabled]') !== null ||
    !element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const found: string[] = [];

  const panel = document.querySelector('.panel');
  if (!panel) return ['there is no panel'];
  const words = document.createTreeWalker(panel, NodeFilter.SHOW_TEXT);
  while (words.nextNode()) {
    const text = words.currentNode.textContent?.trim() ?? '';
    const element = words.currentNode.parentElement;
    if (!text || !element || hidden(element)) continue;
    const style = getComputedStyle(element);
    if (style.webkitTextFillColor === 'rgba(0, 0, 0, 0)') continue;
    const ground = behind(element);
    const value = contrast(over(parse(style.color), ground), ground);
    if (value < 4.5)
      found.push(`text ${value.toFixed(2)}: ${element.className} "${text.slice(0, 30)}"`);
  }
  for (const sign of panel.querySelectorAll('.codicon')) {
    if (hidden(sign)) continue;
    const ground = behind(sign);
    const value = contrast(over(parse(getComputedStyle(sign).color), ground), ground);
    if (value < 3) found.push(`icon ${value.toFixed(2)}: ${sign.className}`);
  }
  const bounds = panel.getBoundingClientRect();
  if (document.documentElement.scrollWidth > bounds.width) found.push('the page scrolls sideways');
  for (const log of panel.querySelectorAll('.log')) {
    if (log.scrollWidth > log.clientWidth) found.push('the conversation scrolls sideways');
  }
  for (const element of panel.querySelectorAll('*')) {
    const box = element.getBoundingClientRect();
    if (box.width === 0 || element.closest('pre, .tablewrap, .formula, .drawing, .vh, .cut'))
      continue;
    if (box.right > bounds.right + 0.5 || box.left < bounds.left - 0.5) {
      found.push(`outside the panel: ${element.tagName} ${element.className}`);
    }
  }
  for (const row of panel.querySelectorAll('.rowh, .foot, .head, .th, .tools')) {
    if (row.scrollWidth > row.clientWidth + 1) found.push(`a row overflows: ${row.className}`);
  }
  for (const cut of panel.querySelectorAll('.cut')) {
    if (cut.scrollWidth > cut.clientWidth + 1 && !cut.closest('[title]')) {
      found.push(`cut without a title: ${cut.textContent?.trim().slice(0, 40) ?? ''}`);
    }
  }
  for (const control of panel.querySelectorAll('button, input, textarea, a, [role="combobox"]')) {
    const labels =
      control instanceof HTMLInputElement ? (control.labels?.[0]?.textContent ?? '') : '';
    const name =
      control.getAttribute('aria-label') ?? (control.textContent?.trim() || labels.trim());
    if (!name) found.push(`no name: ${control.outerHTML.slice(0, 80)}`);
  }
  return found;
}
