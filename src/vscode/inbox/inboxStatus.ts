import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifecycle';
import type { ChatSummary } from '../../shared/panelState';
import type { PanelSource } from '../chats/panelSource';

export const INBOX_COMMAND = 'parley.showInbox';

/** What a chat is to its user, the most urgent first. */
export type Standing = 'waiting' | 'working' | 'failed' | 'done';

/** Undefined for chats in which nothing goes on that the user has not seen. */
export function standingOf({ state, unread }: ChatSummary): Standing | undefined {
  if (state === 'waiting' || state === 'signIn') return 'waiting';
  if (state === 'working' || state === 'connecting') return 'working';
  return unread;
}

/** Says in the status bar what all chats of the window are at, also while no view is open. */
export class InboxStatus implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly item: vscode.StatusBarItem;

  constructor(private readonly panel: Pick<PanelSource, 'onDidChange' | 'summaries'>) {
    this.item = this.disposables.add(
      vscode.window.createStatusBarItem('parley.inbox', vscode.StatusBarAlignment.Right, 90),
    );
    this.item.name = vscode.l10n.t('Parley: Chats');
    this.item.command = INBOX_COMMAND;
    this.disposables.add(panel.onDidChange(() => this.update()));
    this.update();
    this.item.show();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private update(): void {
    const counts = countsOf(this.panel.summaries());
    const lines = wordsOf(counts);
    const icon = ICONS[lines[0]?.standing ?? 'none'];
    this.item.text = lines[0] ? `$(${icon}) Parley: ${lines[0].text}` : `$(${icon}) Parley`;
    const all = lines.map(({ text }) => text).join(', ');
    this.item.tooltip = all === '' ? vscode.l10n.t('Parley: show chats') : `Parley: ${all}`;
    this.item.accessibilityInformation = { label: this.item.tooltip, role: 'button' };
    this.item.backgroundColor =
      counts.waiting > 0 ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
  }
}

const ICONS: Readonly<Record<Standing | 'none', string>> = {
  waiting: 'bell-dot',
  working: 'loading~spin',
  failed: 'error',
  done: 'check',
  none: 'comment-discussion',
};

export function countsOf(chats: readonly ChatSummary[]): Readonly<Record<Standing, number>> {
  const counts = { waiting: 0, working: 0, failed: 0, done: 0 };
  for (const chat of chats) {
    const standing = standingOf(chat);
    if (standing) counts[standing]++;
  }
  return counts;
}

function wordsOf(
  counts: Readonly<Record<Standing, number>>,
): readonly { readonly standing: Standing; readonly text: string }[] {
  const { waiting, working, failed, done } = counts;
  const all = [
    { standing: 'waiting' as const, count: waiting, text: vscode.l10n.t('{0} waiting', waiting) },
    { standing: 'working' as const, count: working, text: vscode.l10n.t('{0} working', working) },
    { standing: 'failed' as const, count: failed, text: vscode.l10n.t('{0} failed', failed) },
    { standing: 'done' as const, count: done, text: vscode.l10n.t('{0} done', done) },
  ];
  return all.filter(({ count }) => count > 0);
}
