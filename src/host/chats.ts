import { homedir, hostname } from 'node:os';
import * as path from 'node:path';
import { parseAgents } from '../agents/definitions';
import { AgentChildren } from '../agents/process/agentChildren';
import { InstalledAgents } from '../agents/registry/installedAgents';
import type { SignInPrompts } from '../agents/signIn';
import { StoppedTurns } from '../agents/stoppedTurns';
import { lazy } from '../base/lazy';
import { Chats } from '../session/chats';
import { ChatHistory } from '../session/history/chatHistory';
import type { ProposalEdits, TerminalMirror } from '../session/ports';
import { AgentSearch } from '../vscode/agents/agentSearch';
import { FileHistoryStorage } from '../vscode/chats/fileHistoryStorage';
import { showNotSaved } from '../vscode/chats/notSavedMessage';
import { ContextAttachments } from '../vscode/context/contextAttachments';
import type { VscodeTextFiles } from '../vscode/files/vscodeTextFiles';
import { workspaceRoots } from '../vscode/links';
import { showUnreadable } from '../vscode/unreadableMessage';
import { questionTools } from '../vscode/questionTools';
import { LazyRegistry } from '../vscode/registry/lazyRegistry';
import type { FilePermissionLog } from '../vscode/permissions/filePermissionLog';
import { ConfiguredAgents } from '../vscode/settings/configuredAgents';
import { proxySettings } from '../vscode/settings/proxySettings';
import { ChosenDefaults } from '../vscode/settings/optionDefaults';
import { fileLimits, promptLimits } from '../vscode/settings/settings';
import type { Settings } from '../vscode/settings/settings';
import { StoredSecrets } from '../vscode/signIn/storedSecrets';
import type { LazyTracking } from '../vscode/tracking/lazyTracking';
import { composeBudget } from './budget';
import type { WindowBudget } from './budget';
import { composeDoctor } from './doctor';
import { composeMcp } from './mcp';
import { composeTraffic } from './traffic';
import type { TrafficCommands } from './traffic';
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
  readonly search: AgentSearch;
  readonly registry: LazyRegistry;
  readonly runDoctor: () => Promise<void>;
  readonly traffic: TrafficCommands;
  readonly budget: WindowBudget;
  readonly chats: Chats;
  readonly history: ChatHistory;
  readonly attachments: ContextAttachments;
  readonly permissionLog: () => Promise<FilePermissionLog>;
  /** Resolves when all that was decided so far is in the log. */
  decisionsWritten(): Promise<void>;
  /** Settles when the chats of earlier windows are there. */
  readonly restored: Promise<void>;
  /** Forgets what the user has entered for and answered about MCP servers. */
  readonly forgetMcp: () => Promise<void>;
}

/** Agents, the chats with them, and what they are given. What the first frame does not need loads on use. */
export function composeChats(
  window: Window,
  { settings, tracking, files, mirror, proposals }: ChatsParts,
): WindowChats {
  const { parts, context, trust, logs, logger, environment, processes, storage } = window;
  const loadedShell = lazy(async () => {
    const { ShellEnvironment } = await import('../agents/process/shellEnvironment');
    return new ShellEnvironment({ logger, processes });
  });
  const shell = { get: async (fresh?: boolean) => (await loadedShell()).get(fresh) };
  const terminals = lazy(async () => {
    const { ProcessTerminals } = await import('../terminals/processTerminals');
    const findPty = async () => {
      const { findNodePty } = await import('../terminals/nodePty');
      return findNodePty(window.appRoot);
    };
    return new ProcessTerminals({ logger, processes, environment: shell, findPty });
  });
  const workspaceFolder = (): string | undefined => workspaceRoots()[0];
  const search = parts.add(
    new AgentSearch({
      trust,
      environment: shell,
      processes,
      memory: context.globalState,
      machine: `${hostname()}:${homedir()}`,
      configured: () => parseAgents(settings.current.agents),
      workspaceFolder,
      now: () => environment.now(),
      logger,
    }),
  );
  const children = new AgentChildren();
  const installed = new InstalledAgents(path.join(context.globalStorageUri.fsPath, 'agents'));
  const agents = parts.add(
    new ConfiguredAgents({
      settings,
      logs,
      search,
      installed,
      trust,
      demoScript: context.asAbsolutePath(path.join('dist', 'demoAgent.js')),
      demoData: storage('demo'),
      host: {
        logger,
        processes,
        environment: shell,
        proxy: proxySettings,
        workspaceFolder,
        clientVersion: window.version,
        now: () => environment.now(),
        idleMinutes: () => settings.current.idleMinutes,
        children: agent => children.of(agent),
        signIn: signInPrompts,
        secrets: new StoredSecrets(context.secrets),
      },
    }),
  );

  parts.add(
    processes.onDidLeave(servers => {
      const mask = (text: string) => logs.masker.mask(text);
      void import('../vscode/agents/askAboutLeft').then(({ askAboutServers }) =>
        askAboutServers(servers, processes, mask),
      );
    }),
  );
  const registry = parts.add(
    new LazyRegistry({
      installed,
      address: () => settings.current.registryUrl,
      trust,
      environment: shell,
      processes,
      now: () => environment.now(),
      newId: () => environment.newId(),
      logger,
      extensionUri: context.extensionUri,
      memory: context.globalState,
    }),
  );
  const mcp = composeMcp(window, settings, tracking, shell);
  const permissionLog = lazy(async () => {
    const { FilePermissionLog } = await import('../vscode/permissions/filePermissionLog');
    const mask = (text: string) => logs.masker.mask(text);
    return new FilePermissionLog(storage('permissions.jsonl'), mask, logger);
  });
  let decisions = Promise.resolve();
  const attachments = new ContextAttachments(
    file => files.peek(file),
    () => environment.newId(),
    chatId => chats.get(chatId)?.store.state,
    logs.masker.mask,
  );
  const budget = composeBudget(window, settings, tracking, () => chats);
  const chats: Chats = parts.add(
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
        mcpServers: mcp.servers,
      },
      proposals,
      permissionLog: {
        record(entry) {
          const written = permissionLog().then(log => {
            log.record(entry);
            return log.flush();
          });
          decisions = written.catch(error => logger.error('The permission log is missing', error));
        },
      },
      rules: {
        get current() {
          return settings.current.permissions;
        },
        onDidChange: settings.onDidChange,
      },
      asksBeforeWriting: () => settings.current.reviewWhen === 'beforeWriting',
      tracking: tracking.agents,
      logger,
      agent: name => agents.agent(name),
      mayPrompt: state => budget.mayPrompt(state),
      instead: name => agents.instead(name),
      place,
    }),
  );
  const stoppedTurns = parts.add(
    new StoppedTurns({
      children,
      environment,
      ask(agent, programs) {
        const mask = (text: string) => logs.masker.mask(text);
        void import('../vscode/agents/askAboutLeft').then(({ askAboutStopped }) =>
          askAboutStopped(agent, programs, mask),
        );
      },
    }),
  );
  parts.add(stoppedTurns.follow(chats));
  const history = parts.add(
    new ChatHistory(chats, new FileHistoryStorage(storage('chats')), environment, logger, {
      notSaved: showNotSaved,
      unreadable: places => void showUnreadable(places, 'chats'),
    }),
  );
  // Chats without a folder are in one storage for all windows.
  parts.add(window.onDidFocus(() => void history.refresh()));
  tracking.follow(chats);
  return {
    agents,
    search,
    registry,
    budget,
    traffic: composeTraffic(window, chats, agents),
    runDoctor: composeDoctor(window, { settings, agents, shell }),
    chats,
    history,
    attachments,
    restored: history.start(),
    permissionLog,
    decisionsWritten: () => decisions,
    forgetMcp: mcp.forget,
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
