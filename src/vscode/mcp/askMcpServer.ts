import * as vscode from 'vscode';
import { mcpServerText } from '../../agents/mcp/mcpServerText';
import { visibleText } from '../../base/visibleText';
import type { McpAnswer, McpCandidate } from './mcpConfirmations';

/** More than a dialog shows on a small screen; what cannot be seen is not agreed to. */
const MAX_CHARACTERS = 2_000;
const MAX_LINES = 30;

/**
 * Asks whether agents may use a server that the workspace brings.
 * @param others how many servers more wait for an answer
 */
export async function askMcpServer(candidate: McpCandidate, others: number): Promise<McpAnswer> {
  const { server, source } = candidate;
  const place = source.placeOf(server.name);
  const text = mcpServerText(server, place);
  const isWhole = text.length <= MAX_CHARACTERS && text.split('\n').length <= MAX_LINES;
  const detail = isWhole
    ? [
        server.type === 'stdio'
          ? vscode.l10n.t('It is a program that runs with all your rights.')
          : vscode.l10n.t('It gets what agents send to it, and agents read what it answers.'),
        text,
      ]
    : [
        vscode.l10n.t(
          'It is too long to be shown here whole, so it cannot be agreed to. Read it where it stands, and copy it into parley.mcpServers of your user settings if you want it.',
        ),
        // The place begins with a path of the workspace, which may be long itself.
        visibleText(place).slice(0, MAX_CHARACTERS),
      ];
  const use = vscode.l10n.t('Use');
  const refuse = vscode.l10n.t('Don’t Use');
  const refuseAll = vscode.l10n.t('Don’t Use Any');
  const buttons = [...(isWhole ? [use] : []), refuse, ...(others > 0 ? [refuseAll] : [])];
  const message =
    others > 0
      ? vscode.l10n.t(
          'Let agents use this MCP server of the workspace? {0} more wait for your answer.',
          others,
        )
      : vscode.l10n.t('Let agents use this MCP server of the workspace?');
  const options = { modal: true, detail: detail.join('\n\n') };
  const answer = await vscode.window.showWarningMessage(message, options, ...buttons);
  switch (answer) {
    case use:
      return 'use';
    case refuse:
      return 'refuse';
    case refuseAll:
      return 'refuseAll';
    default:
      return undefined;
  }
}
