import type { Event } from '../base/event';
import type { Disposable } from '../base/lifecycle';
import type { TerminalOutput, TerminalView } from '../session/ports';

/** What is kept of the output of a command, and reported of it. Disposing forgets it. */
export interface KeptOutput extends Disposable {
  readonly onOutput: Event<TerminalOutput>;
  /** Costs the length of `text`, whatever was there before. */
  append(text: string): void;
  /** Resolves when all that was appended has been reported and can be read. */
  finish(): Promise<void>;
  /** The last part of it, as text. */
  snapshot(): { readonly output: string; readonly truncated: boolean };
  /** The terminal it is written to, where there is one. */
  readonly view?: TerminalView;
}
