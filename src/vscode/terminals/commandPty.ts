import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifecycle';
import type { TerminalProcess } from '../../session/ports';
import type { TerminalExit } from '../../session/state/state';
import { exitLine, forTerminal } from './terminalText';

/** What a command has written so far, to be written into a terminal. */
export interface PastOutput {
  readonly text: string;
  readonly truncated: boolean;
  readonly exit?: TerminalExit;
}

export function pastOf(process: TerminalProcess): PastOutput {
  const { output, truncated, exit } = process.snapshot();
  const past = process.view?.replay() ?? { text: forTerminal(output), truncated };
  return { ...past, ...(exit && { exit }) };
}

/** One tab. Text fired before VS Code opens a pseudoterminal is lost, so everything starts in `open`. */
export class CommandPty implements vscode.Pseudoterminal {
  private readonly write = new vscode.EventEmitter<string>();
  readonly onDidWrite = this.write.event;
  private readonly watching = new DisposableStore();

  /** @param command one that is there, or what is left of it */
  constructor(
    private readonly command: TerminalProcess | PastOutput | undefined,
    private readonly onClose: () => void,
  ) {}

  open(size: vscode.TerminalDimensions | undefined): void {
    const { command } = this;
    if (!command) return;
    if (!('exited' in command)) {
      this.showPast(command);
      return;
    }
    if (size) this.setDimensions(size);
    const past = pastOf(command);
    this.showPast(past);
    if (past.exit) return;
    this.watching.add(
      command.view?.attach(text => this.write.fire(text)) ??
        command.onOutput(({ data }) => this.write.fire(forTerminal(data))),
    );
    void command.exited.then(exit => {
      if (this.watching.isDisposed) return;
      this.watching.dispose();
      this.write.fire(forTerminal(exitLine(exit)));
    });
  }

  setDimensions({ columns, rows }: vscode.TerminalDimensions): void {
    if (this.command && 'exited' in this.command) this.command.view?.resize({ columns, rows });
  }

  handleInput(data: string): void {
    const { command } = this;
    if (!command || !('exited' in command)) return;
    if (command.view) command.view.write(data);
    else if (data.includes('\x03')) void command.kill();
  }

  close(): void {
    this.watching.dispose();
    this.write.dispose();
    this.onClose();
  }

  private showPast({ text, truncated, exit }: PastOutput): void {
    if (truncated)
      this.write.fire(forTerminal(`${vscode.l10n.t('[Earlier output was removed]')}\n`));
    this.write.fire(text);
    // As a last line: closing with a code would take the tab away and show an error message.
    if (exit) this.write.fire(forTerminal(exitLine(exit)));
  }
}
