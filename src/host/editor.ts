import { lazy } from '../base/lazy';
import { toDisposable } from '../base/lifecycle';
import type { Disposable } from '../base/lifecycle';
import { SessionLists } from '../session/history/sessionLists';
import { ChatActions } from '../vscode/chats/chatActions';
import { ChatPrompts } from '../vscode/chats/chatPrompts';
import { ChatRequests } from '../vscode/chats/chatRequests';
import { IntentRouter } from '../vscode/chats/intentRouter';
import { queryHandlers } from '../vscode/chats/queryHandlers';
import { PanelSource } from '../vscode/chats/panelSource';
import { UnwatchedChats } from '../vscode/chats/unwatchedChats';
import { ChatViews } from '../vscode/chatView/chatViews';
import { registerCommands } from '../vscode/commands';
import { EditorContext } from '../vscode/context/editorContext';
import { ContextKeys } from '../vscode/contextKeys';
import type { VscodeTextFiles } from '../vscode/files/vscodeTextFiles';
import { LazyFollow } from '../vscode/follow/lazyFollow';
import { UnreadChats } from '../vscode/inbox/unreadChats';
import { workspaceRoots } from '../vscode/links';
import { Notifications } from '../vscode/notifications';
import { ProposalLenses } from '../vscode/review/codeLenses/proposalLenses';
import { DiffEditor } from '../vscode/review/diff/diffEditor';
import { EditorUris } from '../vscode/review/diff/editorUris';
import { RestoreCommands } from '../vscode/review/restore/restoreCommands';
import { ReviewSurfaces } from '../vscode/review/reviewSurfaces';
import type { PseudoterminalMirror } from '../vscode/terminals/pseudoterminalMirror';
import { ChangeBar } from '../vscode/tracking/changeBar';
import { PanelChangeList } from '../vscode/tracking/panelChanges';
import type { WindowChats } from './chats';
import type { WindowReview } from './review';
import type { WindowSettings } from './settings';
import { followFolders, otherFolders } from './folders';
import { place } from './window';
import type { Window } from './window';

export interface EditorParts extends WindowSettings, WindowReview, WindowChats {
  readonly files: VscodeTextFiles;
  readonly mirror: PseudoterminalMirror;
}

/** From the first view to the search for what is installed, in milliseconds. */
const SEARCH_AFTER_MS = 500;

/** What the user sees of Parley: views, editors, commands, messages. */
export function composeEditor(window: Window, services: EditorParts): void {
  const { parts, context, logger, environment, storage } = window;
  const { settings, workspaceDefaults, tracking, documents, proposals } = services;
  const { agents, search, registry, chats, attachments, restored, files, mirror } = services;
  const { runDoctor, traffic, budget, forgetMcp, permissionLog } = services;
  const { review } = tracking;
  const agent = (name: string) => agents.agent(name);

  const changes = new PanelChangeList(review, parts.add(new EditorUris()), () => ({
    ...place(),
    protectedFiles: settings.current.permissions.protectedFiles,
  }));
  const editor = parts.add(new EditorContext());
  const sessions = parts.add(new SessionLists(chats, agent, environment));
  const unread = parts.add(new UnreadChats(chats, context.workspaceState));
  const panel = parts.add(
    new PanelSource(chats, agents, editor, changes, sessions, budget, unread),
  );
  const { extensionUri } = context;
  const mentions = lazy(async () => {
    const { Mentions } = await import('../vscode/mentions/mentions');
    return parts.add(new Mentions({ chats, editor, attachments, logger }));
  });
  const codeBlocks = lazy(async () => {
    const { CodeBlocks } = await import('../vscode/codeBlocks/codeBlocks');
    return parts.add(new CodeBlocks(editor, proposals.editable));
  });
  const folders = otherFolders(window);
  const queries = queryHandlers(chats, mentions, folders, attachments);
  const views = parts.add(
    new ChatViews(
      { chats, panel, extensionUri, logger, restored, queries },
      context.workspaceState,
    ),
  );
  followFolders(window, chats, folders, restored, chatId => views.reveal(chatId));
  unread.watch(chatId => views.isVisible(chatId));
  parts.add(views.onDidChangeVisibility(() => unread.look()));
  void restored.then(async () => {
    const { InboxStatus } = await import('../vscode/inbox/inboxStatus');
    parts.add(new InboxStatus(panel));
  });
  // Asked where agents are started from: a workspace without Parley has no use for the question.
  const considerDefaults = (): void => {
    if (views.anyOpen) void workspaceDefaults.consider(settings.current.asked);
  };
  parts.add(views.onDidChangeVisibility(considerDefaults));
  parts.add(settings.onDidChange(considerDefaults));
  // Once the first frame has been drawn: a search starts the login shell and looks at many files.
  let soon: Disposable | undefined;
  const lookForAgents = (): void => {
    if (!views.anyOpen || soon) return;
    soon = environment.after(SEARCH_AFTER_MS, () => {
      soon = undefined;
      void search.refresh();
      void registry.lookForUpdates();
    });
  };
  parts.add(toDisposable(() => soon?.dispose()));
  parts.add(views.onDidChangeVisibility(lookForAgents));

  const actions = new ChatActions({
    chats,
    views,
    agents,
    attachments,
    editor,
    logs: window.logs,
  });
  const requests = parts.add(new ChatRequests(chats));
  const currentText = (file: string) => files.peek(file);
  const diffs = parts.add(new DiffEditor(requests, requests, documents, currentText, proposals));
  parts.add(new ProposalLenses(diffs));
  const surfaces = parts.add(
    new ReviewSurfaces(
      review,
      tracking.ready,
      currentText,
      new ChatPrompts(chats, views, actions),
      storage('review', 'remarks.json'),
      logger,
    ),
  );
  const follow = parts.add(
    new LazyFollow(chats, () => views.current?.chatId, workspaceRoots, logger),
  );
  const restore = parts.add(
    new RestoreCommands(
      tracking.rewind,
      views,
      {
        choices: () => agents.choices(),
        newChat: name => actions.newChat(name),
        conversation: (chat, title) => attachments.ofConversation(chat, title),
      },
      () => Promise.all([restored, tracking.ready()]),
      logger,
    ),
  );
  const router = new IntentRouter({
    chats,
    views,
    actions,
    attachments,
    diffs,
    mirror,
    editor,
    mentions,
    codeBlocks,
    folders,
    sessions,
    budget,
    changes: new ChangeBar(review, changes, surfaces, restore),
    logger,
  });
  parts.add(
    views.onDidReceiveIntent(({ view, intent, chatId }) => router.handle(view, intent, chatId)),
  );
  parts.add(
    registerCommands({
      chats,
      actions,
      views,
      requests,
      diffs,
      follow,
      logger,
      mask: window.logs.masker.mask,
      agent,
      codeReview: async () => (await codeBlocks()).review,
      runDoctor,
      exportTraffic: (chat, file) => traffic.exportTraffic(chat, file),
      async replayTraffic(file, speed) {
        const chat = await traffic.replayTraffic(file, speed);
        if (chat) await views.reveal(chat.chatId);
      },
      showTraffic: chat => traffic.showTraffic(chat),
      async showInbox() {
        const { showInbox } = await import('../vscode/inbox/showInbox');
        await showInbox({
          chats,
          panel,
          reveal: chatId => views.reveal(chatId),
          newChat: () => actions.newChat(),
          showChats: () => views.command({ type: 'showChats' }),
        });
      },
      browseAgents: () => registry.open(name => actions.newChat(name)),
      async forgetWorkspace() {
        await forgetMcp();
        await workspaceDefaults.forget();
      },
      async showPermissionLog() {
        const { showPermissionLog } = await import('../vscode/permissions/showPermissionLog');
        await showPermissionLog(await permissionLog());
      },
      restored,
    }),
  );
  parts.add(new ContextKeys(chats, requests, views));
  parts.add(new UnwatchedChats(chats, views, environment));
  parts.add(new Notifications(chats, views, settings));
}
