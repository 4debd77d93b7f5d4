import type { OpenCommand, SimpleCommand } from './shellCommand';

/** The commands of one list while they are put together. */
export class CommandList {
  current: OpenCommand | undefined;
  /** The operator before the next command. */
  before: string;
  /** Between `[[` and `]]`. */
  inTest = false;
  /** Within `((` and `))`, where `<<` moves bits. */
  readonly arithmetic: boolean;

  constructor(
    private readonly all: SimpleCommand[],
    private readonly within: SimpleCommand | undefined,
    options: { readonly arithmetic: boolean; readonly before: string },
  ) {
    this.arithmetic = options.arithmetic;
    this.before = options.before;
  }

  open(at: number): OpenCommand {
    if (this.current) return this.current;
    const { before, within } = this;
    const command = { start: at, end: at, assignments: [], words: [], redirections: [], before };
    this.current = { ...command, ...(within && { within }) };
    this.all.push(this.current);
    return this.current;
  }

  /** The command is over; `operator` stands before the next one. */
  next(operator: string): void {
    // A line break after an operator is none.
    if (operator !== '\n' || this.current || !/[&|]$/.test(this.before)) this.before = operator;
    this.current = undefined;
    this.inTest = false;
  }

  /** What was opened is a word of the shell's grammar, no command. */
  withdraw(): void {
    if (this.all.at(-1) === this.current) this.all.pop();
    this.current = undefined;
  }
}
