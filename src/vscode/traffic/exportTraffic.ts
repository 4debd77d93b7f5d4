import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { formatRecording } from '../../agents/traffic/recording';
import type { Chat } from '../../session/chats';
import { showInformationMessage } from '../messages';
import { chatRecording, type TrafficParts } from './chatRecording';

/** @param file a `Uri`, where to; the user is asked without one */
export async function exportTraffic(
  parts: TrafficParts,
  chat: Chat,
  file?: unknown,
): Promise<void> {
  const recording = chatRecording(parts, chat);
  if (!recording) {
    const { name } = chat.store.state.agent;
    void showInformationMessage(
      vscode.l10n.t('There is no traffic with {0} yet: it has not run in this window.', name),
    );
    return;
  }
  const target = file instanceof vscode.Uri ? file : await askWhere(recording.head.agent);
  if (!target) return;
  const text = formatRecording(recording);
  await vscode.workspace.fs.writeFile(target, Buffer.from(text, 'utf8'));
  const open = vscode.l10n.t('Open');
  const answer = await showInformationMessage(
    vscode.l10n.t(
      'Exported {0} messages. Known secrets are masked; read the file before you share it.',
      recording.messages.length,
    ),
    open,
  );
  if (answer === open) await vscode.window.showTextDocument(target);
}

function askWhere(agent: string): Thenable<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const name = `${agent.replace(/[^\w-]+/g, '-')}-traffic.ndjson`;
  return vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export Protocol Traffic'),
    defaultUri: vscode.Uri.joinPath(folder, name),
    filters: { NDJSON: ['ndjson', 'jsonl'] },
  });
}
