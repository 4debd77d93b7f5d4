import * as vscode from 'vscode';
import { AgentSessions, type AgentSession } from '../session/agentSessions';
import type { Chat, Chats } from '../session/chats';
import type { Agent } from '../session/ports';
import type { ChatViews } from './chatView/chatViews';

export interface SessionCommandParts {
  readonly chats: Chats;
  readonly views: ChatViews;
}

type Item = vscode.QuickPickItem & { readonly session?: AgentSession; readonly next?: string };

/** Lets the user choose among the sessions that `agent` keeps, and opens or deletes one. */
export async function openAgentSession(
  { chats, views }: SessionCommandParts,
  agent: Agent,
): Promise<void> {
  const { name } = agent;
  const cwd = chats.cwd;
  const sessions = new AgentSessions(agent, cwd);
  // What the answers tell stays true while the list is open: the process does not have to start again.
  const lease = agent.lease();
  try {
    const abilities = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        cancellable: true,
        title: vscode.l10n.t('Asking {0} for its sessions…', name),
      },
      (_, token) => sessions.abilities(signalOf(token)),
    );
    if (!abilities.list || !abilities.open) {
      void vscode.window.showInformationMessage(
        abilities.list
          ? vscode.l10n.t('{0} keeps sessions but cannot open them again.', name)
          : vscode.l10n.t('{0} does not list its sessions. Show Chats… has those of Parley.', name),
      );
      return;
    }
    const session = await choose(name, sessions, abilities.delete);
    const chat = session && chats.adopt(name, session);
    if (chat) await views.reveal(chat.chatId);
  } finally {
    lease.dispose();
  }
}

/** Begins a chat that knows what this one does, where the agent can. */
export async function forkChat({ chats, views }: SessionCommandParts, chat: Chat): Promise<void> {
  const { agent } = chat.store.state;
  await chat.controller.connect();
  if (chat.store.state.agent.capabilities.fork !== true) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        '{0} cannot copy a chat. Start a new one and attach what matters.',
        agent.title ?? agent.name,
      ),
    );
    return;
  }
  const forked = chats.fork(chat.chatId);
  if (forked) await views.reveal(forked.chatId);
}

async function choose(
  agentName: string,
  sessions: AgentSessions,
  canDelete: boolean,
): Promise<AgentSession | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  const trash = {
    iconPath: new vscode.ThemeIcon('trash'),
    tooltip: vscode.l10n.t('Delete this session'),
  };
  pick.title = vscode.l10n.t('Sessions of {0}', agentName);
  pick.placeholder = vscode.l10n.t('Choose a session to open');
  pick.matchOnDescription = true;
  let items: readonly Item[] = [];
  const gone = new AbortController();
  const show = async (cursor?: string): Promise<void> => {
    pick.busy = true;
    try {
      const page = await sessions.list(cursor, gone.signal);
      const known = items.filter(({ session }) => session);
      items = [
        ...known,
        ...page.sessions.map(session => ({
          label: session.title ?? vscode.l10n.t('Untitled session'),
          description: session.updatedAt ? new Date(session.updatedAt).toLocaleString() : '',
          detail: session.sessionId,
          session,
          ...(canDelete && { buttons: [trash] }),
        })),
        ...(page.next === undefined
          ? []
          : [{ label: vscode.l10n.t('Show More…'), alwaysShow: true, next: page.next }]),
      ];
      pick.items = items;
      if (items.length === 0) pick.placeholder = vscode.l10n.t('There are none in this folder.');
    } catch (error) {
      if (gone.signal.aborted) return;
      const message = error instanceof Error ? error.message : String(error);
      void vscode.window.showErrorMessage(
        vscode.l10n.t('{0} did not list its sessions: {1}', agentName, message),
      );
      pick.hide();
    } finally {
      pick.busy = false;
    }
  };
  try {
    return await new Promise<AgentSession | undefined>(resolve => {
      pick.onDidAccept(() => {
        const [item] = pick.selectedItems;
        if (item?.next !== undefined) void show(item.next);
        else if (item?.session) resolve(item.session);
      });
      pick.onDidTriggerItemButton(({ item }) => {
        const { session } = item;
        if (!session) return;
        void remove(agentName, sessions, item.label, session).then(removed => {
          if (!removed) return;
          items = items.filter(other => other !== item);
          pick.items = items;
        });
      });
      pick.onDidHide(() => resolve(undefined));
      pick.show();
      void show();
    });
  } finally {
    gone.abort();
    pick.dispose();
  }
}

/** Asks first: what an agent deletes cannot be brought back. */
async function remove(
  agentName: string,
  sessions: AgentSessions,
  title: string,
  { sessionId }: AgentSession,
): Promise<boolean> {
  const yes = vscode.l10n.t('Delete');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Delete the session “{0}” from {1}?', title, agentName),
    { modal: true, detail: vscode.l10n.t('This cannot be undone.') },
    yes,
  );
  if (answer !== yes) return false;
  try {
    await sessions.delete(sessionId);
    return true;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(
      vscode.l10n.t('{0} did not delete it: {1}', agentName, message),
    );
    return false;
  }
}

function signalOf(token: vscode.CancellationToken): AbortSignal {
  const controller = new AbortController();
  token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}
