import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import * as path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ProcessTracker } from './agents/processTracker';
import type { SignInPrompts } from './agents/signIn';
import { within } from './agents/within';
import { lazily } from './base/lazily';
import { DisposableStore, toDisposable } from './base/lifecycle';
import { Chats } from './session/chats';
import { ChatHistory } from './session/history';
import type { Environment } from './session/ports';
import type { SessionPlace } from './session/openSession';
import { SessionLists } from './session/sessionLists';
import { ChatActions } from './vscode/chats/chatActions';
import { ChatPrompts } from './vscode/chats/chatPrompts';
import { ChatRequests } from './vscode/chats/chatRequests';
import { ChatViews } from './vscode/chatView/chatViews';
import type { ChatViewServices } from './vscode/chatView/chatView';
import { registerCommands } from './vscode/commands';
import { ConfiguredAgents } from './vscode/settings/configuredAgents';
import { ContextAttachments } from './vscode/context/contextAttachments';
import { ContextKeys } from './vscode/contextKeys';
import { EditorContext } from './vscode/context/editorContext';
import { FileHistoryStorage } from './vscode/chats/fileHistoryStorage';
import { VscodeTextFiles } from './vscode/files/vscodeTextFiles';
import { LateFollow } from './vscode/lateFollow';
import { IntentRouter } from './vscode/chats/intentRouter';
import { workspaceRoots } from './vscode/links';
import type { Logs } from './vscode/logs';
import { McpInputs } from './vscode/mcp/mcpInputs';
import { McpConfirmations } from './vscode/mcp/mcpConfirmations';
import { Notifications } from './vscode/notifications';
import { ChosenDefaults } from './vscode/settings/optionDefaults';
import { PanelSource } from './vscode/chats/panelSource';
import { questionTools } from './vscode/questionTools';
import type { PromptDelivery } from './vscode/review/changeComments';
import { DiffEditor } from './vscode/review/diffEditor';
import { MemoryDocuments, PROPOSAL_SCHEME } from './vscode/review/memoryDocuments';
import { EditorUris } from './vscode/review/editorUris';
import { ProposalLenses } from './vscode/review/proposalLenses';
import { remarkFile } from './vscode/review/remarkFile';
import { ReviewSurfaces } from './vscode/review/reviewSurfaces';
import { RememberedAnswers } from './vscode/rememberedAnswers';
import { askAboutDefaults } from './vscode/settings/askAboutDefaults';
import { fileLimits, promptLimits, Settings } from './vscode/settings/settings';
import { StoredSecrets } from './vscode/signIn/storedSecrets';
import { UnwatchedChats } from './vscode/chats/unwatchedChats';
import { WorkspaceDefaults } from './vscode/settings/workspaceDefaults';
import { workspaceSettingsFile } from './vscode/settings/workspaceSettingsFile';
import { SettingsProblems } from './vscode/settings/settingsProblems';
import { ChangeBar } from './vscode/tracking/changeBar';
import { LateTracking } from './vscode/tracking/lateTracking';
import { PanelChangeList } from './vscode/tracking/panelChanges';
import { RestoreCommands } from './vscode/tracking/restoreCommands';
import { PseudoterminalMirror } from './vscode/terminals/pseudoterminalMirror';
import { showErrorMessage } from './vscode/messages';

/** Parley as it runs in one window. */
export interface Parley {
  /** Ends every session and process, and writes what is not written yet. */
  stop(): Promise<void>;
}

const environment: Environment = {
  now: () => Date.now(),
  newId: () => randomUUID(),
  after(milliseconds, task) {
    const timer = setTimeout(task, milliseconds);
    return toDisposable(() => clearTimeout(timer));
  },
};

const signInPrompts: SignInPrompts = {
  async runInTerminal(...args) {
    const { runInTerminal } = await import('./vscode/signIn/signInTerminal');
    return runInTerminal(...args);
  },
  async askVariables(...args) {
    const { askVariables } = await import('./vscode/signIn/askVariables');
    return askVariables(...args);
  },
};

/** The composition root: makes every part and hands each what it needs. */
export function compose(context: vscode.ExtensionContext, logs: Logs): Parley {
  const { bundle } = vscode.l10n;
  if (bundle) l10n.config({ contents: bundle });
  const logger = logs.main;
  const parts = new DisposableStore();
  context.subscriptions.push(parts);

  const tracking = parts.add(
    new LateTracking({
      folder: path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'review'),
      own: [context.storageUri, context.globalStorageUri].flatMap(uri => uri?.fsPath ?? []),
      logger,
      now: () => environment.now(),
    }),
  );
  const { review } = tracking;
  const workspaceDefaults = parts.add(
    new WorkspaceDefaults({
      answers: new RememberedAnswers(context.workspaceState, 'parley.workspaceDefaults'),
      settingsFile: () => workspaceSettingsFile()?.fsPath,
      isPending: tracking.isPending,
      onDidChangePending: review.onDidChange,
      ask: askAboutDefaults,
      logger,
    }),
  );
  const settings = parts.add(new Settings(workspaceDefaults));
  parts.add(new SettingsProblems(settings, logger));
  const processes = new ProcessTracker();
  // What the first prompt needs, and the first frame does not, is loaded when it is asked for.
  const loadedShell = lazily(async () => {
    const { ShellEnvironment } = await import('./agents/shellEnvironment');
    return new ShellEnvironment({ logger, processes });
  });
  const shell = { get: async (fresh?: boolean) => (await loadedShell()).get(fresh) };
  const terminals = lazily(async () => {
    const { ProcessTerminals } = await import('./terminals/processTerminals');
    return new ProcessTerminals({ logger, processes, environment: shell });
  });
  const agents = parts.add(
    new ConfiguredAgents({
      settings,
      logs,
      trust: vscode.workspace,
      demoScript: context.asAbsolutePath(path.join('dist', 'demoAgent.js')),
      demoData: path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'demo'),
      host: {
        logger,
        processes,
        environment: shell,
        workspaceFolder: () => workspaceRoots()[0],
        clientVersion: String((context.extension.packageJSON as { version?: unknown }).version),
        now: () => environment.now(),
        signIn: signInPrompts,
        secrets: new StoredSecrets(context.secrets),
      },
    }),
  );

  const mcpInputs = new McpInputs(context.secrets, context.workspaceState);
  const confirmations = new McpConfirmations({
    answers: new RememberedAnswers(context.workspaceState, 'parley.mcp.confirmed'),
    isPending: tracking.isPending,
    async ask(...args) {
      const { askMcpServer } = await import('./vscode/mcp/askMcpServer');
      return askMcpServer(...args);
    },
    logger,
  });
  const mcpServers = lazily(async () => {
    const { McpServers } = await import('./vscode/mcp/mcpServers');
    return new McpServers({
      trust: vscode.workspace,
      setting: () => ({
        user: settings.current.mcpServers,
        workspace: settings.current.workspaceMcpServers,
      }),
      confirmations,
      inputs: mcpInputs,
      environment: shell,
      masker: logs.masker,
      logger,
    });
  });
  const files = new VscodeTextFiles(logger, () => settings.current.fileBytes);
  const mirror = parts.add(new PseudoterminalMirror());
  const attachments = new ContextAttachments(
    file => files.peek(file),
    () => environment.newId(),
  );
  const chats = parts.add(
    new Chats({
      files,
      terminals: { create: async request => (await terminals()).create(request) },
      mirror,
      attachments,
      environment,
      questions: questionTools,
      fileLimits: () => fileLimits(settings.current),
      promptLimits: () => promptLimits(settings.current),
      defaults: new ChosenDefaults(() => settings.current.defaults, context.globalState),
      settings: {
        newSessionSeconds: () => settings.current.timeouts.newSession,
        mcpServers: async (capabilities, signal) => (await mcpServers()).for(capabilities, signal),
      },
      // Made below; by the first request it is there.
      proposals: { edited: (chatId, requestId) => diffs.edited(chatId, requestId) },
      asksBeforeWriting: () => settings.current.reviewWhen === 'beforeWriting',
      tracking: tracking.agents,
      logger,
      agent: name => agents.agent(name),
      place,
    }),
  );
  const history = parts.add(
    new ChatHistory(
      chats,
      new FileHistoryStorage(historyFolder(context)),
      environment,
      logger,
      tellNotSaved,
    ),
  );
  tracking.follow(chats);
  const restored = history.start();

  const documents = parts.add(new MemoryDocuments());
  const editable = parts.add(new MemoryDocuments(PROPOSAL_SCHEME, true));
  void documents.closeStaleTabs();
  void editable.closeStaleTabs();
  const requests = parts.add(new ChatRequests(chats));
  const currentText = (file: string) => files.peek(file);
  const diffs: DiffEditor = parts.add(
    new DiffEditor(requests, requests, documents, currentText, editable),
  );
  parts.add(new ProposalLenses(diffs));
  // Made below; by the first comment it is there.
  const delivery: PromptDelivery = { deliver: (chatId, text) => prompts.deliver(chatId, text) };
  const remarks = remarkFile(
    path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'review', 'remarks.json'),
  );
  const surfaces = parts.add(
    new ReviewSurfaces(review, tracking.ready, currentText, delivery, remarks, logger),
  );
  const changes = new PanelChangeList(review, parts.add(new EditorUris()));

  const editor = parts.add(new EditorContext());
  const sessions = parts.add(new SessionLists(chats, name => agents.agent(name), environment));
  const panel = parts.add(new PanelSource(chats, agents, editor, changes, sessions));
  const services: ChatViewServices = {
    chats,
    panel,
    extensionUri: context.extensionUri,
    logger,
    restored,
    // The router needs the views that need the router: by the first click both are there.
    handle: (view, intent, chatId) => router.handle(view, intent, chatId),
  };
  const views = parts.add(new ChatViews(services, context.workspaceState));
  // Asked where agents are started from: a workspace without Parley has no use for the question.
  const considerDefaults = (): void => {
    if (views.anyOpen) void workspaceDefaults.consider(settings.current.asked);
  };
  parts.add(views.onDidChangeVisibility(considerDefaults));
  parts.add(settings.onDidChange(considerDefaults));
  const actions = new ChatActions({ chats, views, agents, attachments, editor, logs });
  const prompts = new ChatPrompts(chats, views, actions);
  const follow = parts.add(
    new LateFollow(chats, () => views.current?.chatId, workspaceRoots, logger),
  );
  const restore = parts.add(
    new RestoreCommands(
      tracking.rewind,
      views,
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
    sessions,
    changes: new ChangeBar(review, changes, surfaces, restore),
    logger,
  });
  parts.add(
    registerCommands({
      chats,
      actions,
      views,
      requests,
      diffs,
      follow,
      logger,
      agent: name => agents.agent(name),
      async forgetWorkspace() {
        await mcpInputs.forget();
        await confirmations.forget();
        await workspaceDefaults.forget();
      },
      restored,
    }),
  );
  parts.add(new ContextKeys(chats, requests, views));
  parts.add(new UnwatchedChats(chats, views, environment));
  parts.add(new Notifications(chats, views, settings));
  // Last in, first out: whatever else fails, nothing that Parley started stays behind.
  parts.add(toDisposable(() => processes.killAllNow()));

  return {
    async stop() {
      // An editor that closes does not wait for long: what was said must be written before.
      await within(Promise.allSettled([chats.closeAll(), agents.stopAll()]), CLOSE_MS);
      await Promise.allSettled([history.flush(), tracking.flush()]);
      processes.killAllNow();
    },
  };
}

function tellNotSaved(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  void showErrorMessage(
    vscode.l10n.t(
      'Chats cannot be saved: {0}. They stay until this window closes. Make room on the disk, or check who may write to the folder; Parley tries again.',
      message,
    ),
  );
}

/** How long agents may take to end before the chats are written, in milliseconds. */
const CLOSE_MS = 2_000;

/** Where new chats work: the workspace's folders, or the user's home when none is open. */
function place(): SessionPlace {
  const [cwd = homedir(), ...additionalDirectories] = workspaceRoots();
  return {
    cwd,
    additionalDirectories,
    get roots() {
      return workspaceRoots();
    },
  };
}

/** With a workspace its own storage, which goes when the workspace's does. */
function historyFolder(context: vscode.ExtensionContext): string {
  const { fsPath } = context.storageUri ?? context.globalStorageUri;
  return path.join(fsPath, 'chats');
}
