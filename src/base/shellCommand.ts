/** A stretch of the text that was parsed, in UTF-16 units: `[start, end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Word extends Span {
  /**
   * Without quotes and escapes. Expansions stand in it as they were written, or as `$()` where commands are in them:
   * those are commands of their own, and no text is in two values.
   */
  readonly value: string;
}

export interface Redirection extends Span {
  /** Without the number before it: `>`, `>>`, `<<`, `&>`. */
  readonly operator: string;
  /** The file, or what ends a here-document; undefined where it is missing. */
  readonly target?: Word;
  /** The text of a here-document, its value as the program reads it. */
  readonly document?: Word;
}

/** A program with its arguments and redirections, without the operators around it. */
export interface SimpleCommand extends Span {
  readonly assignments: readonly Word[];
  readonly words: readonly Word[];
  readonly redirections: readonly Redirection[];
  /** The operator before it: `|`, `&&`, `;`, a line break …; empty for the first of a list. */
  readonly before: string;
  /** The command in a word, redirection or document of which it stands; undefined at the top. */
  readonly within?: SimpleCommand;
}

export interface ParsedCommand {
  /** In the order in which they begin; those in substitutions follow the command around them. */
  readonly commands: readonly SimpleCommand[];
  /** False where a shell may run something else than these commands. */
  readonly complete: boolean;
}

/** While it is parsed. */
export type Open<T> = { -readonly [K in keyof T]: T[K] };
export interface OpenCommand extends Open<SimpleCommand> {
  readonly assignments: Word[];
  readonly words: Word[];
  readonly redirections: Redirection[];
}
