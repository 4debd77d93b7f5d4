import * as path from 'node:path';
import * as vscode from 'vscode';
import type { SignInPrompts } from '../agents/signIn';
import { lazy } from '../base/lazy';
import { Chats } from '../session/chats';
import { ChatHistory } from '../session/history/chatHistory';
import type { ProposalEdits, TerminalMirror } from '../session/ports';
import { FileHistoryStorage } from '../vscode/chats/fileHistoryStorage';
import { ContextAttachments } from '../vscode/context/contextAttachments';
import type { VscodeTextFiles } from '../vscode/files/vscodeTextFiles';
import { workspaceRoots } from '../vscode/links';
import { McpConfirmations } from '../vscode/mcp/mcpConfirmations';
import { McpInputs } from '../vscode/mcp/mcpInputs';
import { showErrorMessage } from '../vscode/messages';
import { questionTools } from '../vscode/questionTools';
import { RememberedAnswers } from '../vscode/rememberedAnswers';
import { ConfiguredAgents } from '../vscode/settings/configuredAgents';
import { ChosenDefaults } from '../vscode/settings/optionDefaults';
import { fileLimits, promptLimits } from '../vscode/settings/settings';
import type { Settings } from '../vscode/settings/settings';
import { StoredSecrets } from '../vscode/signIn/storedSecrets';
import type { LazyTracking } from '../vscode/tracking/lazyTracking';
import { place } from './window';
import type { Window } from './window';

export interface ChatsParts {
  readonly settings: Settings;
  readonly tracking: LazyTracking;
  readonly files: VscodeTextFiles;
  readonly mirror: TerminalMirror;
  readonly proposals: ProposalEdits;
}

export interface WindowChats {
  readonly agents: ConfiguredAgents;
  readonly chats: Chats;
  readonly history: ChatHistory;
  readonly attachments: ContextAttachments;
  /** Settles when the chats of earlier windows are there. */
  readonly restored: Promise<void>;
  /** Forgets what the user has entered for and answered about MCP servers. */
  readonly forgetMcp: () => Promise<void>;
}

/** Agents, the chats with them, and what they are given. What the first frame does not need loads on use. */
export function composeChats(
  { parts, context, logs, logger, environment, processes, storage }: Window,
  { settings, tracking, files, mirror, proposals }: ChatsParts,
): WindowChats {
  const loadedShell = lazy(async () => {
    const { ShellEnvironment } = await import('../agents/process/shellEnvironment');
    return new ShellEnvironment({ logger, processes });
  });
  const shell = { get: async (fresh?: boolean) => (await loadedShell()).get(fresh) };
  const terminals = lazy(async () => {
    const { ProcessTerminals } = await import('../terminals/processTerminals');
    return new ProcessTerminals({ logger, processes, environment: shell });
  });
  const agents = parts.add(
    new ConfiguredAgents({
      settings,
      logs,
      trust: vscode.workspace,
      demoScript: context.asAbsolutePath(path.join('dist', 'demoAgent.js')),
      demoData: storage('demo'),
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

  const inputs = new McpInputs(context.secrets, context.workspaceState);
  const confirmations = new McpConfirmations({
    answers: new RememberedAnswers(context.workspaceState, 'parley.mcp.confirmed'),
    isPending: tracking.isPending,
    async ask(...args) {
      const { askMcpServer } = await import('../vscode/mcp/askMcpServer');
      return askMcpServer(...args);
    },
    logger,
  });
  const mcpServers = lazy(async () => {
    const { McpServers } = await import('../vscode/mcp/mcpServers');
    return new McpServers({
      trust: vscode.workspace,
      setting: () => ({
        user: settings.current.mcpServers,
        workspace: settings.current.workspaceMcpServers,
      }),
      confirmations,
      inputs,
      environment: shell,
      masker: logs.masker,
      logger,
    });
  });
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
      proposals,
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
      new FileHistoryStorage(storage('chats')),
      environment,
      logger,
      showNotSaved,
    ),
  );
  tracking.follow(chats);
  return {
    agents,
    chats,
    history,
    attachments,
    restored: history.start(),
    async forgetMcp() {
      await inputs.forget();
      await confirmations.forget();
    },
  };
}

const signInPrompts: SignInPrompts = {
  async runInTerminal(...args) {
    const { runInTerminal } = await import('../vscode/signIn/signInTerminal');
    return runInTerminal(...args);
  },
  async askVariables(...args) {
    const { askVariables } = await import('../vscode/signIn/askVariables');
    return askVariables(...args);
  },
};

function showNotSaved(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  void showErrorMessage(
    vscode.l10n.t(
      'Chats cannot be saved: {0}. They stay until this window closes. Make room on the disk, or check who may write to the folder; Parley tries again.',
      message,
    ),
  );
}
