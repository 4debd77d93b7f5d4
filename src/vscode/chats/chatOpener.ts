import * as path from 'node:path';
import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever';
import { visibleText } from '../../base/visibleText';
import type { Chat } from '../../session/chats';
import type { TerminalMirror } from '../../session/ports';
import { cutRefs } from '../../session/state/permission';
import { allTurns, findAttachment, terminalOf } from '../../session/state/selectors';
import type { SessionState } from '../../session/state/state';
import { findToolCall } from '../../session/state/toolCalls';
import type { Intent } from '../../shared/intents';
import type { ContextAttachments } from '../context/contextAttachments';
import { openFile, openLink } from '../links';
import { showInformationMessage, showWarningMessage } from '../messages';
import type { DiffEditor } from '../review/diff/diffEditor';
import type { ChangeActions } from './intentRouter';

export interface OpenerParts {
  readonly attachments: ContextAttachments;
  readonly diffs: DiffEditor;
  readonly mirror: TerminalMirror;
  readonly changes?: ChangeActions;
}

export type OpenIntent = Extract<
  Intent,
  {
    type:
      | 'openDiff'
      | 'openContent'
      | 'openRequest'
      | 'openLocation'
      | 'openTerminal'
      | 'openLink'
      | 'openAttachment';
  }
>;

/** Opens what stands in a chat: diffs, texts, files, links, terminals, attachments. Ids that are not in the state are ignored. */
export class ChatOpener {
  constructor(private readonly parts: OpenerParts) {}

  async open(chat: Chat, intent: OpenIntent): Promise<void> {
    const { mirror, attachments } = this.parts;
    const { state } = chat.store;
    switch (intent.type) {
      case 'openDiff':
        return this.openDiff(chat, intent.ref);
      case 'openContent':
        return this.openContent(chat, intent.ref);
      case 'openRequest':
        return this.openRequest(chat, intent.requestId);
      case 'openLocation': {
        const location = findToolCall(state, intent.toolCallId)?.locations[intent.index];
        if (location) await openLocation(state.cwd, location);
        return;
      }
      case 'openTerminal':
        if (terminalOf(state, intent.terminalId)?.owned) mirror.reveal(intent.terminalId);
        return;
      case 'openLink':
        return openLink(intent.href, state.cwd);
      case 'openAttachment': {
        const attachment = findAttachment(state, intent.attachmentId);
        if (attachment) await attachments.open(attachment);
        return;
      }
      default:
        assertNever(intent);
    }
  }

  /** What agents sent is not kept over a reload; the file's own changes are, until they are decided on. */
  private async openDiff(chat: Chat, ref: string): Promise<void> {
    const { diffs, changes } = this.parts;
    if (await diffs.open(chat.chatId, ref)) {
      chat.controller.openedContents([ref]);
      return;
    }
    const { state } = chat.store;
    const diffPath = findDiffPath(state, ref);
    if (diffPath === undefined) return;
    const file = path.resolve(state.cwd, diffPath);
    if (await changes?.openChanges(file)) return;
    const openIt = vscode.l10n.t('Open File');
    const answer = await showInformationMessage(
      vscode.l10n.t('This diff is no longer available. The chat shows its first lines.'),
      openIt,
    );
    if (answer === openIt) await openLocation(state.cwd, { path: file });
  }

  private async openContent(chat: Chat, ref: string): Promise<void> {
    const content = chat.controller.contents.get(ref);
    if (content?.kind === 'text') {
      await this.parts.diffs.openText(chat.chatId, ref, content.title, content.text);
      chat.controller.openedContents([ref]);
    } else if (content?.kind === 'diff') {
      await this.openDiff(chat, ref);
    } else {
      void showInformationMessage(
        vscode.l10n.t('The full text is no longer available. The chat shows its first part.'),
      );
    }
  }

  private async openRequest(chat: Chat, requestId: string): Promise<void> {
    const request = chat.store.state.permissions.find(({ id }) => id === requestId);
    if (!request) return;
    const { requestText } = await import('../../session/requests/requestText');
    const text = requestText(request, chat.controller.contents);
    if (text === undefined) {
      void showWarningMessage(
        vscode.l10n.t(
          'This request is too long to show, so it cannot be allowed. Reject it, and ask the agent for smaller steps.',
        ),
      );
      return;
    }
    const ref = `request/${request.id}/${request.revision}/all`;
    await this.parts.diffs.openText(chat.chatId, ref, 'request.diff', visibleText(text));
    chat.controller.openedContents(cutRefs(request));
  }
}

/** A place a tool call named; relative paths are relative to the session's directory. */
async function openLocation(
  cwd: string,
  location: { readonly path: string; readonly line?: number },
): Promise<void> {
  const file = path.resolve(cwd, location.path);
  const info = await stat(file).catch(() => undefined);
  if (!info) {
    void showInformationMessage(vscode.l10n.t('The file no longer exists: {0}', location.path));
    return;
  }
  if (info.isDirectory()) {
    await vscode.commands.executeCommand('revealInExplorer', vscode.Uri.file(file));
    return;
  }
  await openFile(file, location.line === undefined ? {} : { line: Math.max(1, location.line) });
}

function findDiffPath(state: SessionState, ref: string): string | undefined {
  for (const { parts } of allTurns(state)) {
    for (const part of parts) {
      const content = part.kind === 'tool' ? part.content : [];
      for (const each of content) {
        if (each.kind === 'diff' && each.diff.ref === ref) return each.diff.path;
      }
    }
  }
  return undefined;
}
