import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifecycle';
import type { Disposable } from '../../base/lifecycle';
import type { Chat, Chats } from '../../session/chats';
import { firstPrompt, waitingRequests } from '../../session/state/selectors';
import type { SessionLists } from '../../session/history/sessionLists';
import type { SessionState } from '../../session/state/state';
import type { AgentForm } from '../../shared/intents';
import type { AgentChoice, BudgetLeft, ChatSummary, PanelState } from '../../shared/panelState';
import type { EditorContext } from '../context/editorContext';
import type { PanelChangeList } from '../tracking/panelChanges';

/** The agents a chat can be started with. */
export interface AgentDirectory {
  /** Those that can be started, and then what is offered. */
  choices(): readonly AgentChoice[];
  /** Looks again for what is installed. */
  search(): Promise<void>;
  /** Lets the user add the agent that is offered by that name; false when that is not wanted. */
  accept(name: string): Promise<boolean>;
  /** Adds an agent as the user has described it, and asks before; false when it is not added. */
  add(form: AgentForm): Promise<boolean>;
  /** The agent of a new chat when the user names none; always one of the choices. */
  readonly defaultAgent: string;
  readonly onDidChange: (listener: () => void) => Disposable;
}

/** What is left to be spent. */
export interface PanelBudget {
  left(chatId: string): BudgetLeft | undefined;
  readonly onDidChange: (listener: () => void) => Disposable;
}

/** What ended out of the user's sight, and has not been looked at since. */
export interface UnreadMarks {
  of(chatId: string): ChatSummary['unread'];
  readonly onDidChange: (listener: () => void) => Disposable;
}

/** Views need not know sooner; a streaming chat changes hundreds of times a second. */
const QUIET_MS = 50;
const MAX_FIRST_PROMPT = 120;

/** What the views show besides the chat itself. */
export class PanelSource implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private timer: NodeJS.Timeout | undefined;
  private last = '';

  constructor(
    private readonly chats: Chats,
    private readonly agents: AgentDirectory,
    private readonly editor: EditorContext,
    private readonly changes: PanelChangeList,
    private readonly sessions: SessionLists,
    private readonly budget: PanelBudget,
    private readonly unread: UnreadMarks,
  ) {
    const soon = () => {
      this.timer ??= setTimeout(() => this.check(), QUIET_MS);
    };
    this.disposables.add(this.changed);
    this.disposables.add(chats.onDidChange(soon));
    this.disposables.add(agents.onDidChange(soon));
    this.disposables.add(editor.onDidChange(soon));
    this.disposables.add(changes.onDidChange(soon));
    this.disposables.add(sessions.onDidChange(soon));
    this.disposables.add(budget.onDidChange(soon));
    this.disposables.add(unread.onDidChange(soon));
    this.disposables.add(vscode.workspace.onDidChangeWorkspaceFolders(soon));
  }

  stateFor(host: PanelState['host'], chatId: string | undefined): PanelState {
    const { name } = vscode.workspace;
    const activeEditor = this.editor.view();
    const changes = this.changes.view();
    return {
      host,
      chats: this.summaries(),
      sessions: this.agents.choices().flatMap(({ name: agent }) => this.sessions.of(agent) ?? []),
      agents: this.agents.choices(),
      defaultAgent: this.agents.defaultAgent,
      ...(!vscode.workspace.isTrusted && { isRestricted: true as const }),
      ...(chatId !== undefined && { chatId }),
      ...(name !== undefined && { workspaceName: name }),
      ...(activeEditor && { activeEditor }),
      ...(changes && { changes }),
    };
  }

  /** Newest first. */
  summaries(): readonly ChatSummary[] {
    return this.chats.all.map(chat => {
      const left = this.budget.left(chat.chatId);
      const unread = this.unread.of(chat.chatId);
      return { ...summaryOf(chat), ...(left && { budget: left }), ...(unread && { unread }) };
    });
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.disposables.dispose();
  }

  private check(): void {
    this.timer = undefined;
    const now = JSON.stringify(this.stateFor('sidebar', undefined));
    if (now === this.last) return;
    this.last = now;
    this.changed.fire();
  }
}

function summaryOf(chat: Chat): ChatSummary {
  const { state } = chat.store;
  const first = firstPrompt(state);
  return {
    chatId: chat.chatId,
    agentName: state.agent.name,
    state: stateOf(state),
    updatedAt: chat.updatedAt,
    ...(state.title !== undefined && { title: state.title }),
    ...(state.listed && { listed: state.listed }),
    ...(first && { firstPrompt: first.text.slice(0, MAX_FIRST_PROMPT) }),
  };
}

/** What a chat is called where it is listed. */
export function titleOf(state: SessionState): string {
  const first = firstPrompt(state);
  const line = (state.title ?? first?.text ?? '').replace(/\s+/g, ' ').trim();
  if (line === '') return vscode.l10n.t('New chat with {0}', state.agent.name);
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

function stateOf(state: SessionState): ChatSummary['state'] {
  if (waitingRequests(state).length > 0) return 'waiting';
  if (state.activeTurn) return 'working';
  switch (state.connection.kind) {
    case 'starting':
      return 'connecting';
    case 'signIn':
    case 'failed':
    case 'ready':
    case 'stopped':
      return state.connection.kind;
  }
}
