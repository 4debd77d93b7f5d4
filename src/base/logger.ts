/**
 * Where a part of Parley reports what it does. Mirrors VS Code's `LogOutputChannel`, so that the core
 * needs no `vscode`. Never pass secrets: values of environment variables, headers, tokens.
 */
export interface Logger {
  trace(message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string, cause?: unknown): void;
}

/** Discards everything. */
export const nullLogger: Logger = {
  trace() {},
  debug() {},
  info() {},
  warn() {},
  error() {},
};
