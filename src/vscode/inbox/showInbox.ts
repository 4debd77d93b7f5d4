import * as vscode from 'vscode';
import { visibleText } from '../../base/visibleText';
import type { Chat, Chats } from '../../session/chats';
import { waitingRequests } from '../../session/state/selectors';
import type { ChatSummary } from '../../shared/panelState';
import { titleOf, type PanelSource } from '../chats/panelSource';
import { withoutMoving } from '../chats/withoutMoving';
import {
  answerLabel,
  answerOnce,
  shortRequest,
  type OnceAnswer,
  type ShortRequest,
} from './answerOnce';
import { standingOf, type Standing } from './inboxStatus';

export interface InboxParts {
  readonly chats: Pick<Chats, 'get'>;
  readonly panel: Pick<PanelSource, 'onDidChange' | 'summaries'>;
  reveal(chatId: string): Promise<void>;
  newChat(): Promise<unknown>;
  showChats(): Promise<void>;
}

interface ItemButton extends vscode.QuickInputButton {
  readonly answer?: OnceAnswer;
}

interface Item extends vscode.QuickPickItem {
  readonly chatId?: string;
  readonly request?: ShortRequest;
  readonly action?: 'newChat' | 'showChats';
  readonly buttons?: readonly ItemButton[];
}

/** What a row of the list shows without cutting it in a narrow window, in characters. */
const MAX_ROW = 50;

/** All chats of the window, those that need their user first: a request is answered in its row, a chat opened. */
export function showInbox(parts: InboxParts): Promise<void> {
  return new Promise(resolve => {
    const pick = vscode.window.createQuickPick<Item>();
    pick.title = vscode.l10n.t('Chats');
    pick.placeholder = vscode.l10n.t('Select a chat, or a request to answer');
    pick.matchOnDescription = true;
    pick.matchOnDetail = true;
    pick.items = itemsOf(parts);
    const later = separator(vscode.l10n.t('Just Now'));
    const listener = parts.panel.onDidChange(() => {
      const items = withoutMoving(pick.items, itemsOf(parts), keyOf, later);
      if (JSON.stringify(items) !== JSON.stringify(pick.items)) pick.items = items;
    });
    pick.onDidTriggerItemButton(({ item, button }) => {
      const { answer } = button as ItemButton;
      const { request, chatId } = item;
      if (!request || chatId === undefined || answer === undefined) return;
      if (answerOnce(parts.chats.get(chatId), request, answer)) return;
      pick.hide();
      void parts.reveal(chatId);
    });
    pick.onDidAccept(() => {
      const item = pick.activeItems[0];
      pick.hide();
      if (item?.chatId !== undefined && parts.chats.get(item.chatId)) {
        void parts.reveal(item.chatId);
      } else if (item?.action) void parts[item.action]();
    });
    pick.onDidHide(() => {
      listener.dispose();
      pick.dispose();
      resolve();
    });
    pick.show();
  });
}

const GROUPS: readonly (Standing | undefined)[] = [
  'waiting',
  'failed',
  'done',
  'working',
  undefined,
];

function itemsOf({ chats, panel }: InboxParts): readonly Item[] {
  const now = panel.summaries();
  const rows = GROUPS.flatMap(standing => {
    const items = now
      .filter(summary => standingOf(summary) === standing)
      .flatMap(summary => {
        const chat = chats.get(summary.chatId);
        return chat ? rowsOf(chat, summary) : [];
      });
    return items.length === 0 ? [] : [separator(headingOf(standing)), ...items];
  });
  return [
    ...rows,
    separator(''),
    { label: `$(add) ${vscode.l10n.t('New Chat')}`, action: 'newChat' },
    { label: `$(history) ${vscode.l10n.t('Show Chats…')}`, action: 'showChats' },
  ];
}

function headingOf(standing: Standing | undefined): string {
  switch (standing) {
    case 'waiting':
      return vscode.l10n.t('Waiting for you');
    case 'failed':
      return vscode.l10n.t('Failed');
    case 'done':
      return vscode.l10n.t('Done');
    case 'working':
      return vscode.l10n.t('Working');
    case undefined:
      return vscode.l10n.t('Other');
  }
}

/** A row for each request that waits, else one for the chat. */
function rowsOf(chat: Chat, summary: ChatSummary): readonly Item[] {
  const { state } = chat.store;
  const { chatId } = chat;
  const title = plainLabel(titleOf(state));
  const agent = plainLabel(state.agent.title ?? state.agent.name);
  const waiting = waitingRequests(state);
  if (waiting.length === 0) {
    const icon = iconOf(summary);
    return [{ label: `$(${icon}) ${title}`, description: agent, chatId }];
  }
  return waiting.map(({ id, title: asked }) => {
    const request = state.permissions.find(each => each.id === id);
    const short = request && shortRequest(chat, request);
    const isWhole = short !== undefined && [...short.line].length <= MAX_ROW;
    const answers = (short?.answers ?? []).filter(answer => answer === 'reject' || isWhole);
    return {
      label: `$(bell-dot) ${plainLabel(short?.line ?? asked)}`,
      detail: `${agent}: ${title}`,
      chatId,
      ...(short && { request: short }),
      buttons: answers.map(answer => ({
        iconPath: new vscode.ThemeIcon(answer === 'allow' ? 'check' : 'close'),
        tooltip: answerLabel(answer),
        answer,
      })),
    };
  });
}

function iconOf(summary: ChatSummary): string {
  switch (summary.state) {
    case 'signIn':
      return 'key';
    case 'working':
    case 'connecting':
      return 'loading~spin';
    case 'failed':
      return 'error';
    case 'waiting':
    case 'ready':
    case 'stopped':
      if (summary.unread === 'failed') return 'error';
      return summary.unread === 'done' ? 'check' : 'comment';
  }
}

/** VS Code draws icons for what looks like one, and the text would not be seen. */
function plainLabel(text: string): string {
  return visibleText(text).replace(/\s+/g, ' ').replaceAll('$(', '$ (');
}

function keyOf({ label, kind, chatId, request, action }: Item): string {
  // The request, not the chat: a row never becomes another one's.
  if (kind === vscode.QuickPickItemKind.Separator) return `-${label}`;
  return JSON.stringify([chatId, request?.requestId, request?.revision, action]);
}

function separator(label: string): Item {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
