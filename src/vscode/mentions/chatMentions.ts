import * as vscode from 'vscode';
import type { Chats } from '../../session/chats';
import { allTurns } from '../../session/state/selectors';
import { titleOf } from '../chats/panelSource';
import type { ContextAttachments } from '../context/contextAttachments';
import type { Candidate } from './candidate';

const MAX_TITLE = 40;

/** The other chats of the window in which something was said, the latest first. */
export function chatMentions(
  chats: Chats,
  current: string | undefined,
  attachments: ContextAttachments,
): readonly Candidate[] {
  return chats.all
    .filter(({ chatId, store }) => chatId !== current && allTurns(store.state).length > 0)
    .map(({ chatId, store }) => {
      const title = titleOf(store.state);
      const short = title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE - 1).trim()}…` : title;
      return {
        icon: 'comment-discussion',
        name: title,
        hits: [],
        detail: store.state.agent.name,
        mention: `@chat:${short}`,
        attachment: () =>
          attachments.of({
            kind: 'chat',
            label: short,
            title: vscode.l10n.t('Chat: {0}', title),
            ref: chatId,
          }),
      };
    });
}
