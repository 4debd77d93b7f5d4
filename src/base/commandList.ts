import type { OpenCommand, SimpleCommand } from './shellCommand';

/** The commands of one list while they are parsed. */
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
    // After `&&` or `|` a line break separates nothing.
    if (operator !== '\n' || this.current || !/[&|]$/.test(this.before)) this.before = operator;
    this.current = undefined;
    this.inTest = false;
  }

  /** Removes the current command: its only word was a keyword. */
  withdraw(): void {
    if (this.all.at(-1) === this.current) this.all.pop();
    this.current = undefined;
  }
}
