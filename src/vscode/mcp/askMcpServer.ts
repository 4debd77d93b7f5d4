import * as vscode from 'vscode';
import { mcpServerText } from '../../agents/mcp/mcpServerText';
import { visibleText } from '../../base/visibleText';
import type { McpAnswer, McpCandidate } from './mcpConfirmations';
import { showWarningMessage } from '../messages';

/** What a dialog shows on a small screen: what cannot be seen cannot be agreed to. */
const MAX_CHARACTERS = 2_000;
const MAX_LINES = 30;

/**
 * Asks whether agents may use a server that the workspace brings.
 * @param others how many servers more wait for an answer
 */
export async function askMcpServer(candidate: McpCandidate, others: number): Promise<McpAnswer> {
  const { server, source, envFile } = candidate;
  const place = source.placeOf(server.name);
  const text = mcpServerText(server, place, envFile);
  const isWhole = text.length <= MAX_CHARACTERS && text.split('\n').length <= MAX_LINES;
  const detail = isWhole
    ? [
        server.type === 'stdio'
          ? vscode.l10n.t('This program runs with your permissions.')
          : vscode.l10n.t('Agents send data to it and read its answers.'),
        text,
      ]
    : [
        vscode.l10n.t(
          'Too long to show. To use it, copy it to parley.mcpServers in your user settings.',
        ),
        // The place begins with a path of the workspace, which may be long itself.
        visibleText(place).slice(0, MAX_CHARACTERS),
      ];
  const use = vscode.l10n.t('Use');
  const refuse = vscode.l10n.t("Don't Use");
  const refuseAll = vscode.l10n.t("Don't Use Any");
  const buttons = [...(isWhole ? [use] : []), refuse, ...(others > 0 ? [refuseAll] : [])];
  const message = questionText(others);
  const options = { modal: true, detail: detail.join('\n\n') };
  const answer = await showWarningMessage(message, options, ...buttons);
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

function questionText(others: number): string {
  switch (others) {
    case 0:
      return vscode.l10n.t('Allow agents to use this MCP server from the workspace?');
    case 1:
      return vscode.l10n.t(
        'Allow agents to use this MCP server from the workspace? 1 more waits for your answer.',
      );
    default:
      return vscode.l10n.t(
        'Allow agents to use this MCP server from the workspace? {0} more wait for your answer.',
        others,
      );
  }
}
