import * as vscode from 'vscode';
import { toDisposable } from '../../base/lifecycle';
import type { Disposable } from '../../base/lifecycle';
import type { TerminalExit, TerminalState } from './terminalText';
import { exitLine, forTerminal, tabName } from './terminalText';
import type { TerminalMirror, TerminalProcess } from '../../session/ports';
import { showInformationMessage } from '../messages';

/** Released commands stay readable: so many of them, with so much of their output (UTF-16 units). */
const MAX_RELEASED = 20;
const MAX_RELEASED_OUTPUT = 256 * 1024;

interface Entry {
  readonly title: string;
  /** Undefined once the agent released the command. */
  process: TerminalProcess | undefined;
  /** What is left of a released command. */
  released: TerminalState | undefined;
  tab: vscode.Terminal | undefined;
}

/**
 * Shows agents' commands in the terminal panel, on demand. A tab is a window onto a command that runs
 * anyway: closing it stops nothing, opening it again shows the same output. Ctrl+C in it ends the command.
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
    // VS Code takes a closed tab from its list before it tells the pseudoterminal.
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
    const pty = new MirrorPty(entry, () => {
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
    const { output, truncated, exit } = entry.process.snapshot();
    const start = Math.max(0, output.length - MAX_RELEASED_OUTPUT);
    entry.released = {
      output: output.slice(start),
      truncated: truncated || start > 0,
      ...(exit && { exit }),
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

/** One tab. Text fired before VS Code opens a pseudoterminal is lost, so everything starts in `open`. */
class MirrorPty implements vscode.Pseudoterminal {
  private readonly write = new vscode.EventEmitter<string>();
  readonly onDidWrite = this.write.event;
  private output: Disposable | undefined;
  private closed = false;

  constructor(
    private readonly entry: Entry,
    private readonly onClose: () => void,
  ) {}

  open(): void {
    const { process } = this.entry;
    const past: TerminalState = process?.snapshot() ?? this.entry.released ?? EMPTY;
    if (past.truncated)
      this.write.fire(forTerminal(`${vscode.l10n.t('[Earlier output was dropped]')}\n`));
    this.write.fire(forTerminal(past.output));
    if (!process || past.exit) {
      this.showExit(past.exit);
      return;
    }
    this.output = process.onOutput(data => this.write.fire(forTerminal(data)));
    void process.exited.then(exit => {
      this.output?.dispose();
      if (!this.closed) this.showExit(exit);
    });
  }

  handleInput(data: string): void {
    if (data.includes('\x03')) void this.entry.process?.kill();
  }

  close(): void {
    this.closed = true;
    this.output?.dispose();
    this.write.dispose();
    this.onClose();
  }

  /** As a last line: closing with a code would take the tab away and show an error message. */
  private showExit(exit: TerminalExit | undefined): void {
    if (exit) this.write.fire(forTerminal(exitLine(exit)));
  }
}

const EMPTY: TerminalState = { output: '', truncated: false };
