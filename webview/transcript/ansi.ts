import Anser from 'anser';
import { cssColor, lifted, parseColor, type Rgb } from '../ui/contrast';

/** A run of terminal text with one look. */
export interface AnsiRun {
  readonly text: string;
  readonly classes: string;
  /** CSS colours, where a class does not say it. */
  readonly color?: string;
  readonly background?: string;
  /** Where it leads. */
  readonly href?: string;
}

const LINK = /\u001b\]8;;(.*?)\u001b\\/;

const NAMES = ['Black', 'Red', 'Green', 'Yellow', 'Blue', 'Magenta', 'Cyan', 'White'];

/** VS Code's defaults, for a theme that leaves a colour out: plain, then bright. */
const PLAIN = [
  '#000000',
  '#cd3131',
  '#0dbc79',
  '#e5e510',
  '#2472c8',
  '#bc3fbc',
  '#11a8cd',
  '#e5e5e5',
];
const BRIGHT = [
  '#666666',
  '#f14c4c',
  '#23d18b',
  '#f5f543',
  '#3b8eea',
  '#d670d6',
  '#29b8db',
  '#e5e5e5',
];

/** The theme's terminal colours, computed once per theme. */
export class TerminalPalette {
  private readonly colours = new Map<string, Rgb | undefined>();
  private readonly background: Rgb;
  private readonly foreground: Rgb;

  constructor(style: CSSStyleDeclaration) {
    const read = (name: string): Rgb | undefined => parseColor(style.getPropertyValue(name));
    this.background = read('--vscode-terminal-background') ??
      read('--vscode-panel-background') ??
      read('--vscode-editor-background') ?? { r: 0, g: 0, b: 0 };
    this.foreground = read('--vscode-terminal-foreground') ??
      read('--vscode-foreground') ?? { r: 204, g: 204, b: 204 };
    NAMES.forEach((name, index) => {
      const key = name.toLowerCase();
      const plain = read(`--vscode-terminal-ansi${name}`) ?? parseColor(PLAIN[index] ?? '');
      const bright = read(`--vscode-terminal-ansiBright${name}`) ?? parseColor(BRIGHT[index] ?? '');
      this.colours.set(`ansi-${key}`, plain);
      this.colours.set(`ansi-bright-${key}`, bright);
    });
  }

  /** `line` of `terminalLines` as runs, each readable at 4.5:1 on its background. */
  runs(line: string): readonly AnsiRun[] {
    if (!line.includes('\u001b')) return [{ text: line, classes: '' }];
    // Text, address, text, …: a part of a line does not depend on the colours before it.
    const [text = '', ...linked] = line.split(LINK);
    const runs = [...this.coloured(text)];
    for (let at = 0; at < linked.length; at += 2) {
      const href = linked[at];
      for (const run of this.coloured(linked[at + 1] ?? ''))
        runs.push(href ? { ...run, href } : run);
    }
    return runs;
  }

  private coloured(text: string): readonly AnsiRun[] {
    return Anser.ansiToJson(text, { json: true, use_classes: true, remove_empty: true }).map(
      entry => this.run(entry),
    );
  }

  private run(entry: Anser.AnserJsonEntry): AnsiRun {
    const decorations = new Set(entry.decorations);
    let color = this.colour(entry.fg, entry.fg_truecolor);
    let background = this.colour(entry.bg, entry.bg_truecolor);
    if (decorations.has('reverse')) {
      [color, background] = [background ?? this.background, color ?? this.foreground];
    }
    const classes = (['bold', 'dim', 'italic', 'underline', 'strikethrough', 'hidden'] as const)
      .filter(name => decorations.has(name))
      .join(' ');
    const readable =
      color || background
        ? lifted(color ?? this.foreground, background ?? this.background)
        : undefined;
    return {
      text: entry.content,
      classes,
      ...(readable ? { color: cssColor(readable) } : {}),
      ...(background ? { background: cssColor(background) } : {}),
    };
  }

  private colour(name: string | null, truecolor: string | null): Rgb | undefined {
    if (!name) return undefined;
    if (name === 'ansi-truecolor') return fromTriple(truecolor ?? '');
    const index = /^ansi-palette-(\d+)$/.exec(name)?.[1];
    return index === undefined ? this.colours.get(name) : this.indexed(Number(index));
  }

  /** xterm's 256 colours: 16 named, a 6×6×6 cube, 24 greys. */
  private indexed(index: number): Rgb | undefined {
    if (index < 16) {
      const name = NAMES[index % 8]?.toLowerCase() ?? '';
      return this.colours.get(index < 8 ? `ansi-${name}` : `ansi-bright-${name}`);
    }
    if (index >= 232) {
      const level = 8 + (index - 232) * 10;
      return { r: level, g: level, b: level };
    }
    const level = (n: number): number => (n === 0 ? 0 : 55 + n * 40);
    const cube = index - 16;
    return {
      r: level(Math.floor(cube / 36)),
      g: level(Math.floor(cube / 6) % 6),
      b: level(cube % 6),
    };
  }
}

function fromTriple(text: string): Rgb | undefined {
  const [r, g, b] = text.split(',').map(Number);
  return r === undefined || g === undefined || b === undefined ? undefined : { r, g, b };
}
