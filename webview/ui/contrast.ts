/** Channels from 0 to 255. */
export interface Rgb {
  readonly r: number;
  readonly g: number;
  readonly b: number;
}

/** With alpha, from 0 to 1. */
export interface Rgba extends Rgb {
  readonly a: number;
}

/** WCAG's limit for text is 4.5; the browser rounds what it mixes. */
const ENOUGH = 4.55;

const WHITE: Rgb = { r: 255, g: 255, b: 255 };
const BLACK: Rgb = { r: 0, g: 0, b: 0 };

/** `#rgb`, `#rrggbb` (both also with alpha), `rgb(…)` and `rgba(…)`. */
export function parseColor(text: string): Rgba | undefined {
  const value = text.trim();
  const short = /^#([\da-f])([\da-f])([\da-f])([\da-f])?$/i.exec(value);
  const long = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})([\da-f]{2})?$/i.exec(value);
  const [, r, g, b, a = 'ff'] = long ?? short?.map(part => part && part + part) ?? [];
  if (r && g && b) {
    const [red, green, blue, alpha] = [r, g, b, a].map(part => parseInt(part, 16));
    return { r: red ?? 0, g: green ?? 0, b: blue ?? 0, a: (alpha ?? 255) / 255 };
  }
  const numbers = /^rgba?\(\s*([\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)(?:[\s,/]+([\d.]+))?/.exec(value);
  return numbers
    ? {
        r: Number(numbers[1]),
        g: Number(numbers[2]),
        b: Number(numbers[3]),
        a: Number(numbers[4] ?? 1),
      }
    : undefined;
}

export function cssColor({ r, g, b }: Rgb): string {
  return `rgb(${Math.round(r)}, ${Math.round(g)}, ${Math.round(b)})`;
}

export function contrast(a: Rgb, b: Rgb): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

/** What is seen of `color` on `ground`. */
export function over(color: Rgba, ground: Rgb): Rgb {
  return mix(ground, color, color.a);
}

/** `color`, moved towards white or black until it is readable on all `grounds`, as VS Code's terminal does. */
export function lifted(color: Rgb, ...grounds: readonly Rgb[]): Rgb {
  const least = (text: Rgb): number => Math.min(...grounds.map(ground => contrast(text, ground)));
  if (least(color) >= ENOUGH) return color;
  const target = least(WHITE) >= least(BLACK) ? WHITE : BLACK;
  for (let share = 0.1; share < 1; share += 0.1) {
    const mixed = mix(color, target, share);
    if (least(mixed) >= ENOUGH) return mixed;
  }
  return target;
}

/** @param share how much of `to` */
export function mix(from: Rgb, to: Rgb, share: number): Rgb {
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
