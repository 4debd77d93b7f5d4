import * as vscode from 'vscode';
import { visibleText } from '../../base/visibleText';
import type { Chat } from '../../session/chats';
import type { PermissionRequest } from '../../session/state/permission';
import { onceOption, plainCommand } from '../../session/state/plainRequest';

export type OnceAnswer = 'allow' | 'reject';

/** How a request that is shown in a line can be answered there: allowed only if the line shows all that it asks. */
export interface ShortRequest {
  readonly chatId: string;
  readonly requestId: string;
  readonly revision: number;
  /** The command, or what the request is called. */
  readonly line: string;
  readonly answers: readonly OnceAnswer[];
}

export function shortRequest({ chatId, store }: Chat, request: PermissionRequest): ShortRequest {
  const { id: requestId, revision, options } = request;
  const command = plainCommand(request, store.state.cwd);
  const line = command ?? visibleText(request.title);
  const answers: OnceAnswer[] = [];
  if (command !== undefined && onceOption(options, 'allow') !== undefined) answers.push('allow');
  if (onceOption(options, 'reject') !== undefined) answers.push('reject');
  return { chatId, requestId, revision, line, answers };
}

/** Answers `short` if it still waits as it was shown. @returns whether it did */
export function answerOnce(
  chat: Chat | undefined,
  short: ShortRequest,
  answer: OnceAnswer,
): boolean {
  const { requestId, revision, answers } = short;
  const request = chat?.store.state.permissions.find(({ id }) => id === requestId);
  if (!chat || request?.revision !== revision || !answers.includes(answer)) return false;
  // The agent may have changed it since: then it is not what was shown.
  if (!shortRequest(chat, request).answers.includes(answer)) return false;
  const option = onceOption(request.options, answer);
  return option !== undefined && chat.controller.answerPermission({ requestId, revision, option });
}

export function answerLabel(answer: OnceAnswer): string {
  return answer === 'allow' ? vscode.l10n.t('Allow') : vscode.l10n.t('Reject');
}
