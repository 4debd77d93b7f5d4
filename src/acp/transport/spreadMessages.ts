import type { LongLine } from './lineSplitter';

/** So much of either end of a message that is too long is kept, in UTF-16 units. */
const KEPT_END = 4 * 1024;

/** Begins a message over several lines: nothing but the beginning of an object, or of a batch. */
const FIRST = /(?:^|\W)(?:\{\s*(?:".*)?|\[\s*\{?\s*)$/;

/** What a line in the midst of JSON can begin with. */
const MIDDLE = /^\s*(?:["{}[\],:\d-]|true|false|null|$)/;

/** What a line has made of the lines before it. */
export type Spread =
  /** More is to come. */
  | { readonly kind: 'open' }
  | { readonly kind: 'whole'; readonly text: string }
  | { readonly kind: 'tooLong'; readonly line: LongLine };

/** Puts together the JSON that agents write over several lines, for people to read. */
export class SpreadMessages {
  private lines: string[] = [];
  private length = 0;
  private depth = 0;
  /** The end of what is too long, of which no more is kept. */
  private end: string | undefined;

  /** Whether lines wait for more. */
  get isOpen(): boolean {
    return this.depth > 0;
  }

  /** Whether `line`, which is no message, begins one. It is then to be added. */
  begins(line: string): boolean {
    return FIRST.test(line) && (depthAfter(line, 0) ?? 0) > 0;
  }

  /** Undefined when `line` cannot be a part of what is open. */
  add(line: string, maxLength: number): Spread | undefined {
    const depth = this.isOpen && !MIDDLE.test(line) ? undefined : depthAfter(line, this.depth);
    if (depth === undefined) return undefined;
    this.depth = depth;
    this.length += line.length + 1;
    if (this.length <= maxLength) this.lines.push(line);
    else this.end = `${this.end ?? ''}\n${line.slice(-KEPT_END)}`.slice(-KEPT_END);
    if (depth > 0) return { kind: 'open' };
    const { length, end } = this;
    const text = this.take().join('\n');
    if (end === undefined) return { kind: 'whole', text };
    const tail = `${text.slice(-KEPT_END)}${end}`.slice(-KEPT_END);
    return { kind: 'tooLong', line: { head: text.slice(0, KEPT_END), tail, bytes: length } };
  }

  /** The lines that wait, which nothing will come of. */
  take(): readonly string[] {
    const { lines } = this;
    this.lines = [];
    this.length = 0;
    this.depth = 0;
    this.end = undefined;
    return lines;
  }
}

/** How many containers are open after `line`; undefined for what no JSON has: a string that does not end. */
function depthAfter(line: string, before: number): number | undefined {
  let depth = before;
  let quoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at];
    if (quoted) {
      if (character === '\\') at += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
  }
  return quoted || depth < 0 ? undefined : depth;
}
