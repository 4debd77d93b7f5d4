import type { TerminalExit } from '../session/state/state';

/** A started command, on pipes or in a pseudo-terminal. */
export interface SpawnedCommand {
  readonly pid: number;
  /** Settles when the command itself has ended; what it started may go on and write. */
  readonly ended: Promise<TerminalExit>;
  /** Settles when there will be no more output. */
  readonly closed: Promise<void>;
  /** Decoded output, never half a character, from now on; to be called once, before anything is waited for. */
  onData(listener: (text: string) => void): void;
  /** Lets go of the output. */
  release(): void;
  /** Where the command has a terminal: what is typed there, and how large it is. */
  readonly input?: CommandInput;
}

export interface CommandInput {
  write(text: string): void;
  resize(size: TerminalSize): void;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}
