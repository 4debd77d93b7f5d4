import * as l10n from '@vscode/l10n';
import { assertNever } from '../../src/base/assertNever';
import type { SessionList } from '../../src/session/history/sessionLists';
import type { ChatSummary } from '../../src/shared/panelState';
import { summaryTitle } from '../components/chatSummary';
import { daysBetween } from '../ui/time';
import { wordsOf } from './marked';

export interface ChatGroup {
  readonly key: GroupKey;
  readonly name: string;
  readonly chats: readonly ChatSummary[];
}

type GroupKey =
  'waiting' | 'pinned' | 'running' | 'unread' | 'today' | 'yesterday' | 'earlier' | 'archived';

/** What an agent keeps, as rows like those of chats; in the agent's order. */
export function sessionRows(
  { agentName, sessions }: SessionList,
  query: string,
): readonly ChatSummary[] {
  return sessions
    .map(({ sessionId, title = l10n.t('Untitled session'), updatedAt = 0 }) => ({
      // Two agents may use the same ids.
      chatId: `${agentName}/${sessionId}`,
      title,
      agentName,
      state: 'stopped' as const,
      updatedAt,
    }))
    .filter(row => matches(row, query));
}

/**
 * Chats that match `query`, in the groups of the list: what waits first, then what is pinned, what runs, what is
 * unread, then by age; last what is put away.
 * @param isFound what is in it matches
 */
export function groupChats(
  chats: readonly ChatSummary[],
  query: string,
  now: number,
  isFound: (chatId: string) => boolean = () => false,
): readonly ChatGroup[] {
  const names: Readonly<Record<GroupKey, string>> = {
    waiting: l10n.t('Waiting for you'),
    pinned: l10n.t('Pinned'),
    running: l10n.t('Running'),
    unread: l10n.t('Unread'),
    today: l10n.t('Today'),
    yesterday: l10n.t('Yesterday'),
    earlier: l10n.t('Earlier'),
    archived: l10n.t('Archived'),
  };
  const shown = chats
    .filter(chat => matches(chat, query) || isFound(chat.chatId))
    .sort((a, b) => b.updatedAt - a.updatedAt);
  const keys = Object.keys(names) as readonly GroupKey[];
  return keys
    .map(key => ({
      key,
      name: names[key],
      chats: shown.filter(chat => groupOf(chat, now) === key),
    }))
    .filter(group => group.chats.length > 0);
}

/** Whether the agent has something to do, or waits for the user: the chat cannot be put away then. */
export function isAtWork({ state }: ChatSummary): boolean {
  return state === 'waiting' || state === 'working';
}

function groupOf(chat: ChatSummary, now: number): GroupKey {
  switch (chat.state) {
    case 'waiting':
    case 'signIn':
      return 'waiting';
    case 'working':
    case 'connecting':
      return chat.listed === 'pinned' ? 'pinned' : 'running';
    case 'ready':
    case 'failed':
    case 'stopped': {
      if (chat.listed) return chat.listed;
      if (chat.unread) return 'unread';
      const days = daysBetween(chat.updatedAt, now);
      return days <= 0 ? 'today' : days === 1 ? 'yesterday' : 'earlier';
    }
    default:
      return assertNever(chat.state);
  }
}

/** Every word of the query is in the title or the agent's name. */
function matches(chat: ChatSummary, query: string): boolean {
  const text = `${summaryTitle(chat)} ${chat.agentName}`.toLocaleLowerCase();
  return wordsOf(query).every(word => text.includes(word.toLocaleLowerCase()));
}
