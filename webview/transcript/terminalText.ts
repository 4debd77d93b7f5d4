/**
 * Program output as a terminal would leave it: carriage returns, backspaces, cursor and erase sequences and the alternate
 * screen resolved; colours (SGR) kept, and links (OSC 8) to what may be opened; every other escape sequence dropped.
 */
import { linkTarget } from '../markdown/linkTarget';

interface Cell {
  readonly text: string;
  /** The colour sequences in force, since the last reset. */
  readonly style: string;
  readonly link: string;
}

interface Place {
  readonly rows: Cell[][];
  readonly row: number;
  readonly column: number;
}

const ESC = '\u001b';
/** Control characters of one character that stand for two: CSI, OSC, DCS, PM and APC. */
const C1: Readonly<Record<string, string>> = {
  '\u009b': '[',
  '\u009d': ']',
  '\u0090': 'P',
  '\u009e': '^',
  '\u009f': '_',
};
/** Rows of the screen that a cursor can go to, as far as anyone knows. */
const ROWS = 24;

export interface TerminalLines {
  /** Each line on its own: begins without colour and link, ends with them reset; a link begins with a reset. */
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

const BLANK: Cell = { text: ' ', style: '', link: '' };
/** Longer is no address. */
const MAX_LINK = 2000;
/** The end of a string that a control began: BEL or ST. */
const STRING_END = /\u0007|\u001b\\|\u009c/g;

class Screen {
  private rows: Cell[][] = [[]];
  private row = 0;
  private column = 0;
  private link = '';
  /** What comes back when the alternate screen goes. */
  private behind: Place | undefined;
  private saved = { row: 0, column: 0 };

  constructor(private style: string) {}

  write(text: string): void {
    let at = 0;
    while (at < text.length) {
      const char = text.charAt(at);
      if (char === ESC || char in C1) {
        at += this.escape(text, at);
        continue;
      }
      if (char < ' ' || (char >= '\u007f' && char <= '\u009f')) {
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
    return [...(this.behind?.rows ?? []), ...this.rows].map(cells => {
      let line = '';
      let style = '';
      let link = '';
      for (const cell of trimmed(cells)) {
        if (cell.link !== link) {
          line += `${style === '' ? '' : `${ESC}[0m`}${ESC}]8;;${cell.link}${ESC}\\`;
          link = cell.link;
          style = '';
        }
        if (cell.style !== style) {
          line += (style === '' ? '' : `${ESC}[0m`) + cell.style;
          style = cell.style;
        }
        line += cell.text;
      }
      if (style !== '') line += `${ESC}[0m`;
      return link === '' ? line : `${line}${ESC}]8;;${ESC}\\`;
    });
  }

  private put(text: string): void {
    const cells = this.current();
    while (cells.length < this.column) cells.push(BLANK);
    cells[this.column] = { text, style: this.style, link: this.link };
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
    const short = C1[text.charAt(at)];
    const next = short ?? text.charAt(at + 1);
    const start = at + (short === undefined ? 2 : 1);
    if (next === '[') return this.csi(text, start) - at;
    if (next === ']' || next === 'P' || next === '_' || next === '^') {
      STRING_END.lastIndex = start;
      const end = STRING_END.exec(text);
      if (next === ']') this.osc(text.slice(start, end?.index));
      return (end ? STRING_END.lastIndex : text.length) - at;
    }
    if (next === '7') this.saved = { row: this.row, column: this.column };
    else if (next === '8') ({ row: this.row, column: this.column } = this.saved);
    return /[ #%()*+]/.test(next) ? 3 : 2;
  }

  /** A link, from here on; anything else is the business of terminals. */
  private osc(text: string): void {
    const uri = /^8;[^;]*;(.*)$/s.exec(text)?.[1];
    if (uri !== undefined) this.link = uri.length > MAX_LINK ? '' : (linkTarget(uri) ?? '');
  }

  /** @returns where it ends */
  private csi(text: string, start: number): number {
    let end = start;
    while (end < text.length && (text.charAt(end) < '@' || text.charAt(end) > '~')) end += 1;
    const parameters = text.slice(start, end);
    const count = Math.max(1, Number.parseInt(parameters, 10) || 1);
    switch (text.charAt(end)) {
      case 'm':
        if (/^[\d;:]*$/.test(parameters)) {
          this.style = nextStyle(this.style, `${ESC}[${parameters}m`, parameters);
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
      case 'H':
      case 'f':
        this.goTo(parameters);
        break;
      case 'h':
      case 'l':
        if (/^\?(?:47|1047|1049)$/.test(parameters)) this.switchScreen(text.charAt(end) === 'h');
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
    return end + 1;
  }

  private goTo(parameters: string): void {
    const [row = 1, column = 1] = parameters.split(';').map(part => Number.parseInt(part, 10) || 1);
    const top = Math.max(0, this.rows.length - ROWS);
    this.row = top + Math.min(row, 500) - 1;
    this.column = Math.min(column, 1000) - 1;
    while (this.rows.length <= this.row) this.rows.push([]);
  }

  private switchScreen(isAlternate: boolean): void {
    if (isAlternate === (this.behind !== undefined)) return;
    const { rows, row, column, behind } = this;
    this.behind = isAlternate ? { rows, row, column } : undefined;
    ({
      rows: this.rows,
      row: this.row,
      column: this.column,
    } = behind ?? {
      rows: [[]],
      row: 0,
      column: 0,
    });
  }

  private eraseLine(parameters: string): void {
    const cells = this.current();
    if (parameters === '2') cells.length = 0;
    else if (parameters === '1') cells.fill(BLANK, 0, this.column + 1);
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
  while (
    length > 0 &&
    cells[length - 1]?.text === ' ' &&
    cells[length - 1]?.style === '' &&
    cells[length - 1]?.link === ''
  )
    length -= 1;
  return cells.slice(0, length);
}
