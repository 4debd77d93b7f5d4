/** Channels from 0 to 255. */
export interface Rgb {
  readonly r: number;
  readonly g: number;
  readonly b: number;
}

/** WCAG's limit for text. */
const ENOUGH = 4.5;

/** `#rgb`, `#rrggbb`, `rgb(…)` and `rgba(…)`; alpha is left out. */
export function parseColor(text: string): Rgb | undefined {
  const value = text.trim();
  const short = /^#([\da-f])([\da-f])([\da-f])[\da-f]?$/i.exec(value);
  const long = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})(?:[\da-f]{2})?$/i.exec(value);
  const [, r = '', g = '', b = ''] = long ?? short?.map(part => part + part) ?? [];
  if (long || short) return { r: parseInt(r, 16), g: parseInt(g, 16), b: parseInt(b, 16) };
  const numbers = /^rgba?\(\s*([\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(value);
  return numbers
    ? { r: Number(numbers[1]), g: Number(numbers[2]), b: Number(numbers[3]) }
    : undefined;
}

export function contrast(a: Rgb, b: Rgb): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

/** `color`, moved towards white or black until it is readable on `background`, as VS Code's terminal does. */
export function lifted(color: Rgb, background: Rgb): Rgb {
  if (contrast(color, background) >= ENOUGH) return color;
  const white = { r: 255, g: 255, b: 255 };
  const black = { r: 0, g: 0, b: 0 };
  const target = contrast(white, background) >= contrast(black, background) ? white : black;
  for (let share = 0.1; share < 1; share += 0.1) {
    const mixed = mix(color, target, share);
    if (contrast(mixed, background) >= ENOUGH) return mixed;
  }
  return target;
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const channel = (a: number, b: number): number => a + (b - a) * share;
  return { r: channel(from.r, to.r), g: channel(from.g, to.g), b: channel(from.b, to.b) };
}

function luminance({ r, g, b }: Rgb): number {
  const [red = 0, green = 0, blue = 0] = [r, g, b].map(channel => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
