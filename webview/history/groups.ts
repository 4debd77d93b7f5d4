import * as l10n from '@vscode/l10n';
import { assertNever } from '../../src/base/assertNever';
import type { SessionList } from '../../src/session/history/sessionLists';
import type { ChatSummary } from '../../src/shared/panelState';
import { summaryTitle } from '../components/chatSummary';
import { daysBetween } from '../ui/time';

export interface ChatGroup {
  readonly name: string;
  readonly chats: readonly ChatSummary[];
}

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

/** Chats that match `query`, in the groups of the list: what waits first, then what runs, what is unread, then by age. */
export function groupChats(
  chats: readonly ChatSummary[],
  query: string,
  now: number,
): readonly ChatGroup[] {
  const groups = {
    waiting: { name: l10n.t('Waiting for you'), chats: [] as ChatSummary[] },
    running: { name: l10n.t('Running'), chats: [] as ChatSummary[] },
    unread: { name: l10n.t('Unread'), chats: [] as ChatSummary[] },
    today: { name: l10n.t('Today'), chats: [] as ChatSummary[] },
    earlier: { name: l10n.t('Earlier'), chats: [] as ChatSummary[] },
  };
  const newestFirst = [...chats].sort((a, b) => b.updatedAt - a.updatedAt);
  for (const chat of newestFirst) {
    if (matches(chat, query)) groups[groupOf(chat, now)].chats.push(chat);
  }
  return Object.values(groups).filter(group => group.chats.length > 0);
}

function groupOf(
  chat: ChatSummary,
  now: number,
): 'waiting' | 'running' | 'unread' | 'today' | 'earlier' {
  switch (chat.state) {
    case 'waiting':
    case 'signIn':
      return 'waiting';
    case 'working':
    case 'connecting':
      return 'running';
    case 'ready':
    case 'failed':
    case 'stopped':
      if (chat.unread) return 'unread';
      return daysBetween(chat.updatedAt, now) === 0 ? 'today' : 'earlier';
    default:
      return assertNever(chat.state);
  }
}

/** Every word of the query is in the title or the agent's name. */
function matches(chat: ChatSummary, query: string): boolean {
  const text = `${summaryTitle(chat)} ${chat.agentName}`.toLocaleLowerCase();
  return query
    .toLocaleLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word));
}

/** `2 running, 1 waiting for you`: the header's line above the list. */
export function chatsLine(chats: readonly ChatSummary[]): string {
  const count = (states: readonly ChatSummary['state'][]) =>
    chats.filter(({ state }) => states.includes(state)).length;
  const running = count(['working', 'connecting']);
  const waiting = count(['waiting', 'signIn']);
  if (running > 0 && waiting > 0) {
    return l10n.t('{0} running, {1} waiting for you', running, waiting);
  }
  if (running > 0) return l10n.t('{0} running', running);
  if (waiting > 0) return l10n.t('{0} waiting for you', waiting);
  return chats.length === 1 ? l10n.t('1 chat') : l10n.t('{0} chats', chats.length);
}
