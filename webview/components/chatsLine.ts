import * as l10n from '@vscode/l10n';
import type { ChatSummary } from '../../src/shared/panelState';

/** `2 running, 1 waiting for you`: the header's line above the list of chats. */
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
