/** A stretch of the text that was parsed, in UTF-16 units: `[start, end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Word extends Span {
  /** Without quotes and escapes; expansions and substitutions stand in it as they were written. */
  readonly value: string;
  /** Whether the value is what the shell passes on: nothing in the word is expanded. */
  readonly literal: boolean;
}

export interface Redirection extends Span {
  /** Without the number before it: `>`, `>>`, `<<`, `&>`. */
  readonly operator: string;
  /** The file, or what ends a here-document; undefined where it is missing. */
  readonly target?: Word;
  /** The text of a here-document. */
  readonly document?: Span;
}

/** What runs one program: its words, without the operators around them. */
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
  /** In the order in which they begin, substituted ones behind those that they are part of. */
  readonly commands: readonly SimpleCommand[];
  /** False where a shell may see more, or something else, in the text than the commands say. */
  readonly complete: boolean;
}

/** A thing of the above while it is put together. */
export type Open<T> = { -readonly [K in keyof T]: T[K] };
export interface OpenCommand extends Open<SimpleCommand> {
  readonly assignments: Word[];
  readonly words: Word[];
  readonly redirections: Redirection[];
}
