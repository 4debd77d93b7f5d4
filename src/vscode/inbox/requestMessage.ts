import * as vscode from 'vscode';
import type { Chat, Chats } from '../../session/chats';
import { showInformationMessage } from '../messages';
import { answerLabel, answerOnce, shortRequest, type OnceAnswer } from './answerOnce';

/** A message that comes up under the pointer can be clicked before it was read, in milliseconds. */
const UNREAD_MS = 500;

export interface RequestMessageParts {
  readonly chats: Pick<Chats, 'get'>;
  now(): number;
  reveal(chatId: string): Promise<void>;
}

/**
 * Tells that a request waits, and lets it be answered there: allowed only where the message shows all of it. An answer
 * that comes too early or too late shows the chat instead.
 */
export async function showRequestMessage(
  parts: RequestMessageParts,
  chat: Chat,
  requestId: string,
): Promise<void> {
  const { permissions, elicitations, agent } = chat.store.state;
  const name = agent.title ?? agent.name;
  const show = vscode.l10n.t('Show');
  const request = permissions.find(({ id }) => id === requestId);
  if (!request) {
    const title = elicitations.find(({ id }) => id === requestId)?.message ?? '';
    const shown = await showInformationMessage(vscode.l10n.t('{0} asks: {1}', name, title), show);
    if (shown === show) await parts.reveal(chat.chatId);
    return;
  }
  const short = shortRequest(chat, request);
  const labels = new Map<string, OnceAnswer>(
    short.answers.map(answer => [answerLabel(answer), answer]),
  );
  const message = short.answers.includes('allow')
    ? vscode.l10n.t('{0} wants to run: {1}', name, short.line)
    : vscode.l10n.t('{0} asks: {1}', name, short.line);
  const shownAt = parts.now();
  const picked = await showInformationMessage(message, ...labels.keys(), show);
  if (picked === undefined) return;
  const answer = labels.get(picked);
  if (answer === undefined) return parts.reveal(chat.chatId);
  const isRead = answer === 'reject' || parts.now() - shownAt >= UNREAD_MS;
  if (isRead && answerOnce(parts.chats.get(chat.chatId), short, answer)) return;
  await parts.reveal(chat.chatId);
  void showInformationMessage(
    isRead
      ? vscode.l10n.t('The request was answered or changed in the meantime.')
      : vscode.l10n.t('The request waits in this chat. Read it, then answer it here.'),
  );
}
