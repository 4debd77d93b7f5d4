import * as l10n from '@vscode/l10n';
import type { SessionState } from '../../src/session/state/state';
import type { PanelState } from '../../src/shared/panelState';
import { chatsLine } from './chatsLine';
import type { HeaderView } from './header';
import { chatTitle, stateLine } from './stateLine';

/** Before there is a chat. @param line what is to be done, or is being done */
export function firstRunHeader({ chats }: PanelState, line: string): HeaderView {
  return {
    kind: 'firstRun',
    title: l10n.t('Parley'),
    line: { text: line },
    waiting: 0,
    chats: chats.length,
  };
}

export function chatsHeader({ chats }: PanelState): HeaderView {
  return {
    kind: 'chats',
    title: l10n.t('Chats'),
    line: { text: chatsLine(chats) },
    waiting: 0,
    chats: chats.length,
  };
}

export function chatHeader({ chats }: PanelState, session: SessionState): HeaderView {
  const { agent, chatId } = session;
  return {
    kind: 'chat',
    title: chatTitle(session),
    line: stateLine(session),
    agent: {
      chatId,
      name: agent.name,
      about: [agent.title ?? agent.name, agent.version].filter(Boolean).join(' '),
      place: agent.place,
      canFork: agent.capabilities.fork ?? false,
      canSignOut: agent.capabilities.signOut ?? false,
    },
    waiting: chats.filter(chat => chat.state === 'waiting' && chat.chatId !== chatId).length,
    chats: chats.length,
  };
}
