import { CommandList } from './commandList';
import type {
  Open,
  OpenCommand,
  ParsedCommand,
  Redirection,
  SimpleCommand,
  Span,
  Word,
} from './shellCommand';

/** Splits the text of a POSIX-like shell into commands. Looks at each character a fixed number of times. */
export function parseCommand(text: string): ParsedCommand {
  return new CommandParser(text).parsed();
}

const MAX_DEPTH = 50;
const OPERATORS = ['&>>', '&>', '&&', '||', '|&', ';;&', ';;', ';&', '&', '|', ';'];
const REDIRECTIONS = ['<<<', '<<-', '<<', '<>', '<&', '<', '>>', '>&', '>|', '>'];
/** Keywords before a command. */
const OPENING = /^(?:if|then|elif|else|while|until|do|!|\{|time)$/;
/** Keywords behind a command. */
const CLOSING = /^(?:fi|done|esac|\})$/;
/** Keywords with a grammar that is not known here. */
const COMPOUND = /^(?:case|function|coproc|select)$/;
const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;
/** Stands in the value of a word for what has commands in it. */
const SUBSTITUTED = '$()';
const ARITHMETIC = /^\$\(\([\w +*/%-]*\)\)$/;
const BLANK = /[ \t\r]/;
/** What ends a word; also the end of the text. */
const METACHARACTER = /[ \t\r\n;&|<>()]|^$/;
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  e: '\x1b',
};

interface Pending {
  readonly command: OpenCommand;
  readonly redirection: Open<Redirection>;
  readonly end: string;
  readonly expands: boolean;
  readonly indented: boolean;
}

class CommandParser {
  private readonly commands: SimpleCommand[] = [];
  private readonly pending: Pending[] = [];
  private complete = true;
  private at = 0;
  private limit: number;
  private depth = 0;
  /** How many backticks are open. */
  private backticks = 0;

  constructor(private readonly text: string) {
    this.limit = text.length;
  }

  parsed(): ParsedCommand {
    this.list('', undefined);
    if (this.pending.length > 0) this.complete = false;
    return { commands: this.commands, complete: this.complete };
  }

  /** Commands up to `close`. */
  private list(
    close: string,
    within: SimpleCommand | undefined,
    { arithmetic = false, before = '' } = {},
  ): void {
    const list = new CommandList(this.commands, within, { arithmetic, before });
    while (this.at < this.limit) {
      const character = this.peek();
      if (character === close) break;
      if (character === '\n') {
        list.next('\n');
        this.skip(1);
        this.documents();
      } else if (BLANK.test(character)) this.skip(1, character !== '\r' || this.peek(1) === '\n');
      else if (character === '\\' && this.peek(1) === '\n') this.skip(2);
      else if (character === '#') this.skipTo('\n');
      else if (list.inTest && /[&|<>;(]/.test(character)) this.skip(1, character !== '(');
      else if (character === '(') this.group(list, within);
      else if (character === ')') {
        this.skip(1, false);
        list.next(';');
      } else if (/[<>]/.test(character) || (character === '&' && this.peek(1) === '>')) {
        if (this.substitutes()) this.word(list, close);
        else if (list.arithmetic && this.peek(1) === character) this.skip(2);
        else this.redirection(list, close, this.at);
      } else if (/[;&|]/.test(character)) {
        const operator = this.operator(OPERATORS);
        this.complete &&= !/^;[;&]/.test(operator);
        list.next(operator);
      } else this.word(list, close);
    }
    if (close !== '') this.closed();
  }

  private group(list: CommandList, within: SimpleCommand | undefined): void {
    const arithmetic = list.arithmetic || this.peek(1) === '(';
    // Behind words it defines a function or an array: what is in it may run later, by another name.
    if (list.current || arithmetic) this.complete = false;
    const { before } = list;
    list.next(';');
    this.skip(1);
    this.deeper(() => this.list(')', within, { arithmetic, before }));
  }

  private word(list: CommandList, close: string): void {
    const command = list.open(this.at);
    const word = this.readWord(command, close);
    const source = word.end - word.start <= 10 ? this.text.slice(word.start, word.end) : '';
    if (
      !list.arithmetic &&
      /^\d+$/.test(source) &&
      /[<>]/.test(this.peek()) &&
      !this.substitutes()
    ) {
      this.redirection(list, close, word.start);
      return;
    }
    command.end = word.end;
    if (command.words.length > 0) {
      if (list.inTest && source === ']]') list.inTest = false;
      command.words.push(word);
    } else if (ASSIGNMENT.test(word.value) && !/['"\\]/.test(this.text.charAt(word.start))) {
      command.assignments.push(word);
    } else if (command.assignments.length === 0 && OPENING.test(source)) list.withdraw();
    else if (CLOSING.test(source)) {
      list.withdraw();
      list.before = ';';
    } else {
      if (COMPOUND.test(source)) this.complete = false;
      list.inTest = source === '[[';
      command.words.push(word);
    }
  }

  private redirection(list: CommandList, close: string, start: number): void {
    const command = list.open(start);
    const operator = this.peek() === '&' ? this.operator(OPERATORS) : this.operator(REDIRECTIONS);
    while (BLANK.test(this.peek())) this.skip(1);
    const from = this.at;
    const missing = METACHARACTER.test(this.peek()) && !this.substitutes();
    const target = missing ? undefined : this.readWord(command, close);
    if (!target?.value) this.complete = false;
    const redirection = { start, end: this.at, operator, ...(target && { target }) };
    command.redirections.push(redirection);
    command.end = this.at;
    if (target && (operator === '<<' || operator === '<<-')) {
      const source = this.text.slice(from, this.at);
      const expands = !/['"\\]/.test(source);
      // A substitution in it is text, too.
      const end = expands ? source : target.value;
      this.pending.push({ command, redirection, end, expands, indented: operator === '<<-' });
    }
  }

  /** Reads the here-documents that the line before has announced. */
  private documents(): void {
    for (const { command, redirection, end, expands, indented } of this.pending.splice(0)) {
      const start = this.at;
      let last: number | undefined;
      while (this.at < this.limit && last === undefined) {
        const lineStart = this.at;
        this.skipTo('\n');
        const line = this.text.slice(lineStart, this.at);
        if ((indented ? line.replace(/^\t+/, '') : line) === end) last = lineStart;
        this.skip(1);
      }
      if (last === undefined) this.complete = false;
      const span = { start, end: last ?? this.limit };
      const value = expands ? this.expanded(command, span) : this.text.slice(span.start, span.end);
      redirection.document = { ...span, value };
    }
  }

  private expanded(command: SimpleCommand, { start, end }: Span): string {
    const { at, limit } = this;
    this.at = start;
    this.limit = end;
    const value = this.quoted(command, '');
    this.at = at;
    this.limit = limit;
    return value;
  }

  private readWord(command: SimpleCommand, close: string): Word {
    const start = this.at;
    let value = this.substitutes() ? this.processSubstitution(command) : '';
    while (this.at < this.limit) {
      const character = this.peek();
      if (METACHARACTER.test(character) || character === close) break;
      if (character === '\\') value += this.escape(/[^]/);
      else if (character === "'") value += this.singleQuoted();
      else if (character === '"') {
        this.skip(1);
        value += this.quoted(command, '"');
      } else if (character === '$' && this.peek(1) === "'") value += this.ansiQuoted();
      // `$"…"` is a quote that may be translated.
      else if (character === '$' && this.peek(1) === '"') this.skip(1);
      else if (character === '$' || character === '`') value += this.expansion(command);
      else {
        value += character;
        this.skip(1);
      }
    }
    return { start, end: this.at, value };
  }

  /** The value of what stands in double quotes (up to `close`), or of a here-document. */
  private quoted(command: SimpleCommand, close: '"' | ''): string {
    const escapable = close === '"' ? /[$`"\\\n]/ : /[$`\\\n]/;
    let value = '';
    while (this.at < this.limit && this.peek() !== close) {
      const character = this.peek();
      if (character === '\\') value += this.escape(escapable);
      else if (character === '$' || character === '`') value += this.expansion(command);
      else {
        value += character;
        this.skip(1);
      }
    }
    if (close !== '') this.closed();
    return value;
  }

  /** What a backslash and the character behind it stand for. */
  private escape(escapable: RegExp): string {
    // Between backticks it is read twice.
    if (this.backticks > 0) this.complete = false;
    const next = this.peek(1);
    if (next === '') {
      this.skip(1, false);
      return '\\';
    }
    if (!escapable.test(next)) {
      this.skip(1);
      return '\\';
    }
    this.skip(2);
    return next === '\n' ? '' : next;
  }

  private singleQuoted(): string {
    this.skip(1);
    const start = this.at;
    this.skipTo("'");
    const value = this.text.slice(start, this.at);
    if (this.backticks > 0 && value.includes('`')) this.complete = false;
    this.closed();
    return value;
  }

  private ansiQuoted(): string {
    this.skip(2);
    const start = this.at;
    while (this.at < this.limit && this.peek() !== "'") this.skip(this.peek() === '\\' ? 2 : 1);
    this.at = Math.min(this.at, this.limit);
    const source = this.text.slice(start, this.at);
    this.closed();
    return source.replace(
      /\\(?:x([\da-f]{1,2})|u([\da-f]{1,4})|U([\da-f]{1,8})|([0-7]{1,3})|([^]))/gi,
      (_, hex?: string, short?: string, long?: string, octal?: string, other?: string) => {
        if (other !== undefined) return ESCAPES[other] ?? other;
        const point = octal ? parseInt(octal, 8) : parseInt(hex ?? short ?? long ?? '', 16);
        return point > 0x10ffff ? '' : String.fromCodePoint(point);
      },
    );
  }

  /** The value of what begins with `$` or a backtick. */
  private expansion(command: SimpleCommand): string {
    const { at } = this;
    const { length } = this.commands;
    const next = this.peek(1);
    if (this.peek() === '`') {
      this.skip(1, this.backticks === 0);
      this.backticks += 1;
      this.deeper(() => this.list('`', command));
      this.backticks -= 1;
    } else if (next === '(') this.substitution(command);
    else if (next === '{') {
      this.skip(2);
      this.deeper(() => this.parameter(command));
    } else this.skip(/[\w@*#?$!-]/.test(next) ? 2 : 1);
    return this.commands.length > length ? SUBSTITUTED : this.text.slice(at, this.at);
  }

  private processSubstitution(command: SimpleCommand): string {
    this.skip(2);
    this.deeper(() => this.list(')', command));
    return SUBSTITUTED;
  }

  private substitution(command: SimpleCommand): void {
    const arithmetic = this.peek(2) === '(';
    const { complete, at } = this;
    const { length } = this.commands;
    this.skip(2);
    this.deeper(() => this.list(')', command, { arithmetic }));
    // Sums are read as commands, so that nothing hides in them; plain ones are none.
    if (!arithmetic) return;
    const plain = ARITHMETIC.test(this.text.slice(at, this.at));
    if (plain) this.commands.length = length;
    this.complete = complete && plain;
  }

  /** The inside of `${…}`. */
  private parameter(command: SimpleCommand): void {
    while (this.at < this.limit && this.peek() !== '}') {
      const character = this.peek();
      if (character === '\\') this.escape(/[^]/);
      else if (character === '"') {
        this.skip(1);
        this.quoted(command, '"');
      } else if (character === '$' || character === '`') this.expansion(command);
      // Whether it quotes depends on what is around.
      else this.skip(1, character !== "'");
    }
    this.closed();
  }

  /** One step into the nesting; what lies too deep is not looked at. */
  private deeper(read: () => void): void {
    if (this.depth >= MAX_DEPTH) {
      this.at = this.limit;
      this.complete = false;
      return;
    }
    this.depth += 1;
    read();
    this.depth -= 1;
  }

  private operator(known: readonly string[]): string {
    const operator = known.find(each => this.text.startsWith(each, this.at)) ?? this.peek();
    this.skip(operator.length);
    return operator;
  }

  /** Whether `<(…)` or `>(…)` begins here. */
  private substitutes(): boolean {
    return /[<>]/.test(this.peek()) && this.peek(1) === '(';
  }

  private peek(ahead = 0): string {
    const at = this.at + ahead;
    return at < this.limit ? this.text.charAt(at) : '';
  }

  private skip(count: number, understood = true): void {
    this.at = Math.min(this.at + count, this.limit);
    this.complete &&= understood;
  }

  private skipTo(character: string): void {
    while (this.at < this.limit && this.text.charAt(this.at) !== character) this.at += 1;
  }

  /** Passes the closing character, if there is one. */
  private closed(): void {
    this.skip(1, this.at < this.limit);
  }
}
