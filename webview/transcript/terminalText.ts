/**
 * Program output as a terminal would leave it: carriage returns, backspaces, and simple cursor and erase
 * sequences resolved; colours (SGR) kept; every other escape sequence dropped.
 */

interface Cell {
  readonly text: string;
  /** The colour sequences in force, since the last reset. */
  readonly style: string;
}

const ESC = '\u001b';
const BEL = '\u0007';

export interface TerminalLines {
  /** Each line on its own: begins without colour, ends with it reset. */
  readonly lines: readonly string[];
}

/** At most this much of the output (UTF-16 units) is looked at when only the last lines are wanted. */
const TAIL_UNITS = 16 * 1024;

/** The lines of `output`; with `last` only those, looking no further back than needed. */
export function terminalLines(output: string, last?: number): TerminalLines {
  let from = 0;
  let style = '';
  if (last !== undefined && output.length > TAIL_UNITS) {
    const cut = output.length - TAIL_UNITS;
    from = output.indexOf('\n', cut) + 1 || cut;
    style = styleAt(output.slice(0, from));
  }
  const screen = new Screen(style);
  screen.write(output.slice(from));
  const lines = screen.lines();
  while (lines.length > 0 && lines.at(-1) === '') lines.pop();
  return { lines: last === undefined ? lines : lines.slice(-last) };
}

/** Lines in `output`, cheaply: what "Show all" would show. */
export function countLines(output: string): number {
  let count = output === '' || output.endsWith('\n') ? 0 : 1;
  for (let at = output.indexOf('\n'); at >= 0; at = output.indexOf('\n', at + 1)) count += 1;
  return count;
}

function styleAt(text: string): string {
  let style = '';
  for (const piece of text.split(`${ESC}[`).slice(1)) {
    const parameters = /^([\d;:]*)m/.exec(piece)?.[1];
    if (parameters !== undefined) style = nextStyle(style, `${ESC}[${parameters}m`, parameters);
  }
  return style;
}

function nextStyle(style: string, sequence: string, parameters: string): string {
  if (/^0*$/.test(parameters)) return '';
  return /^0+;/.test(parameters) ? sequence : style + sequence;
}

class Screen {
  private readonly rows: Cell[][] = [[]];
  private row = 0;
  private column = 0;

  constructor(private style: string) {}

  write(text: string): void {
    let at = 0;
    while (at < text.length) {
      const char = text.charAt(at);
      if (char === ESC) {
        at += this.escape(text, at);
        continue;
      }
      if (char < ' ' || char === '\u007f') {
        this.control(char);
        at += 1;
        continue;
      }
      const point = String.fromCodePoint(text.codePointAt(at) ?? 0);
      this.put(point);
      at += point.length;
    }
  }

  lines(): string[] {
    return this.rows.map(cells => {
      let line = '';
      let style = '';
      for (const cell of trimmed(cells)) {
        if (cell.style !== style) {
          line += (style === '' ? '' : `${ESC}[0m`) + cell.style;
          style = cell.style;
        }
        line += cell.text;
      }
      return style === '' ? line : `${line}${ESC}[0m`;
    });
  }

  private put(text: string): void {
    const cells = this.current();
    while (cells.length < this.column) cells.push({ text: ' ', style: '' });
    cells[this.column] = { text, style: this.style };
    this.column += 1;
  }

  private control(char: string): void {
    if (char === '\n') {
      this.row += 1;
      this.column = 0;
      while (this.rows.length <= this.row) this.rows.push([]);
    } else if (char === '\r') {
      this.column = 0;
    } else if (char === '\b') {
      this.column = Math.max(0, this.column - 1);
    } else if (char === '\t') {
      do this.put(' ');
      while (this.column % 8 !== 0);
    }
  }

  /** Acts on the escape sequence at `at`. @returns its length */
  private escape(text: string, at: number): number {
    const next = text.charAt(at + 1);
    if (next === '[') return this.csi(text, at);
    if (next === ']' || next === 'P' || next === '_' || next === '^') {
      const bell = text.indexOf(BEL, at);
      const string = text.indexOf(`${ESC}\\`, at);
      const ends = [bell < 0 ? Infinity : bell + 1, string < 0 ? Infinity : string + 2];
      const end = Math.min(...ends);
      return (end === Infinity ? text.length : end) - at;
    }
    return /[ #%()*+]/.test(next) ? 3 : 2;
  }

  private csi(text: string, at: number): number {
    let end = at + 2;
    while (end < text.length && (text.charAt(end) < '@' || text.charAt(end) > '~')) end += 1;
    const parameters = text.slice(at + 2, end);
    const count = Math.max(1, Number.parseInt(parameters, 10) || 1);
    switch (text.charAt(end)) {
      case 'm':
        if (/^[\d;:]*$/.test(parameters)) {
          this.style = nextStyle(this.style, text.slice(at, end + 1), parameters);
        }
        break;
      case 'A':
      case 'F':
        this.row = Math.max(0, this.row - count);
        if (text.charAt(end) === 'F') this.column = 0;
        break;
      case 'B':
      case 'E':
        this.row = Math.min(this.rows.length - 1, this.row + count);
        if (text.charAt(end) === 'E') this.column = 0;
        break;
      case 'C':
        this.column += Math.min(count, 1000);
        break;
      case 'D':
        this.column = Math.max(0, this.column - count);
        break;
      case 'G':
        this.column = Math.min(count, 1000) - 1;
        break;
      case 'K':
        this.eraseLine(parameters);
        break;
      case 'J':
        if (/^[23]/.test(parameters)) this.clear();
        else if (!parameters.startsWith('1')) {
          this.eraseLine('');
          this.rows.length = this.row + 1;
        }
        break;
      default:
        break;
    }
    return end + 1 - at;
  }

  private eraseLine(parameters: string): void {
    const cells = this.current();
    if (parameters === '2') cells.length = 0;
    else if (parameters === '1') cells.fill({ text: ' ', style: '' }, 0, this.column + 1);
    else cells.length = Math.min(cells.length, this.column);
  }

  private clear(): void {
    this.rows.length = 0;
    this.rows.push([]);
    this.row = 0;
    this.column = 0;
  }

  private current(): Cell[] {
    return (this.rows[this.row] ??= []);
  }
}

function trimmed(cells: readonly Cell[]): readonly Cell[] {
  let length = cells.length;
  while (length > 0 && cells[length - 1]?.text === ' ' && cells[length - 1]?.style === '')
    length -= 1;
  return cells.slice(0, length);
}
