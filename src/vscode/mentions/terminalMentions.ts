import * as vscode from 'vscode';
import type { ContextAttachments } from '../context/contextAttachments';
import type { Candidate } from './candidate';
import { copiedBy } from './copiedBy';

/** What the active terminal shows; none while no terminal is open. */
export function terminalMentions(attachments: ContextAttachments): readonly Candidate[] {
  const { activeTerminal } = vscode.window;
  if (!activeTerminal) return [];
  return [
    {
      icon: 'terminal',
      name: vscode.l10n.t('Terminal'),
      hits: [],
      detail: vscode.l10n.t('last command in {0}', activeTerminal.name),
      mention: '@terminal',
      attachment: () =>
        attachments.ofLater(
          {
            kind: 'terminal',
            label: vscode.l10n.t('Terminal'),
            title: vscode.l10n.t('Last command in {0}', activeTerminal.name),
          },
          copiedText('workbench.action.terminal.copyLastCommandAndLastCommandOutput'),
        ),
    },
    {
      icon: 'terminal',
      name: vscode.l10n.t('Terminal selection'),
      hits: [],
      detail: activeTerminal.name,
      mention: '@terminal-selection',
      attachment: () =>
        attachments.ofLater(
          {
            kind: 'terminal',
            label: vscode.l10n.t('Terminal selection'),
            title: vscode.l10n.t('Selection in {0}', activeTerminal.name),
          },
          copiedText('workbench.action.terminal.copySelection'),
        ),
    },
  ];
}

/** What a command of the terminal copies: there is no other way to its text. */
const copiedText = copiedBy(vscode.env.clipboard, command =>
  vscode.commands.executeCommand(command),
);
