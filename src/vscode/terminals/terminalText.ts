import * as vscode from 'vscode';
import type { TerminalExit } from '../../session/state/state';

const MAX_NAME = 40;

/** Pipes end lines with LF alone; a terminal then stays in the column. */
export function forTerminal(text: string): string {
  return text.replace(/\r?\n/g, '\r\n');
}

/** The last line of a finished command, dimmed. */
export function exitLine(exit: TerminalExit): string {
  const text =
    exit.signal !== null
      ? vscode.l10n.t('[Ended by {0}]', exit.signal)
      : vscode.l10n.t('[Exit code {0}]', exit.exitCode ?? '?');
  return `\n\x1b[0;2m${text}\x1b[0m\n`;
}

export function tabName(title: string): string {
  const line = title.replace(/\s+/g, ' ').trim();
  return line.length > MAX_NAME ? `${line.slice(0, MAX_NAME - 1)}…` : line;
}
