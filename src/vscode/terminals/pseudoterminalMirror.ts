import * as vscode from 'vscode';
import { toDisposable } from '../../base/lifecycle';
import type { Disposable } from '../../base/lifecycle';
import { tabName } from './terminalText';
import type { TerminalMirror, TerminalProcess } from '../../session/ports';
import { showInformationMessage } from '../messages';
import { CommandPty, pastOf, type PastOutput } from './commandPty';

/** Released commands stay readable: so many of them, with so much of their output (UTF-16 units). */
const MAX_RELEASED = 20;
const MAX_RELEASED_OUTPUT = 256 * 1024;

interface Entry {
  readonly title: string;
  /** Undefined once the agent released the command. */
  process: TerminalProcess | undefined;
  /** What is left of a released command. */
  released: PastOutput | undefined;
  tab: vscode.Terminal | undefined;
}

/**
 * Shows agents' commands in the terminal panel, on demand. A tab is a window onto a command that runs
 * anyway: closing it stops nothing, opening it again shows the same output. A command with a pseudo-terminal gets
 * what is typed there, and its size; to one on pipes, Ctrl+C is the end.
 */
export class PseudoterminalMirror implements TerminalMirror, Disposable {
  private readonly entries = new Map<string, Entry>();

  attach(terminalId: string, title: string, process: TerminalProcess): Disposable {
    const entry: Entry = { title, process, released: undefined, tab: undefined };
    this.entries.set(terminalId, entry);
    return toDisposable(() => this.release(terminalId, entry));
  }

  reveal(terminalId: string): void {
    const entry = this.entries.get(terminalId);
    if (!entry) {
      void showInformationMessage(
        vscode.l10n.t('The full output is no longer available. The chat shows its last part.'),
      );
      return;
    }
    // VS Code takes a closed tab from its list before it closes the pseudoterminal.
    const open = vscode.window.terminals.find(terminal => terminal === entry.tab);
    entry.tab = open ?? this.openTab(entry);
    entry.tab.show();
  }

  /** Takes away the tabs; the commands belong to their sessions. */
  dispose(): void {
    for (const entry of this.entries.values()) entry.tab?.dispose();
    this.entries.clear();
  }

  private openTab(entry: Entry): vscode.Terminal {
    const pty = new CommandPty(entry.process ?? entry.released, () => {
      if (entry.tab === tab) entry.tab = undefined;
    });
    const tab = vscode.window.createTerminal({
      name: tabName(entry.title),
      iconPath: new vscode.ThemeIcon('terminal'),
      isTransient: true,
      pty,
    });
    return tab;
  }

  private release(terminalId: string, entry: Entry): void {
    if (!entry.process) return;
    const past = pastOf(entry.process);
    const start = Math.max(0, past.text.length - MAX_RELEASED_OUTPUT);
    entry.released = {
      ...past,
      text: past.text.slice(start),
      truncated: past.truncated || start > 0,
    };
    entry.process = undefined;
    // Last released goes last, so that the oldest is dropped first.
    if (this.entries.get(terminalId) !== entry) return;
    this.entries.delete(terminalId);
    this.entries.set(terminalId, entry);
    const released = [...this.entries].filter(([, other]) => !other.process && !other.tab);
    for (const [id] of released.slice(0, Math.max(0, released.length - MAX_RELEASED))) {
      this.entries.delete(id);
    }
  }
}
